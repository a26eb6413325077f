import Barcodes
import WireText

/// A reader of the codes of a row; it repairs damage from spreadsheets and the clipboard.
///
/// | in the file | code | damage |
/// |---|---|---|
/// | `'4006381333931`, `="4006381333931"` | `4006381333931` | marked as text |
/// | `4006381333931.0`, `4006381333931,0` | `4006381333931` | added decimals |
/// | `42100005264`, `42100005264.0` | `042100005264` | lost leading zeros |
/// | `4.00638E+12` | | lost digits: an error |
struct CodeReader {
    let columns: [Int]
    /// The columns whose numbers may be GTINs that lost their leading zeros.
    private let numbers: Set<Int>

    init(_ map: ColumnMap, keepsCodes: Bool) {
        columns = map.columns[.code] ?? []
        numbers = Set(keepsCodes ? [] : columns.filter { !ColumnName(map.names[$0]).isOwnCode })
    }

    /// Returns the codes of a row, and appends a note for each repaired code.
    func codes(
        in texts: [String?], _ notes: inout [ImportNote]
    ) throws(InvalidRow.Reason) -> [String] {
        var found: [String] = []
        for column in columns {
            guard let text = texts[column] else { continue }
            // A bar at the end means that the codes are exactly as written.
            let isExact = text.utf8.last == CodeField.bar
            for written in CodeField.codes(in: text) {
                var code = isExact ? written : VisibleText.code(written)
                if code != written { notes.append(ImportNote(.invisible, written, meant: code)) }
                if let gtin = Self.linkedGTIN(code) {
                    code = gtin
                } else if !text.utf8.contains(CodeField.bar) {
                    // No spreadsheet writes bars, so codes between bars need no repair.
                    code = try Self.mended(code, mayLackZeros: numbers.contains(column), &notes)
                }
                if !code.isEmpty, !found.contains(code) { found.append(code) }
            }
        }
        return found
    }

    /// Repairs a code that a spreadsheet changed, and adds a note; returns any other code unchanged.
    private static func mended(
        _ code: String, mayLackZeros: Bool, _ notes: inout [ImportNote]
    ) throws(InvalidRow.Reason) -> String {
        let (digits, hasDecimals) = try number(code)
        // Digits marked as text, valid GTINs and short numbers have lost no zeros.
        let isWhole = !hasDecimals || digits.utf8.count < 8 || (try? GTIN(digits)) != nil
        if digits != code, isWhole {
            notes.append(ImportNote(.spreadsheetCode, code, meant: digits))
            return digits
        }
        if mayLackZeros, let meant = LostZeros.restored(digits) {
            notes.append(ImportNote(.lostZeros, code, meant: meant))
            return meant
        }
        guard !hasDecimals else {
            throw .init(
                "The code \(quoted: code) was taken for a number by a spreadsheet; expected its digits "
                    + "alone, with any zeros ahead.")
        }
        return code
    }

    /// Returns the digits of a code such as `="0123"` or `123.00`; leaves other codes unchanged.
    private static func number(
        _ code: String
    ) throws(InvalidRow.Reason) -> (digits: String, hasDecimals: Bool) {
        guard code.utf8.contains(where: { !$0.isDigit }) else { return (code, false) }
        let isFormula = code.hasPrefix("=\"") && code.hasSuffix("\"") && code.utf8.count > 3
        let text =
            isFormula
            ? code.dropFirst(2).dropLast() : code.hasPrefix("'") ? code.dropFirst() : code[...]
        if isRounded(text.utf8) {
            throw .init(
                "The code \(quoted: code) was rounded by a spreadsheet; expected all its digits.")
        }
        let digits = text.utf8.prefix(while: \.isDigit)
        let decimals = text.utf8[digits.endIndex...]
        let areZeros = decimals.count > 1 && decimals.dropFirst().allSatisfy { $0 == 0x30 }
        guard !digits.isEmpty, decimals.isEmpty || areZeros && decimals.first?.isMark == true else {
            return (code, false)
        }
        return (String(Substring(digits)), !decimals.isEmpty)
    }

    /// Whether a spreadsheet probably rounded the number, as in `4.1E12`; false for `12E5`, a possible code.
    private static func isRounded(_ text: Substring.UTF8View) -> Bool {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == 0x65 }
        guard parts.count == 2, parts[0].first?.isDigit == true,
            parts[0].allSatisfy({ $0.isDigit || $0.isMark })
        else { return false }
        let hasPlus = parts[1].first == UInt8(ascii: "+")
        let exponent = hasPlus ? parts[1].dropFirst() : parts[1]
        return !exponent.isEmpty && exponent.allSatisfy(\.isDigit)
            && (hasPlus || parts[0].contains(where: \.isMark))
    }

    /// Whether a code looks as if a spreadsheet had changed it.
    static func mends(_ code: String) -> Bool {
        var notes: [ImportNote] = []
        return (try? mended(code, mayLackZeros: true, &notes)) != code
    }

    /// Returns the GTIN in a GS1 Digital Link, so that linear barcodes match too; nil for any other text.
    private static func linkedGTIN(_ code: String) -> String? {
        let isLink = code.utf8.starts(with: "http".utf8) || code.utf8.starts(with: "HTTP".utf8)
        return isLink ? BarcodeDecoder().decode(code).gtin?.text : nil
    }
}

