import Catalog
import WireText
import Yams

extension ProductMapping {
    var node: Node {
        let attributes = attributes.map { ($0.name, Node(sources: $0.sources)) }
        return Node(mapping: [
            (Key.items.rawValue, items.map { Node(text: $0.description) }),
            (Key.id.rawValue, Node(sources: id)),
            (Key.codes.rawValue, Node(places: codes)),
            (Key.name.rawValue, Node(sources: name)),
            (Key.price.rawValue, price?.node),
            (Key.unit.rawValue, Node(sources: unit)),
            (Key.attributes.rawValue, attributes.isEmpty ? nil : Node(mapping: attributes)),
            (Key.verify.rawValue, verify?.node),
        ])
    }
}

extension PriceRule {
    var node: Node {
        var pairs: [(String, Node?)] = [
            (Key.amount.rawValue, Node(texts: amount.map(\.text)))
        ]
        switch notation {
        case .decimal: break
        case .minorUnits: pairs.append((Key.minorUnits.rawValue, Node(word: "true")))
        case .scaled(let decimals):
            pairs.append((Key.decimals.rawValue, Node(word: String(decimals))))
        }
        pairs.append((Key.currency.rawValue, Node(sources: currency)))
        return Node(mapping: pairs)
    }
}

extension JoinedPlace {
    fileprivate var node: Node {
        Node(
            mapping: [
                (Key.each.rawValue, Node(text: list.text)),
                (Key.key.rawValue, Node(text: key.description)),
                (Key.reference.rawValue, Node(text: reference.text)),
                (Key.take.rawValue, Node(text: taken.description)),
            ], .flow)
    }
}

extension VerifyRule {
    var node: Node {
        Node(mapping: [
            (Key.codes.rawValue, Node(places: codes)),
            (Key.otherwise.rawValue, Node(word: otherwise.rawValue)),
            (Key.every.rawValue, needsEveryPlace ? Node(word: "true") : nil),
        ])
    }
}

extension CodeRules {
    var node: Node {
        Node(mapping: [
            (Key.ask.rawValue, Node(forms.map { Node(word: $0.name) }, .implicit, .flow)),
            (Key.characters.rawValue, Node(word: characters.rawValue)),
            (Key.maximumLength.rawValue, Node(word: String(maximumLength))),
        ])
    }
}

extension Node {
    /// Where a field comes from; nil for nowhere.
    fileprivate init?(sources: [FieldSource]) {
        guard !sources.isEmpty else { return nil }
        let nodes = sources.map { source -> Node in
            switch source {
            case .place, .constant: Node(text: source.text)
            case .joined(let place): place.node
            }
        }
        self.init(nodes, .implicit, .flow)
    }

    /// Where codes are; nil for nowhere.
    fileprivate init?(places: [CodePlace]) {
        guard !places.isEmpty else { return nil }
        let nodes = places.map { place in
            guard let element = place.element else { return Node(text: place.place.text) }
            return Node(
                mapping: [
                    (CodePlace.Key.each.rawValue, Node(text: place.place.text)),
                    (CodePlace.Key.take.rawValue, Node(text: element.description)),
                ], .flow)
        }
        self.init(nodes, .implicit, .flow)
    }
}
