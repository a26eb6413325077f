import WireText

/// A Health Industry Bar Code, which identifies a medical device.
///
/// | symbol | content |
/// |---|---|
/// | primary | `+`, labeler (a letter and three characters), product, unit of measure, check character |
/// | secondary | `+`, quantity, expiry date, lot or serial number, link (primary's check character), check character |
/// | both in one | primary without its check character, `/`, secondary without `+` and link, check character |
///
/// Rule: ANSI/HIBC 2.6.
package struct HIBC: Sendable {
    /// The primary data without its check character; nil in a symbol with secondary data only.
    let primary: String?
    private(set) var fields: [DataField] = []
    /// The last character of the text, and the check character computed from all characters before it.
    let check: (found: Character, expected: Character)
    /// Whether the text can only be an HIBC, even if its check character is wrong.
    let isUnmistakable: Bool

    var isValid: Bool { check.found == check.expected }

    /// The primary data with its check character; nil if there is no primary data.
    var number: String? {
        primary.flatMap { primary in
            Self.checkCharacter(for: primary).map { primary + String($0) }
        }
    }

    /// Parses one symbol, or a primary and a secondary one sent together; nil for other text.
    init?(_ string: String) {
        let text = Substring(string)
        // No HIBC is longer; the limit bounds the time that other texts take.
        guard text.first == "+", (5...256).contains(text.utf8.count),
            let whole = HIBC(symbol: text) ?? HIBC(pair: text)
        else { return nil }
        self = whole
    }

    private init?(symbol text: Substring) {
        guard let found = text.last, let expected = Self.checkCharacter(for: text.dropLast()) else {
            return nil
        }
        check = (found, expected)
        var body = text.dropFirst().dropLast()
        let hasPrimary = body.utf8.first?.isUpper ?? false
        let link = hasPrimary ? nil : body.popLast()
        var segments = body.split(separator: "/", omittingEmptySubsequences: false)
        isUnmistakable = body.hasPrefix("$$") || segments.dropFirst().first?.first == "$"
        primary = hasPrimary ? "+" + segments.removeFirst() : nil
        let parts = [primary.map(Self.parts(ofPrimary:))].compactMap(\.self)
        for part in parts + segments.map(Self.parts(ofSegment:)) {
            guard let part else { return nil }
            fields += part
        }
        if let link { fields.append(DataField("link character", String(link))) }
    }

    /// Reads two symbols sent as one text; the second must contain the first one's check character.
    private init?(pair text: Substring) {
        // A primary has at most 25 characters.
        for start in text.indices.prefix(26).dropFirst() where text[start] == "+" {
            guard let first = HIBC(symbol: text[..<start]), first.isValid, first.primary != nil,
                let second = HIBC(symbol: text[start...]), second.isValid,
                second.fields.last?.value == String(first.check.found)
            else { continue }
            self = first
            fields += second.fields.dropLast()
            return
        }
        return nil
    }

    private static func parts(ofPrimary text: String) -> [DataField]? {
        let text = text.dropFirst()
        guard (6...23).contains(text.utf8.count), text.utf8.last?.isDigit ?? false,
            text.utf8.allSatisfy({ $0.isDigit || $0.isUpper })
        else { return nil }
        return [
            DataField("labeler", text.prefix(4)),
            DataField("product number", text.dropFirst(4).dropLast()),
            DataField("unit of measure", text.suffix(1)),
        ]
    }

    private static func parts(ofSegment text: Substring) -> [DataField]? {
        if text.hasPrefix("$$+") { return parts(ofDated: text.dropFirst(3), "serial number") }
        if text.hasPrefix("$$") { return parts(ofDated: text.dropFirst(2), "lot") }
        if text.hasPrefix("$+") { return rest(text.dropFirst(2), "serial number") }
        if text.hasPrefix("$") { return rest(text.dropFirst(), "lot") }
        if let date = date(text.prefix(5), "YYJJJ") {
            return [date] + rest(text.dropFirst(5), "lot")
        }
        return DataField(element: text).map { [$0] }
    }

    /// Reads an optional quantity, an optional expiry date, and a lot or serial number, in this order.
    private static func parts(ofDated text: Substring, _ title: String) -> [DataField]? {
        var (text, parts) = (text, [DataField]())
        if let length = ["8": 2, "9": 5][text.first] {
            let quantity = text.dropFirst().prefix(length)
            guard quantity.utf8.count == length, Digits(String(quantity)) != nil else { return nil }
            parts.append(DataField("quantity", quantity))
            text = text.dropFirst(length + 1)
        }
        if text.first == "7" { return parts + rest(text.dropFirst(), title) }
        guard let order = text.first.flatMap({ dates[$0] }) else {
            return parts + rest(text, title)
        }
        let digits = text.dropFirst(order == "MMYY" ? 0 : 1).prefix(order.utf8.count)
        if let date = date(digits, order) {
            return parts + [date] + rest(text[digits.endIndex...], title)
        }
        // After a quantity, the date is optional.
        return parts.isEmpty ? nil : parts + rest(text, title)
    }

    private static func rest(_ text: Substring, _ title: String) -> [DataField] {
        text.isEmpty ? [] : [DataField(title, text)]
    }

    /// The formats of expiry dates, by leading digit.
    private static let dates: [Character: String] = [
        "0": "MMYY", "1": "MMYY", "2": "MMDDYY", "3": "YYMMDD", "4": "YYMMDDHH", "5": "YYJJJ",
        "6": "YYJJJHH",
    ]

    private static func date(_ digits: Substring, _ order: String) -> DataField? {
        guard digits.utf8.count == order.utf8.count, Digits(String(digits)) != nil else {
            return nil
        }
        func part(_ letter: Character) -> Int64? {
            guard order.contains(letter) else { return nil }
            return Int64(String(zip(order, digits).filter { $0.0 == letter }.map(\.1)))
        }
        guard let year = part("Y"),
            let start = CivilDate(year: 2000 + year, month: part("M") ?? 1, day: part("D") ?? 1)
        else { return nil }
        let date = CivilDate(daysSince1970: start.daysSince1970 + (part("J") ?? 1) - 1)
        guard date.year == start.year else { return nil }
        let day = order == "MMYY" ? 0 : date.day
        return DataField(
            "expiry date", digits,
            day: GTIN.digits(of: UInt64(year * 10_000 + date.month * 100 + day), count: 6))
    }

    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%")

    /// Computes the modulo 43 check character; nil if the text has an invalid character.
    static func checkCharacter(for text: some StringProtocol) -> Character? {
        var sum = 0
        for character in text {
            guard let place = characters.firstIndex(of: character) else { return nil }
            sum += place
        }
        return characters[sum % characters.count]
    }

    /// Returns the spellings of a number in catalogs, for instance without its `+`.
    package static func spellings(of number: String) -> [String] {
        [number, String(number.dropLast())].flatMap { [$0, String($0.dropFirst())] }
    }
}

extension BarcodeDecoder {
    /// Reads an HIBC; reports a wrong check character only if the text is unlikely to be anything else.
    ///
    /// That is the case if ``HIBC/isUnmistakable`` is true, or if an AIM identifier precedes text with primary data.
    func hibc(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard let code = HIBC(scanned.text),
            code.isValid || code.isUnmistakable || aim != nil && code.primary != nil
        else { return nil }
        guard code.isValid else {
            let problem = Problem.wrongCheck(
                .wrongCheckCharacter, of: scanned.text,
                ": expected \"\(code.check.expected)\", got \"\(code.check.found)\"")
            return Reading(
                .hibc, symbology: aim?.symbology, checkDigit: .invalid, problems: [problem])
        }
        var reading = Reading(.hibc, symbology: aim?.symbology, checkDigit: .valid)
        reading.number = code.number
        reading.fields = code.fields
        return reading
    }
}
