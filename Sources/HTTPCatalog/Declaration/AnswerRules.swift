package import WireText

/// What the answers to a request mean.
///
/// The rules are tried in the order throttled, failed, not found. An answer that none of them claims
/// is a product if its status is 200 to 299, and an error otherwise: a 404 in particular is an error
/// unless a rule says that it means "no such product", since it may as well mean a wrong URL.
package struct AnswerRules: Equatable, Sendable {
    /// The catalog throttles, beyond 429, which always says so.
    package var throttled: AnswerRule?
    /// The catalog has failed, above all if the status does not say so.
    ///
    /// With 401 and 403 it still refuses to answer us, and with 500 to 599 it is still out of order.
    package var failed: AnswerRule?
    package var notFound: AnswerRule?
    /// Where the catalog's own words about an error are, tried before the places most services use;
    /// the first text counts.
    package var messages: [JSONPointer] = []

    package init() {}
}

/// A condition on what a catalog answered.
package indirect enum AnswerRule: Equatable, Sendable {
    /// What is at a place in the answer.
    package enum Test: Equatable, Sendable {
        /// Exactly this value: the same text, number (digit for digit: `1` and `1.0` differ) or word.
        case equals(JSONValue)
        /// The place is not there.
        case missing
        /// `null`, an empty text, an empty list or an empty object; not nothing.
        case empty
        /// Something that is not empty.
        case present
        /// A text that starts so, whatever the case of its letters.
        case prefix(String)
    }

    /// A status code in one of these ranges.
    case status([ClosedRange<Int>])
    /// The answer is JSON, and the test holds for what is at a place in it.
    case at(JSONPointer, Test)
    /// All of these.
    case all([AnswerRule])
    /// Any of these.
    case any([AnswerRule])

    /// Says whether the condition holds; without JSON, no rule about a place does.
    package func holds(status: Int, document: JSONValue?) -> Bool {
        switch self {
        case .status(let ranges): ranges.contains { $0.contains(status) }
        case .at(let pointer, let test): document.map { test.holds(for: $0[pointer]) } ?? false
        case .all(let rules): rules.allSatisfy { $0.holds(status: status, document: document) }
        case .any(let rules): rules.contains { $0.holds(status: status, document: document) }
        }
    }
}

extension AnswerRule.Test {
    /// Says whether the test holds for a value, nil for nothing.
    fileprivate func holds(for value: JSONValue?) -> Bool {
        switch self {
        case .equals(let expected):
            // As JSON, since texts that look the same are equal in Swift.
            value.map {
                JSONWriter.text(of: $0).utf8.elementsEqual(JSONWriter.text(of: expected).utf8)
            } ?? false
        case .missing: value == nil
        case .empty: value?.isEmpty ?? false
        case .present: value.map { !$0.isEmpty } ?? false
        case .prefix(let prefix):
            value?.string?.lowercased().hasPrefix(prefix.lowercased()) ?? false
        }
    }
}

extension JSONValue {
    fileprivate var isEmpty: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        case .bool, .integer, .number: false
        }
    }

    /// The value if it is short, else what kind of value it is.
    fileprivate var shortText: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let number): "\(number)"
        case .number(let number): number.literal
        case .string(let text): text.quoted()
        case .array: isEmpty ? "an empty list" : "a list"
        case .object: isEmpty ? "an empty object" : "an object"
        }
    }
}

// No CustomStringConvertible: an answer is kept under a declaration's own description.
extension AnswerRule {
    /// The rule in words, as in `status 404 and /status equals 0`.
    var text: String { text(inside: false) }

    private func text(inside: Bool) -> String {
        switch self {
        case .status(let ranges):
            return "status "
                + ranges.map {
                    $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
                }.joined(separator: " or ")
        case .at(let pointer, let test): return "\(Self.name(pointer)) \(test.words)"
        case .all(let rules): return Self.joined(rules, " and ", inside)
        case .any(let rules): return Self.joined(rules, " or ", inside)
        }
    }

    private static func joined(_ rules: [AnswerRule], _ word: String, _ inside: Bool) -> String {
        let text = rules.map { $0.text(inside: rules.count > 1) }.joined(separator: word)
        return inside && rules.count > 1 ? "(\(text))" : text
    }

    /// What an answer has at the places the rule looks at, each place once.
    func facts(status: Int, document: JSONValue?) -> [String] {
        var facts: [String] = []
        collect(status, document, into: &facts)
        return facts
    }

    private func collect(_ status: Int, _ document: JSONValue?, into facts: inout [String]) {
        let fact: String
        switch self {
        case .all(let rules), .any(let rules):
            for rule in rules { rule.collect(status, document, into: &facts) }
            return
        case .status: fact = "status is \(status)"
        case .at(let pointer, _):
            fact =
                document.map { "\(Self.name(pointer)) is \($0[pointer]?.shortText ?? "missing")" }
                ?? "the answer is no JSON"
        }
        if !facts.contains(fact) { facts.append(fact) }
    }

    private static func name(_ pointer: JSONPointer) -> String {
        pointer.tokens.isEmpty ? "the answer" : pointer.description
    }
}

extension AnswerRule.Test {
    fileprivate var words: String {
        switch self {
        case .equals(let value): "equals \(value.shortText)"
        case .missing: "is missing"
        case .empty: "is empty"
        case .present: "is there and not empty"
        case .prefix(let prefix): "starts with \(prefix.quoted())"
        }
    }
}
