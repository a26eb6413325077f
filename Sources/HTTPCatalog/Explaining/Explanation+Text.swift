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
        var field: TriedPlace?
        var request: [String] = []
        var failure: LookupFailure?
        for step in steps {
            if case .meaning(_, let found) = step { failure = found }
            if case .exchange(let exchange) = step {
                lines += [exchange.title] + exchange.indentedLines(after: request)
                request = exchange.requestLines
                continue
            }
            // The places of one field, tried in turn, are one line.
            if case .place(let place) = step {
                if field?.field == place.field, let last = lines.popLast() {
                    lines.append("\(last); \(place)")
                } else {
                    lines.append(Explanation.row(place.field, "\(place)"))
                }
                field = place
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
        case .exchange(let exchange), .token(let exchange): exchange.mask
        default: nil
        }
    }

    /// The step as lines.
    fileprivate var lines: [String] {
        switch self {
        case .note(let label, let text): row(label, text)
        case .token(let exchange): ["  token"] + exchange.indentedLines(after: [])
        case .exchange(let exchange): [exchange.title] + exchange.indentedLines(after: [])
        case .rule(let name, let rule, let status, let document, let holds):
            row(
                name,
                "\(holds ? "yes" : "no"): \(rule.text) ("
                    + rule.facts(status: status, document: document).joined(separator: ", ") + ")")
        case .items(let count): row("items", "\(count) in the answer")
        case .verified(let item, let codes, let asked, let holds):
            row("verify", Self.words(item, codes, asked, holds))
        case .place(let place): row(place.field, "\(place)")
        case .meaning(let text, _): row("means", text)
        }
    }

    private func row(_ label: String, _ text: String) -> [String] { [Explanation.row(label, text)] }

    private static func words(
        _ item: Int, _ codes: [String], _ asked: String, _ holds: Bool
    ) -> String {
        let found =
            codes.isEmpty ? "no code" : codes.prefix(5).map { $0.quoted() }.joined(separator: ", ")
        let more = codes.count > 5 ? " and \(codes.count - 5) more" : ""
        let has = "product \(item) has \(found)\(more)"
        return holds ? "yes: \(has)" : "no: \(has), asked was \(asked.quoted())"
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
        if let originalFailure {
            parts.append("in the place of a failure: \(originalFailure.reason)")
        }
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
