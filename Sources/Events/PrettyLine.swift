/// Lays an event out as one line of a terminal.
///
/// ```
/// 08:00:00.123  ✓ counter     4006381333931         Fineliner point 88, blue          1.20 EUR
/// 08:00:02.871  ✗ counter     400638                torn: keys were lost (7 keys, at 6)
/// ```
///
/// Columns: time in UTC, a mark, scanner, text, product or what went wrong, price. What does not
/// fit is cut with `…`; a price takes room from the name before it is cut.
struct PrettyLine: Sendable {
    let palette: Palette
    private let timeWidth: Int
    private let scannerWidth: Int
    private let codeWidth: Int
    private let priceWidth: Int
    /// What is left for the name and the price, with the two spaces between them.
    private let restWidth: Int

    init(palette: Palette, width: Int) {
        self.palette = palette
        timeWidth = width < 80 ? 8 : width < 120 ? 12 : 23
        scannerWidth = width < 80 ? 8 : 10
        codeWidth = width < 100 ? 14 : min(20 + (width - 100) / 5, 44)
        priceWidth = width < 100 ? 10 : 12
        restWidth = width - (timeWidth + 2 + 2 + scannerWidth + 2 + codeWidth + 2)
    }

    /// Appends the line, without its end.
    func append(_ fields: EventFields, to output: inout [UInt8]) {
        var line = TerminalLine(palette: palette)
        line.add(time(of: fields.event.time), .quiet, limit: timeWidth)
        line.gap(2)
        let (mark, role) = mark(of: fields)
        line.add(mark, role, limit: 1)
        line.gap(1)
        line.add(fields.scanner ?? "", .place, limit: scannerWidth, pad: true)
        line.gap(2)
        switch fields.event.type {
        case .scan: appendScan(fields, role, to: &line)
        case .scanRejected: appendRejection(fields, to: &line)
        default: appendOther(fields, role, to: &line)
        }
        output.append(contentsOf: line.bytes)
    }

    /// The end of the RFC 3339 text that the width has room for.
    private func time(of time: EventTime) -> String {
        let text = time.description.utf8
        let day = String(decoding: text.prefix(10), as: UTF8.self)
        let clock = String(decoding: text.dropFirst(11).prefix(12), as: UTF8.self)
        return timeWidth > 12 ? "\(day) \(clock)" : String(clock.prefix(timeWidth))
    }

    private func mark(of fields: EventFields) -> (String, Palette.Role) {
        switch (fields.event.type, fields.lookup) {
        case (.scan, "found"): ("✓", .good)
        case (.scan, "not-found"): ("?", .doubtful)
        case (.scan, "failed"), (.scan, "timed-out"): ("!", .bad)
        case (.scanRejected, _): ("✗", .bad)
        default: ("·", .quiet)
        }
    }

    private func appendScan(
        _ fields: EventFields, _ role: Palette.Role, to line: inout TerminalLine
    ) {
        line.add(fields.text ?? "", .strong, limit: codeWidth, pad: true)
        line.gap(2)
        let amount = amount(of: fields)
        let price = Cell(amount, limit: restWidth / 2)
        let nameWidth = amount.isEmpty ? restWidth : restWidth - max(price.width, priceWidth) - 2
        let end = line.width + nameWidth
        let (name, nameRole) = name(of: fields, role)
        appendName(name, nameRole, problems: fields.problems, width: nameWidth, to: &line)
        guard !amount.isEmpty else { return }
        line.gap(end - line.width + 2 + max(0, priceWidth - price.width))
        line.add(price, .strong)
    }

    /// What to charge, or else the product's price with why it is not the charge.
    private func amount(of fields: EventFields) -> String {
        if let charge = fields.text("charge", "amount") {
            return [charge, fields.text("charge", "currency")].compactMap(\.self)
                .joined(separator: " ")
        }
        guard let price = fields.price else { return "" }
        let mark = fields.isPriceStale ? "old" : nil
        let unit =
            fields.text("charge", "reason") == "measure"
            ? fields.text("product", "unit").map { "/ \($0)" } : nil
        return [mark, price, fields.currency, unit].compactMap(\.self).joined(separator: " ")
    }

    /// The product's name, or why there is none.
    private func name(of fields: EventFields, _ role: Palette.Role) -> (String, Palette.Role) {
        if let name = fields.name { return (name, .plain) }
        return switch fields.lookup {
        case "found": ("product without a name", role)
        case "not-found": ("not in the catalog", role)
        case "failed": ("lookup failed", role)
        case "timed-out": ("lookup timed out", role)
        default: ("not looked up", role)
        }
    }

    /// Puts problems behind the name, which gives way: a wrong code matters more than a full name.
    private func appendName(
        _ name: String, _ role: Palette.Role, problems: [String], width: Int,
        to line: inout TerminalLine
    ) {
        guard !problems.isEmpty else {
            line.add(name, role, limit: width)
            return
        }
        let warning = Cell("! " + problems.joined(separator: ", "), limit: max(0, width - 10))
        line.add(name, role, limit: width - warning.width - 2)
        line.gap(2)
        line.add(warning, .doubtful)
    }

    private func appendRejection(_ fields: EventFields, to line: inout TerminalLine) {
        line.add(fields.text ?? "", .bad, limit: codeWidth, pad: true)
        line.gap(2)
        var words = Self.words(for: fields.reason)
        if let key = fields.text("key") { words += " \(key)" }
        let places = [
            fields.keystrokes.map { $0 == "1" ? "1 key" : "\($0) keys" },
            fields.text("position").map { "at \($0)" },
        ].compactMap { $0 }
        if !places.isEmpty { words += " (\(places.joined(separator: ", ")))" }
        line.add(words, .bad, limit: restWidth)
    }

    private static func words(for reason: String?) -> String {
        switch reason {
        case "torn": "torn: keys were lost"
        case "idle": "idle: no terminator came"
        case "too-long": "too long"
        case "too-short": "too short"
        case "unmapped-key": "unmapped key"
        case "started-before-grab": "started before the grab"
        case let reason?: reason
        case nil: "rejected"
        }
    }

    /// Events that are no scan: the type in words, and the reason where one is given.
    private func appendOther(
        _ fields: EventFields, _ role: Palette.Role, to line: inout TerminalLine
    ) {
        let type = fields.event.type.rawValue
        let prefix = "keywedge."
        let words = String(type.hasPrefix(prefix) ? type.dropFirst(prefix.count)[...] : type[...])
            .map { $0 == "." ? " " : $0 }
        let text = [String(words), fields.reason].compactMap { $0 }.joined(separator: ": ")
        line.add(text, role, limit: codeWidth + 2 + restWidth)
    }
}
