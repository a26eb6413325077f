import Catalog
import WireText
import Yams

extension RequestDeclaration {
    var node: Node {
        var pairs: [(String, Node?)] = [
            (Key.path.rawValue, Node(text: path.template.text)),
            (Key.query.rawValue, Node(fields: query.map { ($0.name, $0.value.text) })),
            (
                Key.headers.rawValue,
                Node(fields: headers.map { ($0.name, $0.value.template.text) })
            ),
        ]
        switch body {
        case nil: break
        case .json(let json): pairs.append((Key.json.rawValue, json.node))
        case .form(let fields):
            let node = Node(mapping: fields.map { ($0.name, Node(text: $0.value.text)) })
            pairs.append((Key.form.rawValue, node))
        case .graphQL(let document, let variables):
            let node = Node(mapping: [
                ("document", Node(text: document.text)), ("variables", variables?.node),
            ])
            pairs.append((Key.graphql.rawValue, node))
        }
        if body != nil { pairs.append((Key.repeatable.rawValue, Node(word: String(isRepeatable)))) }
        return Node(mapping: pairs)
    }
}

extension JSONTemplate {
    var node: Node {
        switch self {
        case .null: Node(word: "null")
        case .bool(let bool): Node(word: String(bool))
        case .number(let number): Node(word: number.literal)
        case .text(let template): Node(text: template.text)
        case .array(let elements): Node(elements.map(\.node), .implicit, .flow)
        case .object(let members):
            Node(members.map { (Node(text: $0.key), $0.value.node) }, .implicit, .flow)
        }
    }
}

extension FollowUp {
    var node: Node {
        let repeated = captured.filter { !$0.repeated.isEmpty }.map {
            ($0.name, Node(texts: $0.repeated.map(\.text)))
        }
        return Node(mapping: [
            (
                Key.with.rawValue,
                Node(mapping: captured.map { ($0.name, Node(texts: $0.places.map(\.description))) })
            ),
            (Key.request.rawValue, request.node),
            (Key.verify.rawValue, repeated.isEmpty ? nil : Node(mapping: repeated)),
            (Key.notFound.rawValue, rules.notFound?.node),
            (Key.failed.rawValue, rules.failed?.node),
            (Key.throttled.rawValue, rules.throttled?.node),
            (Key.messages.rawValue, Node(texts: rules.messages.map(\.description))),
        ])
    }
}

extension AnswerRule {
    var node: Node {
        switch self {
        case .status(let ranges):
            Node(mapping: [(Key.status.rawValue, Self.node(ranges))], .flow)
        case .at(let pointer, let test):
            Node(
                mapping: [(Key.at.rawValue, Node(text: pointer.description)), test.pair], .flow)
        case .all(let rules): Node(mapping: [(Key.all.rawValue, Node(rules.map(\.node)))])
        case .any(let rules): Node(mapping: [(Key.any.rawValue, Node(rules.map(\.node)))])
        }
    }

    private static func node(_ ranges: [ClosedRange<Int>]) -> Node {
        let words = ranges.map { range in
            range.count == 1
                ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }
        return Node(words.map(Node.init(word:)), .implicit, .flow)
    }
}

extension AnswerRule.Test {
    fileprivate var pair: (String, Node?) {
        switch self {
        case .equals(let scalar): (AnswerRule.Key.equals.rawValue, scalar.node)
        case .missing: (AnswerRule.Key.missing.rawValue, Node(word: "true"))
        case .empty: (AnswerRule.Key.empty.rawValue, Node(word: "true"))
        case .present: (AnswerRule.Key.present.rawValue, Node(word: "true"))
        case .prefix(let text): (AnswerRule.Key.prefix.rawValue, Node(text: text))
        }
    }
}

extension JSONScalar {
    fileprivate var node: Node {
        switch self {
        case .null: Node(word: "null")
        case .bool(let bool): Node(word: String(bool))
        case .number(let number): Node(word: number.literal)
        case .text(let text): Node(text: text)
        }
    }
}
