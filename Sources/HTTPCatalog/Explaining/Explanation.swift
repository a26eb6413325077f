package import Catalog
import WebAPI
import WireText

/// How a lookup arrived at its result: the steps taken in each source.
package struct Explanation: Sendable {
    package struct Source: Sendable {
        package var name: String
        /// The steps in chronological order; empty if the source was not queried or records no steps.
        package var steps: [LookupStep]
        /// The source's answer; nil if it was not queried because an earlier source had the product.
        package var answer: LookupAnswer?
    }

    package var text: String
    package var sources: [Source]
    package var result: LookupResult
    package var took: Duration

    /// Returns a copy with the prices valid at `time`, in microseconds since 1970.
    package func priced(at time: Int64) -> Explanation {
        var explanation = self
        for index in sources.indices {
            guard case .found(let match) = sources[index].answer?.outcome else { continue }
            explanation.sources[index].answer?.outcome = .found(match.priced(at: time))
        }
        explanation.result = result.priced(at: time)
        return explanation
    }

    /// The explanation as lines of text, escaped for a terminal and without secrets.
    package var lines: [String] {
        var lines = [text.quoted(), ""]
        for source in sources { lines += [source.name] + source.lines.map(source.masked) + [""] }
        let text = sources.reduce(result.summary) { $1.masked($0) }
        lines.append(Self.row("result", "\(text), after \(took.text)"))
        return lines.map(Escaping.sentence.escaped)
    }

    fileprivate static func row(_ label: String, _ text: String) -> String {
        "  " + label + String(repeating: " ", count: max(1, 10 - label.count)) + text
    }
}

extension Explanation.Source {
    /// Masks the secrets of the source's requests in `text`, because an answer may repeat them.
    fileprivate func masked(_ text: String) -> String {
        steps.compactMap(\.mask).reduce(text) { $1.applied(to: $0) }
    }

    fileprivate var lines: [String] {
        guard let answer else { return [Explanation.row("not asked", "the product was found")] }
        var lines: [String] = []
        var field: String?
        var request: [String] = []
        for step in steps {
            let last = field
            field = nil
            switch step {
            case .note(let label, let text): lines.append(Explanation.row(label, text))
            case .place(let place):
                field = place.field
                // All places tried for a field share a line.
                if last == field {
                    lines[lines.count - 1] += "; \(place)"
                } else {
                    lines.append(Explanation.row(place.field, "\(place)"))
                }
            case .exchange(let exchange), .token(let exchange):
                lines += [exchange.title] + exchange.lines(after: request)
                request = exchange.requestLines
            }
        }
        return lines + [Explanation.row("answer", answer.text(knowing: lines))]
    }
}

extension Exchange {
    fileprivate var title: String {
        guard attempt > 0 else { return "  token" }
        return redirect == 0 ? "  request \(attempt)" : "  request \(attempt), redirect \(redirect)"
    }

    /// Returns the lines of the exchange; `> the same` replaces a request that equals the previous one.
    fileprivate func lines(after request: [String]) -> [String] {
        let sent = requestLines == request ? ["> the same"] : requestLines
        return (sent + answerLines).map { "    " + $0 }
    }
}

extension LookupAnswer {
    /// Describes the answer in one line, without a failure's reason if `lines` already contain it.
    fileprivate func text(knowing lines: [String]) -> String {
        var parts: [String] =
            switch outcome {
            case .found(let match): ["found \(match.product.text)"]
            case .notFound: ["not found"]
            case .skipped: ["not asked: there is no catalog yet"]
            case .failed(let failure) where lines.contains { $0.hasSuffix(failure.words) }:
                ["failed (\(failure.code.rawValue))"]
            case .failed(let failure): [failure.words]
            }
        if let origin { parts.append(origin.text) }
        if attempts > 0 { parts.append(attempts.counted("request")) }
        if let originalFailure {
            parts.append("instead of a failure: \(originalFailure.reason)")
        }
        return parts.joined(separator: ", ")
    }
}

extension LookupFailure {
    var words: String { "failed (\(code.rawValue)): \(reason)" }
}

extension LookupResult {
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
