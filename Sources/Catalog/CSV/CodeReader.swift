import Barcodes
import WireText

/// Reads the codes of a row, and mends what spreadsheets and clipboards have made of them.
///
/// | written | of the code | |
/// |---|---|---|
/// | `'4006381333931`, `="4006381333931"` | `4006381333931` | marks of a cell that is a text |
/// | `4006381333931.0`, `4006381333931,0` | `4006381333931` | a number with decimals |
/// | `42100005264`, `42100005264.0` | `042100005264` | zeros ahead are gone |
/// | `4.00638E+12` | | digits are gone: an error |
struct CodeReader {
    /// The columns of codes.
    let columns: [Int]
    /// Those whose numbers may be GTINs that have lost zeros.
    private let numbers: Set<Int>

    /// Prepares to read; `keepsCodes` leaves numbers without the zeros that they have probably lost.
    init(_ map: ColumnMap, keepsCodes: Bool) {
        columns = map.columns[.code] ?? []
        numbers = Set(keepsCodes ? [] : columns.filter { !Self.isOwn(map.names[$0]) })
    }

    private static func isOwn(_ name: String) -> Bool {
        let simple = ColumnName.simplified(name)
        return CodeName(name) == .own || NameList.number.contains(simple)
            || NameList.ownCode.contains(simple)
    }

    /// The codes of all columns in their order, each once.
    func codes(
        in texts: [String?], _ notes: inout [ImportNote]
    ) throws(InvalidRow.Reason) -> [String] {
        var found: [String] = []
        for column in columns {
            guard let text = texts[column] else { continue }
            // A bar at the end says that codes are meant character for character.
            let isExact = text.utf8.last == CodeField.bar
            for written in CodeField.codes(in: text) {
                var code = isExact ? written : VisibleText.code(written)
                if code != written {
                    notes.append(ImportNote(.invisible, written, meant: code))
                }
                if let gtin = Self.linkedGTIN(code) {
                    code = gtin
                } else if !text.utf8.contains(CodeField.bar) {
                    // What stands between bars is meant: no spreadsheet writes them.
                    code = try Self.mended(code, mayLackZeros: numbers.contains(column), &notes)
                }
                if !code.isEmpty, !found.contains(code) { found.append(code) }
            }
        }
        return found
    }

    /// A code without what a spreadsheet has made of it.
    private static func mended(
        _ code: String, mayLackZeros: Bool, _ notes: inout [ImportNote]
    ) throws(InvalidRow.Reason) -> String {
        let (digits, hasDecimals) = try number(code)
        // No zeros can be lost ahead of digits that are marked as text, of a GTIN, or of a short number.
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

    /// The digits in what a spreadsheet has written, and whether decimals follow them; any other code as it is.
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
        if isNumber(text.utf8) { return (String(text), false) }
        let parts = text.utf8.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: isMark)
        guard parts.count == 2, isNumber(parts[0]), !parts[1].isEmpty,
            parts[1].allSatisfy({ $0 == 0x30 })
        else { return (code, false) }
        return (String(Substring(parts[0])), true)
    }

    /// Whether a text is `4.00638E+12`, `4,00638e+12` or `4E+12`, or has decimals and no plus.
    ///
    /// As 12E5, a code that no spreadsheet has seen may be.
    private static func isRounded(_ text: Substring.UTF8View) -> Bool {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == 0x65 }
        guard parts.count == 2, parts[0].first?.isDigit == true,
            parts[0].allSatisfy({ $0.isDigit || isMark($0) })
        else { return false }
        let hasPlus = parts[1].first == UInt8(ascii: "+")
        return isNumber(hasPlus ? parts[1].dropFirst() : parts[1])
            && (hasPlus || parts[0].contains(where: isMark))
    }

    private static func isNumber(_ text: Substring.UTF8View) -> Bool {
        !text.isEmpty && text.allSatisfy(\.isDigit)
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
    }

    /// Whether an export must keep a code from being mended.
    static func mends(_ code: String) -> Bool {
        guard let (digits, hasDecimals) = try? number(code) else { return true }
        return hasDecimals || digits != code || LostZeros.restored(code) != nil
    }

    /// The GTIN in a GS1 Digital Link, for that is what a scanner of its linear symbol reads.
    private static func linkedGTIN(_ code: String) -> String? {
        guard code.utf8.starts(with: "http".utf8) || code.utf8.starts(with: "HTTP".utf8) else {
            return nil
        }
        return BarcodeDecoder().decode(code).gtin?.text
    }
}

/// Zeros that a spreadsheet drops ahead of a number.
enum LostZeros {
    /// The number with the zeros it has lost; nil if it is as it should be, or nobody knows.
    ///
    /// 11 digits and 10 may be a UPC-A, and 7 an EAN-8 or a UPC-E, if the check digit is right with the
    /// zeros. Ten digits that are an ISBN-10 are whole.
    static func restored(_ digits: String) -> String? {
        let zeros: String
        switch digits.utf8.count {
        case 7, 11: zeros = "0"
        case 10: zeros = "00"
        default: return nil
        }
        guard digits.utf8.allSatisfy(\.isDigit), !digits.hasPrefix("0"), !isISBN10(digits) else {
            return nil
        }
        let number = zeros + digits
        return (try? GTIN(number)) != nil || GTIN(upcE: number) != nil ? number : nil
    }

    /// Rule: ISBN Users' Manual; the sum of the digits times their places is a multiple of 11.
    private static func isISBN10(_ digits: String) -> Bool {
        let sum = zip(digits.utf8, 1...).reduce(0) { $0 + Int($1.0 - 0x30) * $1.1 }
        return digits.utf8.count == 10 && sum % 11 == 0
    }
}
