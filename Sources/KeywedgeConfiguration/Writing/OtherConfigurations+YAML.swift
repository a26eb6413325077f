import Barcodes
import Yams

extension BarcodeDecoder.Settings {
    var node: Node {
        let patterns = inStorePatterns.map { Node(text: $0.text) }
        return Node(mapping: [
            (Key.region.rawValue, region.map { Node(word: $0.rawValue) }),
            (Key.inStore.rawValue, patterns.isEmpty ? nil : Node(patterns)),
            (Key.eightDigits.rawValue, Node(word: ambiguousEightDigits.rawValue)),
        ])
    }
}

extension CatalogConfiguration {
    var node: Node {
        Node(mapping: [
            (Key.sources.rawValue, Node(sources.map(Self.node))),
            (Key.currency.rawValue, currency.map(Node.init(text:))),
            (Key.deadline.rawValue, Node(word: DurationText.text(deadline))),
            (Key.answers.rawValue, answers.map(Node.init(text:))),
        ])
    }

    private static func node(_ source: Source) -> Node {
        switch source {
        case .embedded(let path):
            Node(mapping: [(SourceKey.embedded.rawValue, Node(text: path))])
        case .http(let catalog): Node(mapping: [(SourceKey.http.rawValue, catalog.node)])
        }
    }
}

extension SinkConfiguration {
    var node: Node {
        switch self {
        case .stdout(let format):
            let settings = [(StdoutKey.format.rawValue, format.map { Node(word: $0.rawValue) })]
            return Node(mapping: [(Key.stdout.rawValue, Node(mapping: settings))])
        }
    }
}
