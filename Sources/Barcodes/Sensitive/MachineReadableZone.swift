/// The machine-readable zones of passports, visas and identity cards.
///
/// Rule: ICAO Doc 9303, parts 3 to 7.
enum MachineReadableZone {
    /// Whether the bytes are a line of such a zone, or all its lines in one.
    ///
    /// A line has 30, 36 or 44 capital letters, digits and `<`, and either a name with `<<` in it
    /// or dates with right check digits.
    static func isLine(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 30 else { return false }
        var zone: [UInt8] = []
        for index in bytes.indices where bytes[index] > 0x20 {
            let byte = bytes[index].isLower ? bytes[index] & 0xDF : bytes[index]
            guard byte.isDigit || byte.isUpper || byte == UInt8(ascii: "<") else { return false }
            zone.append(byte)
        }
        return [30, 36, 44].contains { length in
            guard !zone.isEmpty, zone.count % length == 0, zone.count <= length * 3 else {
                return false
            }
            return stride(from: 0, to: zone.count, by: length).contains { start in
                isLine(Array(zone[start..<start + length]))
            }
        }
    }

    private static func isLine(_ line: [UInt8]) -> Bool {
        isNames(line) || hasDates(line) || isCardStart(line)
    }

    /// Whether a text that broke off is a part of a line: of its letters alone, with the dates anywhere,
    /// or two `<` in a row.
    static func isFragment(_ bytes: [UInt8]) -> Bool {
        let zone = bytes.filter { $0 > 0x20 }.map { $0.isLower ? $0 & 0xDF : $0 }
        let filler = UInt8(ascii: "<")
        guard zone.count >= 5, zone.allSatisfy({ $0.isDigit || $0.isUpper || $0 == filler }) else {
            return false
        }
        return zip(zone, zone.dropFirst()).contains { $0 == filler && $1 == filler }
            || "PIACV".utf8.contains(zone[0]) && zone[1] == filler
            || zone.indices.dropLast(14).contains { hasDates(zone, at: $0) }
    }

    /// A name: letters and `<` only, `<<` between or behind the names.
    private static func isNames(_ line: [UInt8]) -> Bool {
        line.allSatisfy { $0.isUpper || $0 == UInt8(ascii: "<") }
            && zip(line, line.dropFirst()).contains {
                $0 == UInt8(ascii: "<") && $1 == UInt8(ascii: "<")
            }
    }

    /// Date of birth, sex and date of expiry, the dates with their check digits: at the start of
    /// an identity card's second line, else behind number and nationality.
    private static func hasDates(_ line: [UInt8]) -> Bool {
        hasDates(line, at: line.count == 30 ? 0 : 13)
    }

    private static func hasDates(_ line: [UInt8], at birth: Int) -> Bool {
        isChecked(line, birth..<birth + 6) && isChecked(line, birth + 8..<birth + 14)
            && "MFX<".utf8.contains(line[birth + 7])
            && line[birth..<birth + 6].allSatisfy { $0.isDigit || $0 == UInt8(ascii: "<") }
    }

    /// An identity card's first line: its kind, the state, and the number with its check digit.
    private static func isCardStart(_ line: [UInt8]) -> Bool {
        line.count == 30 && "IAC".utf8.contains(line[0])
            && line[2..<5].allSatisfy { $0.isUpper || $0 == UInt8(ascii: "<") }
            && isChecked(line, 5..<14)
    }

    /// Whether the digit behind a field is its check digit: weights 7, 3, 1, modulo 10.
    private static func isChecked(_ line: [UInt8], _ field: Range<Int>) -> Bool {
        guard line[field.upperBound].isDigit else { return false }
        let sum = line[field].enumerated().reduce(0) { sum, item in
            let value =
                item.element.isDigit
                ? item.element.digitValue : item.element.isUpper ? Int(item.element) - 55 : 0
            return sum + value * [7, 3, 1][item.offset % 3]
        }
        return sum % 10 == line[field.upperBound].digitValue
    }
}
