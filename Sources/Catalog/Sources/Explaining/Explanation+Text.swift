package import WebAPI
import WireText

extension Explanation {
    /// The explanation as lines for people, a block for each source.
    ///
    /// They are safe to print: whatever a catalog or a scan says, no line holds a control character,
    /// a sequence for a terminal, or a secret.
    public var lines: [String] {
        var lines = [text.quoted(), ""]
        for source in sources { lines += [source.name] + source.maskedLines + [""] }
        let text = sources.reduce(result.text) { $1.masked($0) }
        lines.append(Self.row("result", "\(text), after \(took.shortText)"))
        return lines.map(Escaping.sentence.escaped)
    }

    /// A label and what it is about, below the name of a source.
    static func row(_ label: String, _ text: String) -> String {
        let width = 10
        return "  " + label + String(repeating: " ", count: max(1, width - label.count)) + text
    }
}

extension Explanation.Source {
    /// What happened in the source, without secrets that an answer repeats in a field.
    fileprivate var maskedLines: [String] { lines.map(masked) }

    /// A text without the secrets of what was sent to the source.
    fileprivate func masked(_ text: String) -> String {
        steps.compactMap(\.mask).reduce(text) { $1.applied(to: $0) }
    }

    /// What happened in the source, a line each step.
    private var lines: [String] {
        guard let answer else { return [Explanation.row("not asked", "the product was found")] }
        var lines: [String] = []
        var field: FieldReading?
        for step in steps {
            // The places of one field, tried in turn, are one line.
            if case .field(let reading) = step {
                if field?.field == reading.field, let last = lines.popLast() {
                    lines.append("\(last); \(reading)")
                } else {
                    lines.append(Explanation.row(reading.field, "\(reading)"))
                }
                field = reading
            } else {
                field = nil
                lines += step.lines
            }
        }
        return lines + [Explanation.row("answer", answer.text)]
    }
}

extension LookupStep {
    /// What no text about the step shows; nil where nothing was sent.
    package var mask: Redaction? {
        switch self {
        case .exchange(let exchange), .token(let exchange?): exchange.mask
        default: nil
        }
    }

    /// The step as lines.
    fileprivate var lines: [String] {
        switch self {
        case .form(let reading): row("asked as", reading)
        case .kept(let reading): row("cache", reading)
        case .gate(let reading): row("state", reading)
        case .token(let exchange?): ["  token"] + exchange.indentedLines
        case .token(nil): row("token", "the one that was got before")
        case .exchange(let exchange): [exchange.title] + exchange.indentedLines
        case .rule(let reading): row(reading.name.rawValue, reading)
        case .items(let count): row("items", "\(count) in the answer")
        case .verified(let reading): row("verify", reading)
        case .field(let reading): row(reading.field, reading)
        case .understood(let understanding): row("means", understanding)
        case .reloaded(let isChanged):
            row("secrets", isChanged ? "read again: they are others now" : "read again: the same")
        case .waiting(let time): row("wait", time.shortText)
        case .keeping(let reading): row("cache", reading)
        case .key(let reading): row("key", reading)
        }
    }

    private func row(_ label: String, _ text: some CustomStringConvertible) -> [String] {
        [Explanation.row(label, text.description)]
    }
}

extension Exchange {
    fileprivate var title: String {
        redirect == 0 ? "  request \(attempt)" : "  request \(attempt), redirect \(redirect)"
    }

    fileprivate var indentedLines: [String] { lines.map { "    " + $0 } }
}

extension LookupAnswer {
    /// The answer in a line.
    var text: String {
        var parts: [String] =
            switch outcome {
            case .found(let match): ["found \(match.product.text)"]
            case .notFound: ["not found"]
            case .skipped: ["not asked: there is no catalog yet"]
            case .failed(let failure): ["failed (\(failure.code.rawValue)): \(failure.reason)"]
            }
        if let origin { parts.append(origin.text) }
        if attempts > 0 { parts.append(Self.requests(attempts)) }
        if let setback { parts.append("in the place of a failure: \(setback.reason)") }
        return parts.joined(separator: ", ")
    }

    fileprivate static func requests(_ count: Int) -> String {
        count == 1 ? "1 request" : "\(count) requests"
    }
}

extension LookupResult {
    /// The result in a line.
    fileprivate var text: String {
        var parts = [status.rawValue]
        if let match { parts[0] += " \(match.product.text)" }
        if let catalog { parts.append("in \(catalog)") }
        if let origin { parts.append(origin.text) }
        if attempts > 0 { parts.append(LookupAnswer.requests(attempts)) }
        if let failure {
            parts.append("\(failure.catalog) failed (\(failure.failure.code.rawValue))")
        }
        return parts.joined(separator: ", ")
    }
}

extension LookupOrigin {
    fileprivate var text: String {
        switch self {
        case .embedded: "from this box"
        case .network: "from the network"
        case .cache(let age): "kept \(age.shortText) ago"
        case .stale(let age): "kept \(age.shortText) ago and perhaps outdated"
        }
    }
}

extension Product {
    fileprivate var text: String {
        ([id.quoted()] + [name?.quoted(), price?.description].compactMap(\.self)).joined(
            separator: " ")
    }
}
