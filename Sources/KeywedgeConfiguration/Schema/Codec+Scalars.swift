import WireText
import Yams

extension Codec {
    /// A text that means something.
    ///
    /// - Parameters:
    ///   - expected: What the text is, in words.
    ///   - schema: What it can be.
    ///   - node: Puts it between quotation marks, or not.
    ///   - read: Gives what a text means; nil where that is nothing.
    ///   - write: Gives the text of a value; nil where it is left out.
    /// - Returns: The codec.
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

    /// A text that says itself what is wrong with it.
    ///
    /// - Parameters:
    ///   - expected: What the text is, in words.
    ///   - explained: What it is, ahead of the error; nil for the same words.
    ///   - schema: What it can be.
    ///   - node: Puts it between quotation marks, or not.
    ///   - read: Gives what a text means.
    ///   - write: Gives the text of a value.
    /// - Returns: The codec.
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
                    reader.report(expected: "\(explained ?? expected) (\(error))")
                    return nil
                }
            },
            write: { node(write($0)) }, schema: { _ in schema })
    }
}

extension Codec<String> {
    /// A text that is nothing but a text.
    ///
    /// - Parameters:
    ///   - expected: What the text is, in words.
    ///   - schema: What it can be.
    ///   - isRight: Whether a text is one.
    /// - Returns: The codec.
    static func text(
        _ expected: String, _ schema: JSONObject = .anyText,
        where isRight: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> Self {
        text(expected, schema, read: { isRight($0) ? $0 : nil }, write: { $0 })
    }

    /// A text of at least one character.
    static let nonEmptyText = text(
        "a text of at least one character", .text(minimum: 1)
    ) { !$0.isEmpty }

    /// The path of a file: as it is where absolute, else from the configuration file's folder.
    static let path = Self(
        read: { $0.filePath() }, write: Node.init(text:),
        schema: { _ in .text(pattern: "^(?!~/)[^\\u0000]*[^/\\u0000]$") })
}

extension Codec<Unicode.Scalar> {
    /// A text of one character; what shows as one but is typed as two is two.
    ///
    /// - Parameter expected: What the text is, in words.
    /// - Returns: The codec.
    static func character(_ expected: String = "one character") -> Self {
        text(
            expected, .character, read: { $0.onlyScalar }, write: { String($0) })
    }
}

extension String {
    /// The character of a text that has one and no more.
    var onlyScalar: Unicode.Scalar? {
        unicodeScalars.count == 1 ? unicodeScalars.first : nil
    }
}

extension Codec<Bool> {
    /// `true` or `false`, without quotation marks.
    static let flag = Self(
        read: { $0.unquoted("true or false") { ["true": true, "false": false][$0] } },
        write: { Node(word: String($0)) }, schema: { _ in ["type": "boolean"] })

    /// `true`, for what is otherwise left out.
    static let onlyTrue = text(
        "true", ["enum": [true, "true"]], node: Node.init(word:),
        read: { $0 == "true" ? true : nil }, write: { $0 ? "true" : nil })
}

extension Codec<Int> {
    /// A whole number, without quotation marks.
    ///
    /// - Parameter range: The possible numbers, none below 0.
    /// - Returns: The codec.
    static func number(in range: ClosedRange<Int>) -> Self {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Self(
            read: { reader in
                reader.unquoted(expected) { text in
                    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                        let number = Int(text), String(number) == text, range.contains(number)
                    else { return nil }
                    return number
                }
            },
            write: { Node(word: String($0)) },
            schema: { _ in
                [
                    "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                    "maximum": .integer(Int64(range.upperBound)),
                ]
            })
    }
}

extension Codec<Duration> {
    /// A duration.
    ///
    /// - Parameter range: The possible durations.
    /// - Returns: The codec.
    static func duration(in range: ClosedRange<Duration>) -> Self {
        let bounds = [range.lowerBound, range.upperBound].map(DurationText.text)
        return Self(
            read: { reader in
                let expected = "a duration such as 500ms or 2s"
                guard let duration = reader.value(expected, DurationText.duration) else {
                    return nil
                }
                guard range.contains(duration) else {
                    reader.report(expected: "a duration from \(bounds[0]) to \(bounds[1])")
                    return nil
                }
                return duration
            },
            write: { Node(word: DurationText.text($0)) },
            schema: { _ in
                var schema = JSONObject.string(pattern: DurationText.pattern)
                // A schema cannot compare durations; it can say that there must be some.
                if range.lowerBound > .zero {
                    schema.append("not", .object(["pattern": "^[0.]+[a-z]"]))
                }
                schema.append("$comment", .string("From \(bounds[0]) to \(bounds[1])."))
                return schema
            })
    }
}

extension Codec where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of several words.
    static var choice: Self {
        let words = Value.allCases.map(\.rawValue)
        return text(
            Words.either(words), .either(words), node: Node.init(choice:),
            read: Value.init(rawValue:), write: \.rawValue)
    }
}
