package import HummingbirdCore
import WireText

/// The parameters in a request's query.
///
/// An unknown parameter is an error, because a request with a misspelt name would otherwise get the wrong answer.
package struct QueryParameters {
    private var values: [String: String] = [:]

    /// Parses a request's query; throws for an unknown, repeated or badly encoded parameter.
    package init(of request: Request, _ names: String...) throws(ProblemDetails) {
        let parts = (request.uri.query ?? "").utf8.split(separator: UInt8(ascii: "&"))
        for part in parts {
            let pair = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.strictlyDecoded(Substring(pair[0]), plusIsSpace: true),
                let value = pair.count == 1
                    ? "" : PercentEncoding.strictlyDecoded(Substring(pair[1]), plusIsSpace: true)
            else { throw .undecodable("query") }
            guard names.contains(name) else { throw .unknownParameter(name, known: names) }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .parameter(name, expected: "one value", found: "several")
            }
        }
    }

    /// Returns a parameter's value of 1 to `limit` characters; nil if the parameter is missing.
    package func text(_ name: String, limit: Int) throws(ProblemDetails) -> String? {
        guard let text = values[name] else { return nil }
        let length = text.unicodeScalars.count
        guard (1...limit).contains(length) else {
            throw .parameter(name, expected: "1 to \(limit) characters", found: "\(length)")
        }
        return text
    }

    /// Returns a parameter's value, an integer in `range`; nil if the parameter is missing.
    package func integer<Number: FixedWidthInteger>(
        _ name: String, _ range: ClosedRange<Number>
    ) throws(ProblemDetails) -> Number? {
        guard let text = values[name] else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let number = Number(text), range.contains(number) else {
            throw .parameter(
                name,
                expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
                quoting: text)
        }
        return number
    }
}
