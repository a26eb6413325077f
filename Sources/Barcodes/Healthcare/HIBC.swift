import WireText

/// A Health Industry Bar Code: what the maker of a medical device says of an article.
///
/// | symbol | content |
/// |---|---|
/// | primary | `+`, labeler (a letter and three characters), product, unit of measure, check |
/// | secondary | `+`, quantity, expiry date, lot or serial number, the primary's check, check |
/// | both | primary without its check, `/`, secondary without `+` and link, check |
///
/// Rule: ANSI/HIBC 2.6.
public struct HIBC: Hashable, Sendable {
    /// The primary data without its check character, for instance `+A99912345`; nil in a symbol of
    /// secondary data alone.
    public let primary: String?
    /// The parts in their order.
    public private(set) var fields: [DataField] = []
    /// The last character.
    let checkCharacter: Character
    /// The check character that the others call for.
    let expectedCheckCharacter: Character
    /// Whether the characters after the `+` leave no doubt that the text is such a code, also with a
    /// wrong check character.
    let isUnmistakable: Bool

    /// Whether the check character fits.
    public var isValid: Bool { checkCharacter == expectedCheckCharacter }

    /// Reads a symbol, or a primary and a secondary one after the other; a Code 39 may come with its
    /// asterisks.
    ///
    /// - Parameter text: All that was scanned; the check character may be wrong.
    public init?(_ text: String) {
        let isStarred = text.hasPrefix("*+") && text.hasSuffix("*")
        let text = isStarred ? text.dropFirst().dropLast() : Substring(text)
        guard text.first == "+", text.utf8.count <= Self.longest,
            let whole = HIBC(symbol: text) ?? HIBC(pair: text)
        else { return nil }
        self = whole
    }

    /// More than any symbol holds, so that no text takes long.
    private static let longest = 256
    /// `+`, the labeler, 18 characters of the product, the unit of measure, a check character.
    private static let longestPrimary = 1 + 4 + 18 + 1 + 1

    private init?(symbol text: Substring) {
        guard text.utf8.count >= 5, text.first == "+", let check = text.last,
            let expected = Self.checkCharacter(for: text.dropLast())
        else { return nil }
        (checkCharacter, expectedCheckCharacter) = (check, expected)
        var body = text.dropFirst().dropLast()
        let hasPrimary = body.utf8.first?.isUpper ?? false
        let link = hasPrimary ? nil : body.popLast()
        var segments = body.split(separator: "/", omittingEmptySubsequences: false)
        isUnmistakable = body.hasPrefix("$$") || segments.dropFirst().first?.first == "$"
        primary = hasPrimary ? "+" + segments.removeFirst() : nil
        if let primary {
            guard let parts = Self.parts(ofPrimary: primary.dropFirst()) else { return nil }
            fields = parts
        }
        for segment in segments {
            guard let parts = Self.parts(ofSegment: segment) else { return nil }
            fields += parts
        }
        if let link { fields.append(DataField("link character", String(link))) }
    }

    /// Reads two symbols that came as one text: the second links to the first.
    private init?(pair text: Substring) {
        for start in text.indices.prefix(Self.longestPrimary + 1).dropFirst()
        where text[start] == "+" {
            guard var first = HIBC(symbol: text[..<start]), first.isValid, first.primary != nil,
                let second = HIBC(symbol: text[start...]), second.isValid,
                second.fields.last?.value == String(first.checkCharacter)
            else { continue }
            first.fields += second.fields.dropLast()
            self = first
            return
        }
        return nil
    }

    /// The primary data with its check character, as it is usually printed.
    var number: String? {
        primary.flatMap { primary in
            Self.checkCharacter(for: Substring(primary)).map { primary + String($0) }
        }
    }

    /// What catalogs list an article as: with and without `+` and check character.
    ///
    /// - Parameter number: Primary data, with `+` and check character.
    /// - Returns: The number itself first.
    package static func spellings(of number: String) -> [String] {
        [number, String(number.dropLast())].flatMap { [$0, String($0.dropFirst())] }
    }
}

