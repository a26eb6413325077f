package import WireText

/// The meaning of the answers to a request.
///
/// The rules are tried in the order throttled, failed, not found. If none applies, an answer is a product
/// if its status is 200 to 299, and an error otherwise. A 404 is an error, too, unless a rule says that it
/// means "no such product": it might as well mean a wrong URL.
package struct AnswerRules: Equatable, Sendable {
    /// When the catalog throttles, in addition to status 429, which always means that.
    package var throttled: AnswerRule?
    /// When the catalog has failed, for services whose status does not say so.
    ///
    /// Statuses 401 and 403 still count as a refusal, and 500 to 599 as an outage.
    package var failed: AnswerRule?
    package var notFound: AnswerRule?
    /// The places of the catalog's error messages, tried before the usual ones; the first string found is used.
    package var messages: [JSONPointer] = []

    package init() {}
}

/// A condition on a catalog's answer.
package indirect enum AnswerRule: Equatable, Sendable {
    package enum Test: Equatable, Sendable {
        /// Exactly this value: the same string or literal, or the same number digit for digit (`1` and `1.0` differ).
        case equals(JSONValue)
        case missing
        /// `null`, an empty string, an empty list or an empty object, but not a missing value.
        case empty
        case present
        /// A string that starts like this, in any letter case.
        case prefix(String)
    }

    case status([ClosedRange<Int>])
    /// The answer is JSON, and the test holds for the value at a place.
    case at(JSONPointer, Test)
    case all([AnswerRule])
    case any([AnswerRule])

    /// Whether the condition holds; a test of a place never does if the answer is not JSON.
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
    /// Whether the test holds for a value; nil means that it is missing.
    fileprivate func holds(for value: JSONValue?) -> Bool {
        switch self {
        case .equals(let expected):
            // Compare as JSON, because Swift considers some different strings equal.
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

    /// The value if it is short, otherwise its kind.
    fileprivate var shortText: String {
        switch self {
        case .null, .bool, .integer, .number: JSONWriter.text(of: self)
        case .string(let text): text.quoted()
        case .array: isEmpty ? "an empty list" : "a list"
        case .object: isEmpty ? "an empty object" : "an object"
        }
    }
}

// Not CustomStringConvertible: the keys of cached answers contain a declaration's default description.
extension AnswerRule {
    /// The rule as text: `status 404 and /status equals 0`.
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

    /// Returns the answer's values at the places that the rule tests, each place once.
    func facts(status: Int, document: JSONValue?) -> [String] {
        switch self {
        case .all(let rules), .any(let rules):
            let facts = rules.flatMap { $0.facts(status: status, document: document) }
            return facts.enumerated().filter { facts.firstIndex(of: $1) == $0 }.map(\.element)
        case .status: return ["status is \(status)"]
        case .at(let pointer, _):
            guard let document else { return ["the answer is not JSON"] }
            return ["\(Self.name(pointer)) is \(document[pointer]?.shortText ?? "missing")"]
        }
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
