import Catalog
package import WebAPI
import WireText

extension Explanation {
    /// The explanation as lines for people, a block for each source.
    ///
    /// They are safe to print: whatever a catalog or a scan says, no line holds a control character,
    /// a sequence for a terminal, or a secret.
    package var lines: [String] {
        var lines = [text.quoted(), ""]
        for source in sources { lines += [source.name] + source.maskedLines + [""] }
        let text = sources.reduce(result.summary) { $1.masked($0) }
        lines.append(Self.row("result", "\(text), after \(took.text)"))
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
        var request: [String] = []
        var failure: LookupFailure?
        for step in steps {
            if case .understood(let understanding) = step { failure = understanding.failure }
            if case .exchange(let exchange) = step {
                lines += [exchange.title] + exchange.indentedLines(after: request)
                request = exchange.requestLines
                continue
            }
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
        return lines + [Explanation.row("answer", answer.text(after: failure))]
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
        case .token(let exchange?): ["  token"] + exchange.indentedLines(after: [])
        case .token(nil): row("token", "the one that was got before")
        case .exchange(let exchange): [exchange.title] + exchange.indentedLines(after: [])
        case .rule(let reading): row(reading.name.rawValue, reading)
        case .items(let count): row("items", "\(count) in the answer")
        case .verified(let reading): row("verify", reading)
        case .field(let reading): row(reading.field, reading)
        case .understood(let understanding): row("means", understanding)
        case .reloaded(let isChanged):
            row("secrets", isChanged ? "read again: they are others now" : "read again: the same")
        case .waiting(let time): row("wait", time.text)
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

    /// The exchange; a request that is the one before is not shown again.
    fileprivate func indentedLines(after request: [String]) -> [String] {
        let isRepeated = requestLines == request
        return ((isRepeated ? ["> the same"] : requestLines) + answerLines).map { "    " + $0 }
    }
}

extension LookupAnswer {
    /// The answer in a line.
    ///
    /// - Parameter failure: A failure whose reason has been told.
    /// - Returns: The line.
    fileprivate func text(after failure: LookupFailure?) -> String {
        var parts: [String] =
            switch outcome {
            case .found(let match): ["found \(match.product.text)"]
            case .notFound: ["not found"]
            case .skipped: ["not asked: there is no catalog yet"]
            case .failed(failure): ["failed (\(failure?.code.rawValue ?? ""))"]
            case .failed(let failure): ["failed (\(failure.code.rawValue)): \(failure.reason)"]
            }
        if let origin { parts.append(origin.text) }
        if attempts > 0 { parts.append(attempts.counted("request")) }
        if let setback { parts.append("in the place of a failure: \(setback.reason)") }
        return parts.joined(separator: ", ")
    }

}

extension LookupResult {
    /// What became of the lookup, and where; the answers of the sources say the rest.
    fileprivate var summary: String {
        guard let place = catalog ?? failure?.catalog else { return status.rawValue }
        return "\(status.rawValue) in \(place)"
    }
}

extension LookupOrigin {
    fileprivate var text: String {
        switch self {
        case .embedded: "from this box"
        case .network: "from the network"
        case .cache(let age): "kept \(age.text) ago"
        case .stale(let age): "kept \(age.text) ago and perhaps outdated"
        }
    }
}

extension Product {
    fileprivate var text: String {
        ([id.quoted()] + [name?.quoted(), price?.description].compactMap(\.self)).joined(
            separator: " ")
    }
}
