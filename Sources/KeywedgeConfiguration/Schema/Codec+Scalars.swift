import WebAPI
import WireText
import Yams

extension Codec {
    /// Makes a codec for a value that is written as a string.
    ///
    /// `read` returns nil for an invalid string, which is then reported; `write` returns nil to leave the value out.
    static func text(
        _ expected: String, _ schema: JSONObject = .anyText,
        node: @escaping @Sendable (String) -> Node = Node.init(text:),
        read: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String?
    ) -> Self {
        Self(
            read: { $0.value(expected, read) }, write: { write($0).map(node) },
            schema: { _ in schema })
    }

    /// Makes a codec for a string that `read` parses.
    ///
    /// If `read` throws an error, the message shows `explained` and then the error; `explained` defaults to `expected`.
    static func parsed<Failure: Error>(
        _ expected: String, explained: String? = nil,
        _ schema: JSONObject = .anyText,
        node: @escaping @Sendable (String) -> Node = Node.init(text:),
        read: @escaping @Sendable (String) throws(Failure) -> Value,
        write: @escaping @Sendable (Value) -> String
    ) -> Self {
        Self(
            read: { reader in
                guard let text = reader.text(expected) else { return nil }
                do throws(Failure) {
                    return try read(text)
                } catch {
                    return reader.refuse(expected: "\(explained ?? expected) (\(error))")
                }
            },
            write: { node(write($0)) }, schema: { _ in schema })
    }
}

extension Codec<String> {
    static func text(
        _ expected: String, _ schema: JSONObject = .anyText,
        where isRight: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> Self {
        text(expected, schema, read: { isRight($0) ? $0 : nil }, write: { $0 })
    }

    /// Makes a codec for a string that the pattern in `schema` must match from start to end.
    static func text(_ expected: String, matching schema: JSONObject) -> Self {
        text(expected, schema) { text in
            let pattern = schema["pattern"]?.string.flatMap { try? Regex($0) }
            // With the default semantics, the pattern would also match canonically equivalent characters.
            let exact = pattern?.matchingSemantics(.unicodeScalar)
            return exact.map { text.wholeMatch(of: $0) != nil } ?? false
        }
    }

    static let nonEmptyText = text(
        "a text of at least one character", .text(minimum: 1)
    ) { !$0.isEmpty }

    /// A file path; relative paths are resolved against the configuration file's folder.
    static let path = Self(
        read: { $0.filePath() }, write: Node.init(text:),
        schema: { _ in .text(pattern: "^(?!~/)[^\\u0000]*[^/\\u0000]$") })

    /// Makes a codec for a simple name, which needs no escaping in a path or MQTT topic.
    static func name(upTo limit: Int? = nil) -> Self {
        let rest = limit.map { "{0,\($0 - 1)}" } ?? "*"
        return text(
            "a name of a-z, 0-9, \".\", \"_\" and \"-\" that starts with a letter or digit",
            matching: .text(pattern: "^[a-z0-9][a-z0-9._-]\(rest)$"))
    }

    static let webAddress = text(
        "an http or https URL", .string(pattern: "^[Hh][Tt][Tt][Pp][Ss]?://")
    ) { (try? Location($0)) != nil }
}

extension Codec<Unicode.Scalar> {
    /// One Unicode scalar; a letter with a combining accent is invalid.
    static let character = text(
        "one character", .character, read: { $0.onlyScalar }, write: { String($0) })
}

extension String {
    var onlyScalar: Unicode.Scalar? {
        unicodeScalars.count == 1 ? unicodeScalars.first : nil
    }
}

extension Codec<Bool> {
    static let flag = Self(
        read: { $0.unquoted("true or false") { ["true": true, "false": false][$0] } },
        write: { Node(word: String($0)) }, schema: { _ in ["type": "boolean"] })

    /// Makes a codec for a Boolean that is written as `word` if true and left out if false.
    static func only(_ word: String) -> Self {
        text(
            word, .either([word]), node: Node.init(word:),
            read: { $0 == word ? true : nil }, write: { $0 ? word : nil })
    }
}

extension Codec<Int> {
    /// Makes a codec for a whole number in a range, written without quotation marks.
    static func number(in range: ClosedRange<Int>) -> Self {
        number(
            "a whole number from \(range.lowerBound) to \(range.upperBound)",
            [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ], where: range.contains)
    }

