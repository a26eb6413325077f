import WireText

/// The parameters in a request's query, read strictly: what is not known is an error, since a name
/// mistyped would ask for something else.
package struct Parameters {
    private var values: [String: String] = [:]

    /// Reads a query.
    ///
    /// - Parameters:
    ///   - query: What stands behind the question mark, as it is encoded.
    ///   - names: The parameters there are.
    /// - Throws: The problem with it.
    package init(_ query: Substring?, names: [String]) throws(ProblemDetails) {
        let parts = (query ?? "").utf8.split(separator: UInt8(ascii: "&"))
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

    /// A text; nil where it is not given.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - limit: How many characters it may have; it has at least one.
    /// - Returns: The text.
    /// - Throws: The problem with it.
    package func text(_ name: String, limit: Int) throws(ProblemDetails) -> String? {
        guard let text = values[name] else { return nil }
        let length = text.unicodeScalars.count
        guard (1...limit).contains(length) else {
            throw .parameter(
                name, expected: "1 to \(limit) characters", found: "\(length)")
        }
        return text
    }

    /// A whole number; nil where it is not given.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - range: What it may be.
    /// - Returns: The number.
    /// - Throws: The problem with it.
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