/// The parts.
extension HIBC {
    private static func parts(ofPrimary text: Substring) -> [DataField]? {
        guard (6...23).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isDigit || $0.isUpper }), let unit = text.utf8.last,
            unit.isDigit
        else { return nil }
        return [
            DataField("labeler", text.prefix(4)),
            DataField("product number", text.dropFirst(4).dropLast()),
            DataField("unit of measure", text.suffix(1)),
        ]
    }

    private static func parts(ofSegment text: Substring) -> [DataField]? {
        if text.hasPrefix("$$+") {
            return parts(ofDated: text.dropFirst(3), title: "serial number")
        }
        if text.hasPrefix("$$") { return parts(ofDated: text.dropFirst(2), title: "lot") }
        if text.hasPrefix("$+") { return [DataField("serial number", text.dropFirst(2))] }
        if text == "$" { return [] }
        if text.hasPrefix("$") { return [DataField("lot", text.dropFirst())] }
        if let date = DateForm.julian.field(text.prefix(5)) {
            return [date] + rest(text.dropFirst(5), "lot")
        }
        return DataField(element: text).map { [$0] }
    }

    /// Quantity, expiry date, and lot or serial number: a digit says what comes first and how long it
    /// is.
    private static func parts(ofDated text: Substring, title: String) -> [DataField]? {
        var text = text
        var parts: [DataField] = []
        if let length = ["8": 2, "9": 5][text.first] {
            let quantity = text.dropFirst().prefix(length)
            guard quantity.utf8.count == length, quantity.utf8.allSatisfy(\.isDigit) else {
                return nil
            }
            parts.append(DataField("quantity", quantity))
            text = text.dropFirst(length + 1)
        }
        guard let form = DateForm(flag: text.first) else {
            if text.first == "7" { text = text.dropFirst() }
            return parts + rest(text, title)
        }
        let digits = text.dropFirst(form == .monthAndYear ? 0 : 1).prefix(form.length)
        if let date = form.field(digits) {
            return parts + [date] + rest(text[digits.endIndex...], title)
        }
        // After a quantity there need be no date.
        return parts.isEmpty ? nil : parts + rest(text, title)
    }

    private static func rest(_ text: Substring, _ title: String) -> [DataField] {
        text.isEmpty ? [] : [DataField(title, text)]
    }
}

/// In which order the digits of an expiry date come.
private enum DateForm {
    case monthAndYear, american, day, hour, julian, julianHour

    init?(flag: Character?) {
        switch flag {
        case "0", "1": self = .monthAndYear
        case "2": self = .american
        case "3": self = .day
        case "4": self = .hour
        case "5": self = .julian
        case "6": self = .julianHour
        default: return nil
        }
    }

    var length: Int {
        switch self {
        case .monthAndYear: 4
        case .american, .day: 6
        case .hour: 8
        case .julian: 5
        case .julianHour: 7
        }
    }

    /// The field of some digits; nil if they are no date.
    func field(_ digits: Substring) -> DataField? {
        guard digits.utf8.count == length, digits.utf8.allSatisfy(\.isDigit),
            let number = Int(digits)
        else { return nil }
        let day: Int? =
            switch self {
            case .monthAndYear: number % 100 * 10_000 + number / 100 * 100
            case .american: number % 100 * 10_000 + number / 100
            case .day: number
            case .hour: number / 100
            case .julian: Self.day(ofJulian: number)
            case .julianHour: Self.day(ofJulian: number / 100)
            }
        guard let day else { return nil }
        let yymmdd = GTIN.digits(of: UInt64(day), count: 6)
        guard GS1Element.date(yymmdd, currentYear: 2000) != nil else { return nil }
        return DataField("expiry date", digits, day: yymmdd)
    }

    /// The day YYMMDD of a year and a day of the year, YYDDD.
    private static func day(ofJulian number: Int) -> Int? {
        let year = Int64(number / 1000)
        guard let first = CivilDate(year: 2000 + year, month: 1, day: 1), number % 1000 > 0 else {
            return nil
        }
        let date = CivilDate(daysSince1970: first.daysSince1970 + Int64(number % 1000) - 1)
        guard date.year == first.year else { return nil }
        return Int(year * 10_000 + date.month * 100 + date.day)
    }
}

extension HIBC {
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%")

    /// The check character of a text: its characters' places, added up, modulo 43.
    ///
    /// - Returns: The character; nil if the text has one that Code 39 does not have.
    static func checkCharacter(for text: Substring) -> Character? {
        var sum = 0
        for character in text {
            guard let place = characters.firstIndex(of: character) else { return nil }
            sum += place
        }
        return characters[sum % characters.count]
    }
}

extension BarcodeDecoder {
    /// A health industry code whose check character fits, or that nothing else looks like.
    func hibc(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard scanned.digits == nil, let code = HIBC(scanned.text),
            code.isValid || code.isUnmistakable || aim != nil && code.primary != nil
        else { return nil }
        var reading = Reading(
            .hibc, symbology: aim?.symbology, checkDigit: code.isValid ? .valid : .invalid)
        if code.isValid {
            reading.number = code.number
            reading.fields = code.fields
        } else {
            reading.problems = [
                .wrongCheck(
                    .wrongCheckCharacter, of: scanned.text,
                    expected: code.expectedCheckCharacter, found: code.checkCharacter)
            ]
        }
        return reading
    }
}