    static func number(among numbers: [Int]) -> Self {
        number(
            Words.either(numbers.map(String.init)),
            ["enum": .array(numbers.map { .integer(Int64($0)) })], where: numbers.contains)
    }

    private static func number(
        _ expected: String, _ schema: JSONObject,
        where isRight: @escaping @Sendable (Int) -> Bool
    ) -> Self {
        Self(
            read: { reader in
                reader.unquoted(expected) { text in
                    // This comparison refuses a plus sign and leading zeros.
                    Int(text).flatMap { String($0) == text && isRight($0) ? $0 : nil }
                }
            }, write: { Node(word: String($0)) }, schema: { _ in schema })
    }
}

extension Codec<Duration> {
    static func duration(in range: ClosedRange<Duration>) -> Self {
        let bounds = [range.lowerBound, range.upperBound].map(DurationText.text)
        return Self(
            read: { reader in
                let expected = "a duration such as 500ms or 2s"
                guard let duration = reader.value(expected, DurationText.duration) else {
                    return nil
                }
                return range.contains(duration)
                    ? duration
                    : reader.refuse(expected: "a duration from \(bounds[0]) to \(bounds[1])")
            },
            write: { Node(word: DurationText.text($0)) },
            schema: { _ in
                var schema = JSONObject.string(pattern: DurationText.pattern)
                // A schema cannot compare durations, but it can refuse zero.
                if range.lowerBound > .zero {
                    schema.append("not", .object(["pattern": "^[0.]+[a-z]"]))
                }
                schema.append("$comment", .string("From \(bounds[0]) to \(bounds[1])."))
                return schema
            })
    }
}

extension Codec where Value: CaseIterable & RawRepresentable<String> & Sendable {
    static var choice: Self {
        let words = Value.allCases.map(\.rawValue)
        let expected = Words.either(words)
        return Self(
            read: { reader in
                guard let text = reader.text(expected) else { return nil }
                return Value(rawValue: text)
                    ?? reader.refuse(expected: expected + NearestName.hint(for: text, in: words))
            }, write: { Node(choice: $0.rawValue) }, schema: { _ in .either(words) })
    }
}

/// Functions that read and write durations as in a configuration file: `500ms`, `2s`, `1.5s`.
package enum DurationText {
    /// The units with their lengths in microseconds, longest first.
    private static let units: [(name: String, microseconds: Int64)] = [
        ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000),
        ("ms", 1000), ("us", 1),
    ]

    /// A regular expression (ECMA-262) that every valid duration matches.
    static let pattern =
        "^[0-9]{1,9}(\\.[0-9]{1,9})?(\(units.map(\.name).joined(separator: "|")))$"

    /// Reads a duration such as `1.5s`: a decimal number of at most nine digits on each side of the point, and a unit.
    ///
    /// Returns nil for other strings, fractions of a microsecond, and more microseconds than fit into 64 bits.
    package static func duration(_ text: String) -> Duration? {
        guard let match = text.wholeMatch(of: /([0-9]{1,9})(?:\.([0-9]{1,9}))?([a-z]+)/),
            let unit = units.first(where: { $0.name == match.3 })
        else { return nil }
        let fraction = match.2 ?? ""
        let zeros = String(repeating: "0", count: 9 - fraction.count)
        guard let billionths = Int128("\(match.1)\(fraction)\(zeros)") else { return nil }
        let (microseconds, rest) = (billionths * Int128(unit.microseconds))
            .quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest == 0 ? Int64(exactly: microseconds).map(Duration.microseconds) : nil
    }

    /// Formats a non-negative duration with the unit `s`, `ms` or `us`, such as `1500ms`.
    package static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let unit = units.first {
            microseconds % $0.microseconds == 0 && $0.microseconds <= 1_000_000
        }
        return "\(microseconds / (unit?.microseconds ?? 1))\(unit?.name ?? "us")"
    }
}
