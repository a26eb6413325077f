/// A message of fields with data identifiers, as on distributors' labels and medicines.
///
/// It consists of `[)>`, RS, `06`, the fields (each preceded by GS), RS and EOT. Keyboard scanners type other
/// characters for RS and GS. The header shows which, because RS always follows `[)>`, and GS always follows `06`.
///
/// Rule: ISO/IEC 15434, format 06.
struct DataMessage: Hashable, Sendable {
    /// The fields in the order of the message; empty if the separators were lost.
    private(set) var fields: [DataField] = []
    private(set) var hasLostSeparators = false
    /// Whether the separators were typed as the letters RS and GS, which may also occur in values.
    private(set) var hasLettersAsSeparators = false

    /// Parses a message, even after an extra `>` (as on Mouser's labels); nil for any other text.
    init?(_ text: String) {
        var rest = Substring(text)
        if rest.hasPrefix(">") { rest = rest.dropFirst() }
        guard rest.hasPrefix("[)>") else { return nil }
        rest = rest.dropFirst(3)
        guard let record = Self.separator(of: &rest, before: { $0.hasPrefix("06") }) else {
            return nil
        }
        rest = rest.dropFirst(2)
        guard let group = Self.separator(of: &rest, before: { DataField(element: $0) != nil })
        else { return nil }
        guard !group.isEmpty else {
            hasLostSeparators = true
            return
        }
        hasLettersAsSeparators = group == "GS"
        if hasLettersAsSeparators {
            for end in ["EOT", "RS"] where rest.hasSuffix(end) { rest.removeLast(end.count) }
        } else {
            let marks = [record, "\u{1E}", "\u{4}"].filter { !$0.isEmpty && $0 != group }
            let ends = marks.compactMap { rest.firstRange(of: $0)?.lowerBound }
            rest = rest[..<(ends.min() ?? rest.endIndex)]
        }
        readFields(rest, separator: group)
    }

    private mutating func readFields(_ text: Substring, separator: Substring) {
        for element in text.split(separator: separator) {
            if let field = DataField(element: element) {
                fields.append(field)
            } else if hasLettersAsSeparators, let last = fields.popLast() {
                // The letters GS before this element are part of the previous value.
                let whole = (last.identifier ?? "") + last.value + separator + element
                fields += [DataField(element: whole)].compactMap(\.self)
            } else {
                fields.append(DataField(nil, element))
            }
        }
    }

    /// Removes the separator, which may be empty, from the start of `rest` and returns it; nil if no separator fits.
    ///
    /// A separator fits if `isNext` accepts the text after it. If several fit, the longest one is chosen.
    private static func separator(
        of rest: inout Substring, before isNext: (Substring) -> Bool
    ) -> Substring? {
        for length in (0...longestName).reversed() where length == 0 || isName(rest.prefix(length))
        {
            let next = rest.dropFirst(length)
            guard isNext(next) else { continue }
            defer { rest = next }
            return rest.prefix(length)
        }
        return nil
    }

    private static let longestName = 6

    /// Whether text can stand for RS or GS, as `<GS>`, `\x1d` and `|` do.
    private static func isName(_ text: Substring) -> Bool {
        guard let mark = text.first, !mark.isLetter, !mark.isNumber else {
            return text == "RS" || text == "GS"
        }
        let name = text.dropFirst().lowercased()
        let isClosed = name.last.map { ">}])_;".contains($0) } ?? true
        return name.isEmpty || names.contains(name)
            || isClosed && names.contains(String(name.dropLast()))
    }

    private static let names = [
        "gs", "rs", "]", "^", "x1d", "x1e", "u001d", "u001e", "0x1d", "0x1e", "1d", "1e", "d029",
        "d030", "029", "030", "035", "036",
    ]
}

extension BarcodeDecoder {
    func dataMessage(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard let message = DataMessage(scanned.text) else { return nil }
        var reading = Reading(.mh10, symbology: aim?.symbology)
        reading.fields = message.fields
        if message.hasLostSeparators || message.hasLettersAsSeparators {
            let (what, got) =
                message.hasLostSeparators
                ? ("run together", "none") : ("have letters between them", "RS and GS spelled out")
            reading.problems.append(
                Problem(
                    .warning, .fnc1MissingSuspect, "The fields of the label \(what)",
                    expected: "RS after \"[)>\" and GS between the fields",
                    got: got + ". Set the scanner to send control characters"))
        }
        for field in message.fields where ["8P", "9N"].contains(field.identifier) {
            let isPPN = field.identifier == "9N"
            if isPPN ? PZN.isPPN(field.value) : (try? GTIN(field.value)) != nil {
                reading.checkDigit = reading.checkDigit ?? .valid
                if isPPN { reading.number = PZN(code: field.value)?.digits ?? field.value }
                if !isPPN { reading.gtin = try? GTIN(field.value) }
            } else {
                reading.checkDigit = .invalid
                reading.problems.append(.wrongCheck(.wrongCheckDigit, of: field.value))
            }
        }
        return reading
    }
}