/// Functions that read and write several codes in one field of a CSV file.
///
/// Vertical bars separate codes: `4006381333931|SKU-7`. A bar within a code is escaped as `\|`, and each backslash
/// directly before a bar as `\\`. A field without bars is split at line breaks. A field with neither is split at
/// spaces, commas and semicolons if each part has 8, 12, 13 or 14 digits. A final bar turns off ``CodeReader`` repairs.
enum CodeField {
    static func codes(in field: String) -> [String] {
        let parts =
            if field.utf8.contains(bar) {
                splitAtBars(field)
            } else if field.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
                field.split(whereSeparator: \.isNewline).map(String.init)
            } else {
                splitNumbers(field) ?? [field]
            }
        return parts.map(trimmed).filter { !$0.isEmpty }
    }

    /// Returns the field from which an import reads exactly these codes.
    static func field(of codes: [String]) -> String {
        guard let last = codes.last else { return "" }
        let plain = listElement(last, barFollows: false)
        // A bar at the end protects invisible characters, and also a single code that contains separators or looks as
        // if a spreadsheet had changed it.
        let endsWithBar =
            codes.contains { !VisibleText.code($0).utf8.elementsEqual($0.utf8) }
            || codes.count == 1 && (self.codes(in: plain) != codes || CodeReader.mends(last))
        let others = codes.dropLast().map { listElement($0, barFollows: true) + "|" }.joined()
        return others + (endsWithBar ? listElement(last, barFollows: true) + "|" : plain)
    }

    static let bar = UInt8(ascii: "|")
    private static let backslash = UInt8(ascii: "\\")

    private static func splitAtBars(_ field: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        for byte in field.utf8 {
            let last = parts.endIndex - 1
            guard byte == bar else {
                parts[last].append(byte)
                continue
            }
            let backslashes = parts[last].reversed().prefix { $0 == backslash }.count
            parts[last].removeLast((backslashes + 1) / 2)
            if backslashes % 2 == 1 { parts[last].append(bar) } else { parts.append([]) }
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func listElement(_ code: String, barFollows: Bool) -> String {
        var result: [UInt8] = []
        var backslashes = 0
        for byte in code.utf8 {
            if byte == bar { result += repeatElement(backslash, count: backslashes + 1) }
            backslashes = byte == backslash ? backslashes + 1 : 0
            result.append(byte)
        }
        if barFollows { result += repeatElement(backslash, count: backslashes) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Splits numbers of 8 or 12 to 14 digits at spaces, commas and semicolons; nil for other fields.
    private static func splitNumbers(_ field: String) -> [String]? {
        guard field.utf8.contains(where: isSeparator) else { return nil }
        let parts = field.utf8.split(whereSeparator: isSeparator)
        let areNumbers = parts.allSatisfy { part in
            [8, 12, 13, 14].contains(part.count) && part.allSatisfy(\.isDigit)
        }
        return areNumbers ? parts.map { String(Substring($0)) } : nil
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }

    private static func trimmed(_ text: String) -> String {
        func isText(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 }
        guard let first = text.utf8.firstIndex(where: isText),
            let last = text.utf8.lastIndex(where: isText)
        else { return "" }
        return String(text[first...last])
    }
}

enum LostZeros {
    /// Returns the number with its leading zeros restored; nil if it has probably lost none.
    ///
    /// Ten or eleven digits may be a UPC-A; seven digits may be an EAN-8 or a UPC-E. The check digit must be correct
    /// after the zeros are restored. A valid ISBN-10 has lost no zeros.
    static func restored(_ digits: String) -> String? {
        let length = digits.utf8.count
        guard [7, 10, 11].contains(length), digits.utf8.allSatisfy(\.isDigit),
            !digits.hasPrefix("0"), !isISBN10(digits)
        else { return nil }
        let number = (length == 10 ? "00" : "0") + digits
        return (try? GTIN(number)) != nil || GTIN(upcE: number) != nil ? number : nil
    }

    /// Whether the digits are an ISBN-10 with a correct check digit (ISBN Users' Manual).
    private static func isISBN10(_ digits: String) -> Bool {
        let sum = zip(digits.utf8, 1...).reduce(0) { $0 + Int($1.0 - 0x30) * $1.1 }
        return digits.utf8.count == 10 && sum % 11 == 0
    }
}
