import Barcodes

/// A slow, obvious second implementation of the readers for text without an AIM identifier, on characters instead of
/// numbers.
struct ReaderOracle {
    /// A possible reading of a text, reduced to what tests compare.
    struct Meaning: Hashable {
        var name: String
        var gtin: String? = nil
        var addOn: String? = nil
        /// Whether the text is just as likely to be a plain number.
        var isDoubtful = false
    }

    /// Returns all possible readings of a text.
    static func meanings(of text: String) -> [Meaning] {
        let characters = Array(text)
        return [ean8(characters), upcE(characters), ean13(characters), itf14(characters)]
            .compactMap(\.self) + addOns(characters)
            + [ppn(characters), library(characters), isbn(characters), issn(characters)]
            .compactMap(\.self)
    }

    /// Whether the sum of the digits, weighted 1, 3, 1 … from the right, is a multiple of ten.
    static func isChecked(_ digits: [Character]) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            sum += (place % 2 == 0 ? 1 : 3) * (digit.wholeNumberValue ?? 0)
        }
        return sum % 10 == 0
    }

    private static func areDigits(_ characters: [Character]) -> Bool {
        characters.allSatisfy { "0123456789".contains($0) }
    }

    /// Pads digits with zeros on the left to 14.
    private static func gtin(_ digits: [Character]) -> String {
        String(repeating: "0", count: 14 - digits.count) + String(digits)
    }

    private static func number(
        _ digits: [Character], _ counts: Set<Int>, _ name: String
    ) -> Meaning? {
        guard counts.contains(digits.count), areDigits(digits), isChecked(digits) else {
            return nil
        }
        return Meaning(name: name, gtin: gtin(digits))
    }

    private static func ean8(_ text: [Character]) -> Meaning? { number(text, [8], "ean-8") }
    private static func itf14(_ text: [Character]) -> Meaning? { number(text, [14], "itf-14") }

    private static func ean13(_ text: [Character]) -> Meaning? {
        var found = number(text, [12, 13], text.count == 13 && text[0] != "0" ? "ean-13" : "upc-a")
        let isBookRow = text.starts(with: "191") || text.starts(with: "192")
        if text.count == 13, isBookRow { found?.gtin = nil }
        return found
    }

    /// Expands a UPC-E: the last of the six middle digits says where the omitted zeros belong.
    private static func upcE(_ text: [Character]) -> Meaning? {
        guard text.count == 8, areDigits(text), "01".contains(text[0]) else { return nil }
        let d = Array(text[1..<7])
        let body: [Character] =
            switch d[5] {
            case "0", "1", "2": [d[0], d[1], d[5], "0", "0", "0", "0", d[2], d[3], d[4]]
            case "3": [d[0], d[1], d[2], "0", "0", "0", "0", "0", d[3], d[4]]
            case "4": [d[0], d[1], d[2], d[3], "0", "0", "0", "0", "0", d[4]]
            default: [d[0], d[1], d[2], d[3], d[4], "0", "0", "0", "0", d[5]]
            }
        return number([text[0]] + body + [text[7]], [12], "upc-e")
    }

    private static func addOns(_ text: [Character]) -> [Meaning] {
        guard areDigits(text) else { return [] }
        return [2, 5].compactMap { length in
            guard var main = ean13(Array(text.dropLast(length))) else { return nil }
            let digits = Array((main.gtin ?? "").dropFirst())
            let press = [
                "977", "978", "979", "378", "379", "414", "419", "434", "439", "491", "007",
            ]
            main.addOn = String(text.suffix(length))
            main.isDoubtful = !press.contains(String(digits.prefix(3)))
            return main
        }
    }

    /// `11`, eight digits, and two check digits: the first ten ASCII codes, weighted 2, 3 …, modulo 97.
    private static func ppn(_ text: [Character]) -> Meaning? {
        guard text.count == 12, areDigits(text), text.starts(with: "11") else { return nil }
        let sum = (0..<10).reduce(0) { $0 + ($1 + 2) * (48 + (text[$1].wholeNumberValue ?? 0)) }
        let pzn = text[2..<10].map { $0.wholeNumberValue ?? 0 }
        let pznSum = (0..<7).reduce(0) { $0 + ($1 + 1) * pzn[$1] } % 11
        guard Int(String(text[10...])) == sum % 97, pznSum == pzn[7] else { return nil }
        return Meaning(name: "pzn")
    }

    /// `2` or `3`, and 13 digits, the last of which is a Luhn check digit.
    private static func library(_ text: [Character]) -> Meaning? {
        guard text.count == 14, areDigits(text), "23".contains(text[0]) else { return nil }
        let doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
        var sum = 0
        for (place, digit) in text.enumerated() {
            let value = digit.wholeNumberValue ?? 0
            sum += place % 2 == 0 ? doubled[value] : value
        }
        return sum % 10 == 0 ? Meaning(name: "library") : nil
    }

    private static func isbn(_ text: [Character]) -> Meaning? {
        let characters = text.filter { $0 != "-" && $0 != " " }
        guard (10...17).contains(text.count) else { return nil }
        if characters.count == 13, text.count > 13, areDigits(characters), isChecked(characters) {
            let isBook =
                characters.starts(with: "978")
                || characters.starts(with: "979") && characters[3] != "0"
            return isBook ? Meaning(name: "isbn", gtin: gtin(characters)) : nil
        }
        guard characters.count == 10, isChecked11(characters) else { return nil }
        let isInGroups = text.count == 13
        return Meaning(
            name: "isbn", gtin: completed("978" + characters.dropLast()), isDoubtful: !isInGroups)
    }

    private static func issn(_ text: [Character]) -> Meaning? {
        guard text.count == 9, text[4] == "-" else { return nil }
        let characters = Array(text[0..<4] + text[5...])
        guard isChecked11(characters) else { return nil }
        let gtin = completed("977" + characters.dropLast() + "00")
        return Meaning(name: "issn", gtin: gtin, isDoubtful: true)
    }

    /// Whether the sum of the digits, weighted 1, 2, 3 … from the right, is a multiple of 11; the last can be `X` (10).
    private static func isChecked11(_ characters: [Character]) -> Bool {
        var sum = 0
        for (place, character) in characters.reversed().enumerated() {
            let isX = place == 0 && "xX".contains(character)
            guard isX || areDigits([character]) else { return false }
            sum += (place + 1) * (isX ? 10 : character.wholeNumberValue ?? 0)
        }
        return sum % 11 == 0
    }

    /// Appends the check digit to 12 digits, and pads them to 14.
    private static func completed(_ digits: [Character]) -> String? {
        (0...9).map { digits + [Character(String($0))] }.first(where: isChecked).map(gtin)
    }

    private static func completed(_ digits: String) -> String? { completed(Array(digits)) }
}
