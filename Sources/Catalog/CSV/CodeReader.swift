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
        of row: borrowing CSVReader, _ map: ColumnMap, _ notes: inout [ImportNote]
    ) throws(InvalidRow.Reason) -> [String] {
        var found: [String] = []
        for column in columns {
            guard let text = try row.text(column, of: map.names[column]) else { continue }
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
        let number = SpreadsheetNumber(code)
        if number == .rounded {
            throw .init(
                "The code \(quoted: code) was rounded by a spreadsheet; expected all its digits.")
        }
        if mayLackZeros, let meant = number.digits(of: code).flatMap(LostZeros.restored) {
            notes.append(ImportNote(.lostZeros, code, meant: meant))
            return meant
        }
        switch number {
        case .none, .rounded: return code
        case .mended(let meant):
            notes.append(ImportNote(.spreadsheetCode, code, meant: meant))
            return meant
        case .withDecimals:
            throw .init(
                "The code \(quoted: code) was taken for a number by a spreadsheet; expected its digits "
                    + "alone, with any zeros ahead.")
        }
    }

    /// The GTIN in a GS1 Digital Link, for that is what a scanner of its linear symbol reads.
    private static func linkedGTIN(_ code: String) -> String? {
        guard code.utf8.starts(with: "http".utf8) || code.utf8.starts(with: "HTTP".utf8) else {
            return nil
        }
        return BarcodeDecoder().decode(code).gtin?.text
    }
}

/// What a spreadsheet makes of a code that it takes for a number.
enum SpreadsheetNumber: Equatable {
    /// A code as it should be.
    case none
    /// A code of which nothing is lost: the code that was meant.
    case mended(String)
    /// A number with decimals, which may have lost zeros: its digits.
    case withDecimals(String)
    /// A number of which digits are lost.
    case rounded

    init(_ code: String) {
        guard code.utf8.contains(where: { !$0.isDigit }) else {
            self = .none
            return
        }
        let text = Self.withoutMarks(code)
        if Self.isRounded(text.utf8) {
            self = .rounded
        } else if let number = Self.withoutDecimals(text) {
            // No zeros ahead can be lost of a GTIN, or of a number too short for one.
            let isWhole = number.utf8.count < 8 || (try? GTIN(number)) != nil
            self = isWhole ? .mended(number) : .withDecimals(number)
        } else {
            let isMarked = text.utf8.count < code.utf8.count && Self.isNumber(text.utf8)
            self = isMarked ? .mended(String(text)) : .none
        }
    }

    /// The digits that may have lost zeros.
    fileprivate func digits(of code: String) -> String? {
        switch self {
        case .none: code
        case .withDecimals(let digits): digits
        case .mended, .rounded: nil
        }
    }

    /// The text inside `="…"` or after `'`.
    private static func withoutMarks(_ code: String) -> Substring {
        if code.hasPrefix("=\""), code.hasSuffix("\""), code.utf8.count > 3 {
            return code.dropFirst(2).dropLast()
        }
        return code.hasPrefix("'") ? code.dropFirst() : code[...]
    }

    /// The digits ahead of a point or a comma and zeros; nil for any other text.
    private static func withoutDecimals(_ text: Substring) -> String? {
        guard let mark = text.utf8.firstIndex(where: isMark) else { return nil }
        let zeros = text.utf8[mark...].dropFirst()
        guard !zeros.isEmpty, zeros.allSatisfy({ $0 == 0x30 }), isNumber(text.utf8[..<mark])
        else { return nil }
        return String(text[..<mark])
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
