import WireText

// No CustomStringConvertible: what answers are kept under is made of a rule's own description.
extension AnswerRule {
    /// The rule in words: `status 404 and /status equals 0`.
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

    /// What an answer has where the rule looks, each place once.
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
        case .equals(.null): "equals null"
        case .equals(.bool(let bool)): "equals \(bool)"
        case .equals(.number(let number)): "equals \(number.literal)"
        case .equals(.text(let text)): "equals \(text.quoted())"
        case .missing: "is missing"
        case .empty: "is empty"
        case .present: "is there and not empty"
        case .prefix(let prefix): "starts with \(prefix.quoted())"
        }
    }
}

extension JSONValue {
    /// The value where it is short, else what kind of value it is.
    var shortText: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let number): "\(number)"
        case .number(let number): number.literal
        case .string(let text): text.quoted()
        case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
        case .object(let object): object.members.isEmpty ? "an empty object" : "an object"
        }
    }
}
