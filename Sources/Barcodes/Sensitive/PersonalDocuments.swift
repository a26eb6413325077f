/// Identity cards whose barcodes contain the holder's data as text.
enum IdentityCard {
    /// Whether the text comes from an Argentine, Colombian or Indian identity card.
    static func isCard(_ look: Look) -> Bool {
        isArgentine(look) || isColombian(look) || look.contains("PUBDSK")
            || look.contains("PRINTLETTERBARCODEDATA")
            || look.contains("QPDB N") || isLongNumber(look, of: 500)
    }

    static func isFragment(_ look: Look) -> Bool {
        let fields = argentineFields(look)
        let isArgentine =
            fields.count > 1 && fields.prefix(2).contains { (7...13).contains($0.digitCount) }
            && fields[1...].contains { $0.count > 1 && $0.allSatisfy { $0.isUpper || $0 == 0x20 } }
        return isArgentine || look.contains("PUBDSK") || look.contains("PRINTLETTER")
            || look.contains("QPDB N") || isLongNumber(look, of: 100) || isColombianStart(look)
    }

    /// Whether the text starts like that of a Colombian identity card (cédula).
    private static func isColombianStart(_ look: Look) -> Bool {
        let number = look.folded.prefix(while: \.isDigit)
        let blanks = look.folded.dropFirst(number.count).prefix { $0 == 0x20 }
        let next = look.folded.dropFirst(number.count + blanks.count).first
        return number.count >= 8 && blanks.count >= 3 && next?.isDigit == true
    }

    private static func isLongNumber(_ look: Look, of count: Int) -> Bool {
        look.folded.count >= count && look.folded.allSatisfy(\.isDigit)
    }

    /// Whether the text comes from an Argentine DNI.
    ///
    /// On new cards, the sex is followed by a number of seven or eight digits, a letter and a date. On old cards, the
    /// sex is between two dates.
    private static func isArgentine(_ look: Look) -> Bool {
        let fields = argentineFields(look)
        return fields.indices.dropLast().contains { index in
            guard [[0x46], [0x4D], [0x58]].contains(fields[index]) else { return false }
            let isNumber = (7...8).contains(fields[index + 1].digitCount)
            return isNumber && index + 3 < fields.count && isDate(fields[index + 3])
                || index > 0 && isDate(fields[index - 1]) && isDate(fields[index + 1])
        }
    }

    private static func isDate(_ field: [UInt8]) -> Bool {
        field.count == 10 && field.digitCount == 8
    }

    /// Whether the text contains a Colombian cédula's fields: number, names, sex, date of birth and place.
    private static func isColombian(_ look: Look) -> Bool {
        look.folded.indices.dropLast(15).contains { start in
            let before = look.folded[..<start]
            return (["0M19", "0M20", "0F19", "0F20"] as [StaticString]).contains {
                look.hasPrefix($0, at: start)
            }
                && look.folded[(start + 2)...].prefix(14).allSatisfy(\.isDigit)
                && before.count(where: \.isDigit) >= 8 && before.count(where: \.isUpper) >= 5
        }
    }

    /// Splits the text at `@` or, without an `@`, at `"`, which some keyboard layouts type instead.
    private static func argentineFields(_ look: Look) -> [[UInt8]] {
        let separator: UInt8 = look.folded.contains(UInt8(ascii: "@")) ? 0x40 : 0x22
        return look.folded.split(separator: separator, omittingEmptySubsequences: false)
            .map(Array.init)
    }
}

extension [UInt8] {
    fileprivate var digitCount: Int { count(where: \.isDigit) }
}

/// Functions that recognise bar-coded boarding passes (IATA Resolution 792).
enum BoardingPass {
    /// Whether the text contains the first 47 characters of a boarding pass.
    static func isPass(_ look: Look) -> Bool {
        (0...min(8, look.folded.count)).contains { start in
            let pass = Array(look.folded[start...].prefix(47))
            return pass.count == 47 && isName(pass[..<22]) && pass[30..<36].allSatisfy(\.isUpper)
                && pass[36..<39].allSatisfy { $0.isUpper || $0.isDigit || $0 == 0x20 }
                && pass[39..<43].allSatisfy { $0.isDigit || $0 == 0x20 }
                && pass[44..<47].allSatisfy(\.isDigit)
        }
    }

