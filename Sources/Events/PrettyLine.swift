/// A formatter that writes each event as one terminal line.
///
/// ```
/// 08:00:00.123  ✓ counter     4006381333931         Fineliner point 88, blue          1.20 EUR
/// 08:00:02.871  ✗ counter     400638                torn: keys were lost (7 keys, at 6)
/// ```
///
/// The columns are local time (with the date on wide terminals or on request), mark, scanner, text, product or problem,
/// and price. If a person must decide what to charge, the reason appears instead of the price. Text that does not fit
/// is cut and ends in `…`; a long price makes the column of the product's name narrower.
struct PrettyLine: Sendable {
    private let isColoured: Bool
    private let timeWidth: Int
    private let scannerWidth: Int
    private let codeWidth: Int
    private let priceWidth: Int
    /// The width that remains for the product's name, the price and the gap between them.
    private let restWidth: Int

    init(isColoured: Bool, width: Int, showsDate: Bool) {
        self.isColoured = isColoured
        timeWidth = width >= 120 ? 23 : showsDate ? 19 : width < 80 ? 8 : 12
        scannerWidth = width < 80 ? 8 : 10
        codeWidth = width < 100 ? 14 : min(20 + (width - 100) / 5, 44)
        priceWidth = width < 100 ? 10 : 12
        restWidth = width - (timeWidth + 2 + 2 + scannerWidth + 2 + codeWidth + 2)
    }

    /// Appends an event as a line for the terminal, without a line feed.
    func append(_ fields: EventFields, to output: inout [UInt8]) {
        var line = TerminalLine(isColoured: isColoured)
        line.add(time(of: fields.event.time), .quiet, limit: timeWidth, gap: 2)
        let (mark, role) = mark(of: fields)
        line.add(mark, role, limit: 1, gap: 1)
        line.add(fields.scanner ?? "", .place, limit: scannerWidth, gap: 2)
        switch fields.event.type {
        case .scan: appendScan(fields, role, to: &line)
        case .scanRejected: appendRejection(fields, to: &line)
        default: appendOther(fields, role, to: &line)
        }
        output.append(contentsOf: line.bytes)
    }

    /// Returns the local time, such as `08:00:00`, cut to the width of its column.
    private func time(of time: EventTime) -> String {
        let (day, clock) = (time.local.date, "\(time.local)".dropFirst(11).prefix(12))
        return String((timeWidth > 12 ? "\(day) \(clock)" : String(clock)).prefix(timeWidth))
    }

    private func mark(of fields: EventFields) -> (String, TerminalLine.Role) {
        switch (fields.event.type, fields.lookup) {
        case (.scan, "found") where fields.text("charge", "reason") == nil: ("✓", .good)
        case (.scan, "found"), (.scan, "not-found"): ("?", .doubtful)
        case (.scan, "failed"), (.scan, "timed-out"): ("!", .bad)
        case (.scanRejected, _): ("✗", .bad)
        default: ("·", .quiet)
        }
    }

    private func appendScan(
        _ fields: EventFields, _ role: TerminalLine.Role, to line: inout TerminalLine
    ) {
        line.add(fields.text ?? "", .strong, limit: codeWidth, gap: 2)
        // If no product was found, the name column already says why.
        let reason = fields.lookup == "found" ? fields.text("charge", "reason") : nil
        let amount = reason.map { "! \($0)" } ?? amount(of: fields)
        let price = Cell(amount, limit: restWidth * 3 / 5)
        let nameWidth = amount.isEmpty ? restWidth : restWidth - max(price.width, priceWidth) - 2
        let end = line.width + nameWidth
        let problems = fields.problems.filter { $0 != reason }
        // Problems take precedence over the name.
        let warning = Cell(
            problems.isEmpty ? "" : "! " + problems.joined(separator: ", "),
            limit: max(0, nameWidth - 10))
        let name = fields.name ?? Self.lookups[fields.lookup ?? ""] ?? "not looked up"
        line.add(
            name, fields.name == nil ? role : .plain,
            limit: warning.width == 0 ? nameWidth : nameWidth - warning.width - 2)
        line.gap(2)
        line.add(warning, .doubtful)
        guard !amount.isEmpty else { return }
        line.gap(end - line.width + 2 + max(0, priceWidth - price.width))
        line.add(price, reason == nil ? .strong : .doubtful)
    }

    /// Returns the amount to charge, with the quantity unless it is one piece, such as `2.40 EUR (2)`.
    ///
    /// If the event has no charge, returns the product's price, or an empty string if the price is unknown.
    private func amount(of fields: EventFields) -> String {
        func charge(_ name: String) -> String? { fields.text("charge", name) }
        if let amount = charge("amount") {
            let isPiece = charge("quantity") == "1" && charge("from") != "label-measure"
            let sold = isPiece ? "" : " (\(words(charge("quantity"), charge("unit"))))"
            return words(amount, charge("currency")) + sold
        }
        guard let price = fields.price else { return "" }
        return words(fields.isPriceStale ? "old" : nil, price, fields.currency)
    }

    private func words(_ words: String?...) -> String {
        words.compactMap(\.self).joined(separator: " ")
    }

    private static let lookups = [
        "found": "product without a name", "not-found": "not in the catalog",
        "failed": "lookup failed", "timed-out": "lookup timed out",
    ]

    private func appendRejection(_ fields: EventFields, to line: inout TerminalLine) {
        line.add(fields.text ?? "", .bad, limit: codeWidth, gap: 2)
        var words = fields.reason.map { Self.reasons[$0] ?? $0 } ?? "rejected"
        if let key = fields.text("key") { words += " \(key)" }
        let places = [
            fields.keystrokes.map { $0 == "1" ? "1 key" : "\($0) keys" },
            fields.text("position").map { "at \($0)" },
        ].compactMap(\.self)
        if !places.isEmpty { words += " (\(places.joined(separator: ", ")))" }
        line.add(words, .bad, limit: restWidth)
    }

    private static let reasons = [
        "torn": "torn: keys were lost", "idle": "idle: no terminator came",
        "too-long": "too long", "too-short": "too short", "unmapped-key": "unmapped key",
        "started-before-grab": "started before the grab",
    ]

    private func appendOther(
        _ fields: EventFields, _ role: TerminalLine.Role, to line: inout TerminalLine
    ) {
        let words = fields.event.type.rawValue.trimmingPrefix("keywedge.").replacing(".", with: " ")
        let text = [String(words), fields.reason].compactMap(\.self).joined(separator: ": ")
        line.add(text, role, limit: codeWidth + 2 + restWidth)
    }
}
