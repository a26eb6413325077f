package import WireText

/// A condition on what a catalog answered.
package indirect enum AnswerRule: Hashable, Sendable {
    /// What stands at a place in the answer.
    package enum Test: Hashable, Sendable {
        /// Exactly this value: the same text, number or word.
        case equals(JSONScalar)
        /// Nothing: the place is not there.
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
    /// The answer is JSON, and something stands, or does not stand, at a place in it.
    case at(JSONPointer, Test)
    /// All of these.
    case all([AnswerRule])
    /// Any of these.
    case any([AnswerRule])

    /// Says whether an answer is so.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - document: The answer as JSON; nil where it is none, and then no rule about a place holds.
    /// - Returns: Whether the condition holds.
    package func holds(status: Int, document: JSONValue?) -> Bool {
        switch self {
        case .status(let ranges): ranges.contains { $0.contains(status) }
        case .at(let pointer, let test):
            document.map { test.holds(for: $0[pointer]) } ?? false
        case .all(let rules): rules.allSatisfy { $0.holds(status: status, document: document) }
        case .any(let rules): rules.contains { $0.holds(status: status, document: document) }
        }
    }
}

extension AnswerRule.Test {
    /// Says whether it holds for what stands at the place, nil for nothing.
    func holds(for value: JSONValue?) -> Bool {
        switch self {
        case .equals(let scalar): value.map(scalar.isSame) ?? false
        case .missing: value == nil
        case .empty: value.map(Self.isEmpty) ?? false
        case .present: value.map { !Self.isEmpty($0) } ?? false
        case .prefix(let prefix):
            value?.string?.lowercased().hasPrefix(prefix.lowercased()) ?? false
        }
    }

    private static func isEmpty(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        case .bool, .integer, .number: false
        }
    }
}