    /// Whether an incomplete scan begins like a boarding pass.
    static func isFragment(_ look: Look) -> Bool {
        (0...min(8, look.folded.count)).contains { start in
            let name = look.folded[start...].prefix(22)
            return name.count > 5 && isName(name) && name.contains(UInt8(ascii: "/"))
        }
    }

    private static func isName(_ pass: ArraySlice<UInt8>) -> Bool {
        pass.first == "M" && pass.dropFirst().first.map(\.isDigit) == true
            && pass.dropFirst(2).allSatisfy { !$0.isDigit && $0 >= 0x20 }
            && pass.dropFirst(2).first?.isUpper == true
    }
}

/// Health certificates of the European Union and New Zealand, and SMART Health Cards.
enum HealthCertificate {
    /// Whether the text starts like a certificate, with `HC1:`, `shc:/` or `NZCP:/` after at most three characters.
    ///
    /// With a wrong keyboard layout, the colon may be `"`, `>` or a character outside ASCII, the slash may be another
    /// symbol, and `Z` may be `Y`. In a long text, any character may follow `HC1`.
    static func isStart(_ look: Look) -> Bool {
        (0...3).contains { start in
            let text = look.folded.dropFirst(start)
            return [("HC1", 1), ("SHC", 2), ("NZCP", 2), ("NYCP", 2)].contains { name, count in
                guard text.starts(with: name.utf8) else { return false }
                let marks = text.dropFirst(name.utf8.count).prefix(count)
                return marks.first.map(isColon) == true
                    && marks.allSatisfy { !$0.isDigit && !$0.isUpper }
                    || name == "HC1" && text.count > 200
            }
        }
    }

    private static func isColon(_ byte: UInt8) -> Bool { [0x3A, 0x22, 0x3E, 0x7F].contains(byte) }
}

/// A scanned text, normalised for recognising personal content.
struct Look {
    let bytes: [UInt8]
    /// One byte for each Unicode scalar of the text; small letters become capitals, the characters of Czech digit keys
    /// become digits, and most other characters outside ASCII become 0x7F.
    let folded: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        let isCzech = text.unicodeScalars.contains(where: Self.czech.contains)
        folded = text.unicodeScalars.map { scalar in
            if let digit = Self.czech.firstIndex(of: scalar) { return 0x32 + UInt8(digit) }
            return switch scalar {
            case "ı", "İ": UInt8(ascii: "I")
            case "é" where isCzech: UInt8(ascii: "0")
            case "+" where isCzech: UInt8(ascii: "1")
            case "a"..."z": UInt8(scalar.value - 0x20)
            default: scalar.value < 0x7F ? UInt8(scalar.value) : 0x7F
            }
        }
    }

    /// Returns the text as typed, and three variants of it that undo the effects of a wrong keyboard layout.
    ///
    /// One variant assumes that AZERTY is set only on the scanner, and one that it is set only in the configuration.
    /// The third assumes a Hungarian layout, which types `ö` for 0.
    static func all(_ text: String) -> [Look] {
        [Look(text)]
            + [(azerty, qwerty), (qwerty, azerty), (["ö"], ["0"])].map { typed, meant in
                var exchanged = String.UnicodeScalarView()
                for scalar in text.unicodeScalars {
                    exchanged.append(typed.firstIndex(of: scalar).map { meant[$0] } ?? scalar)
                }
                return Look(String(exchanged))
            }
    }

    private static let czech = Array("ěščřžýáí".unicodeScalars)
    private static let azerty = Array("&é\"'(-è_çà1234567890azqwAZQWmM,?;.:/!§)".unicodeScalars)
    private static let qwerty = Array("1234567890!@#$%^&*()qwazQWAZ;:mM,<.>/?-".unicodeScalars)

    /// Whether ``folded`` contains `word`, which must be in capitals, at the offset `start`.
    func hasPrefix(_ word: StaticString, at start: Int) -> Bool {
        folded.span.hasPrefix(word, at: start)
    }

    func contains(_ word: StaticString) -> Bool {
        folded.indices.contains { hasPrefix(word, at: $0) }
    }
}
