package import WireText

/// Rules that determine what a catalog's answer means.
///
/// The rules are tried in this order: `throttled`, `failed`, `notFound`. If none applies, an answer with a status from
/// 200 to 299 contains a product. Any other answer is an error, even a 404, which might be due to a wrong URL.
package struct AnswerRules: Equatable, Sendable {
    /// The rule that recognises throttling; an answer with status 429 always counts as throttling.
    package var throttled: AnswerRule?
    /// The rule for answers that report a failure.
    package var failed: AnswerRule?
    package var notFound: AnswerRule?
    /// Where to look for the catalog's error message, in this order.
    package var messages: [JSONPointer] = []

    package init() {}
}

package indirect enum AnswerRule: Equatable, Sendable {
    package enum Test: Equatable, Sendable {
        /// The value is exactly this one, with numbers compared digit for digit: `1` and `1.0` differ.
        case equals(JSONValue)
        case missing
        /// The value is `null`, `""`, `[]` or `{}`, but not missing.
        case empty
        case present
        /// The value is a string that starts with this prefix, ignoring case.
        case prefix(String)
    }

    case status([ClosedRange<Int>])
    /// The answer is JSON, and the value at this pointer passes the test.
    case at(JSONPointer, Test)
    case all([AnswerRule])
    case any([AnswerRule])

    /// Whether the rule applies to an answer; `document` is nil if the answer is not JSON.
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
    /// Whether `value` passes this test; nil stands for a missing value.
    fileprivate func holds(for value: JSONValue?) -> Bool {
        switch self {
        case .equals(let expected):
            // Compare the JSON in UTF-8, because Swift considers canonically equivalent strings equal.
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

    fileprivate var shortText: String {
        switch self {
        case .null, .bool, .integer, .number: JSONWriter.text(of: self)
        case .string(let text): text.quoted()
        case .array: isEmpty ? "an empty list" : "a list"
        case .object: isEmpty ? "an empty object" : "an object"
        }
    }
}

// Not CustomStringConvertible: another description would change the keys of all cached answers, which contain it.
extension AnswerRule {
    /// The rule as text, such as `status 404 and /status equals 0`.
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

    /// Describes the tested values in the answer, for example `/items is missing`.
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
