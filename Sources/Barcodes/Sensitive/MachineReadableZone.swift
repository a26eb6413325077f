/// The machine-readable zones of passports, visas and identity cards (ICAO Doc 9303, parts 3 to 7).
enum MachineReadableZone {
    /// Whether the text consists of 1 to 3 lines of a machine-readable zone.
    static func isLine(_ look: Look) -> Bool {
        guard look.bytes.count >= 30, let zone = zone(look) else { return false }
        return [30, 36, 44].contains { length in
            guard zone.count % length == 0, zone.count <= length * 3 else { return false }
            return stride(from: 0, to: zone.count, by: length).contains { start in
                let line = Array(zone[start..<start + length])
                return hasFillers(line) || hasDates(line, at: length == 30 ? 0 : 13)
            }
        }
    }

    static func isFragment(_ look: Look) -> Bool {
        guard let zone = zone(look), zone.count >= 5 else { return false }
        return hasFillers(zone) || "PIACV".utf8.contains(zone[0]) && zone[1] == filler
            || zone.indices.dropLast(14).contains { hasDates(zone, at: $0) }
    }

    private static let filler = UInt8(ascii: "<")

    /// Removes blanks and turns `;` and `?` (from wrong layouts) into `<`; nil if the text cannot be a zone.
    private static func zone(_ look: Look) -> [UInt8]? {
        let zone = look.folded.filter { $0 > 0x20 }.map { ";?".utf8.contains($0) ? filler : $0 }
        return zone.allSatisfy { $0.isDigit || $0.isUpper || $0 == filler } ? zone : nil
    }

    private static func hasFillers(_ line: [UInt8]) -> Bool {
        zip(line, line.dropFirst()).contains { $0 == filler && $1 == filler }
    }

    /// Whether a date of birth starts at `birth`, followed by a sex and an expiry date.
    private static func hasDates(_ line: [UInt8], at birth: Int) -> Bool {
        isChecked(line, birth..<birth + 6) && isChecked(line, birth + 8..<birth + 14)
            && "MFX<".utf8.contains(line[birth + 7])
            && line[birth..<birth + 6].allSatisfy { $0.isDigit || $0 == filler }
    }

    /// Whether the digit after a field is the field's check digit.
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
