import EvdevInput
import KeyLayouts
import Keystrokes
import Yams

extension ScannerConfiguration {
    var node: Node {
        let meanings = keys.sorted { $0.key.rawValue < $1.key.rawValue }
        return Node(mapping: [
            (Key.name.rawValue, Node(text: name)),
            (Key.match.rawValue, match.node),
            (Key.layout.rawValue, Node(word: layout.layout.description)),
            (Key.caps.rawValue, Node(word: caps.rawValue)),
            (Key.altNumpad.rawValue, Node(word: String(altNumpad))),
            (Key.unicodeEntry.rawValue, Node(word: String(unicodeEntry))),
            (Key.start.rawValue, Self.node(of: start)),
            (Key.terminators.rawValue, Self.node(of: terminators)),
            (Key.terminatorPause.rawValue, Node(word: DurationText.text(terminatorPause))),
            (Key.idleTimeout.rawValue, Node(word: DurationText.text(idleTimeout))),
            (Key.length.rawValue, lengthNode),
            (Key.encoding.rawValue, Node(word: encoding.rawValue)),
            (Key.prefix.rawValue, Node(text: prefix)),
            (Key.suffix.rawValue, Node(text: suffix)),
            (Key.aim.rawValue, Node(word: String(aim))),
            (Key.codeIdentifiers.rawValue, codeIdentifiers.node),
            (Key.controlNames.rawValue, controlNamesNode),
            (Key.substitutes.rawValue, substitutesNode),
            (Key.keys.rawValue, Node(mapping: meanings.map { ($0.key.name, $0.value.node) })),
        ])
    }

    private static func node(of ends: [TerminatorConfiguration]) -> Node {
        Node(ends.isEmpty ? [Node(word: "none")] : ends.map(\.node), .implicit, .flow)
    }

    private var lengthNode: Node {
        let bounds = [(LengthBounds.Key.min, length.lowerBound), (.max, length.upperBound)]
        return Node(mapping: bounds.map { ($0.rawValue, Node(word: String($1))) }, .flow)
    }

    private var controlNamesNode: Node {
        guard !controlNames.isEmpty else { return Node(word: "none") }
        return Node(controlNames.map { Node(word: $0.rawValue) }, .implicit, .flow)
    }

    private var substitutesNode: Node {
        Node(
            texts: substitutes.sorted { $0.key < $1.key }.map { (String($0.key), String($0.value)) }
        )
    }
}

extension CodeIdentifierConfiguration {
    var node: Node {
        switch self {
        case .none: Node(word: "none")
        case .zebra: Node(word: "zebra")
        case .datalogic: Node(word: "datalogic")
        case .custom(let meanings):
            Node(texts: meanings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
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
