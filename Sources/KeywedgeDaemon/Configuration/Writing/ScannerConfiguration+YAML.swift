import EvdevInput
import Keystrokes
import Yams

extension ScannerConfiguration {
    var node: Node {
        let ends = terminators.isEmpty ? [Node(word: "none")] : terminators.map(\.node)
        let meanings = keys.sorted { $0.key.rawValue < $1.key.rawValue }
        return Node(mapping: [
            (Key.name.rawValue, Node(text: name)),
            (Key.match.rawValue, match.node),
            (Key.layout.rawValue, Node(word: layout)),
            (Key.terminators.rawValue, Node(ends, .implicit, .flow)),
            (Key.idleTimeout.rawValue, Node(word: DurationText.text(idleTimeout))),
            (Key.length.rawValue, lengthNode),
            (Key.prefix.rawValue, Node(text: prefix)),
            (Key.suffix.rawValue, Node(text: suffix)),
            (Key.aim.rawValue, Node(word: String(aim))),
            (Key.keys.rawValue, Node(mapping: meanings.map { ($0.key.name, $0.value.node) })),
        ])
    }

    private var lengthNode: Node {
        let bounds = [(LengthBounds.Key.min, length.lowerBound), (.max, length.upperBound)]
        return Node(mapping: bounds.map { ($0.rawValue, Node(word: String($1))) }, .flow)
    }
}

extension DeviceMatch {
    var node: Node {
        Node(mapping: [
            (Key.vendor.rawValue, vendor.map { Node(text: $0.fourHexDigits) }),
            (Key.product.rawValue, product.map { Node(text: $0.fourHexDigits) }),
            (Key.name.rawValue, name.map { Node(text: $0.pattern) }),
            (Key.path.rawValue, path.map(Node.init(text:))),
            (Key.phys.rawValue, phys.map(Node.init(text:))),
            (Key.uniq.rawValue, uniq.map(Node.init(text:))),
        ])
    }
}

extension TerminatorConfiguration {
    var node: Node {
        switch self {
        case .enter: Node(word: "enter")
        case .tab: Node(word: "tab")
        case .escape: Node(word: "esc")
        case .character(let character): Node(text: String(character))
        case .key(let key): Node(word: key.name)
        }
    }
}

extension KeyConfiguration {
    var node: Node {
        switch self {
        case .character(let character): Node(text: String(character))
        case .ignore: Node(word: "ignore")
        case .terminator: Node(word: "terminator")
        }
    }
}
