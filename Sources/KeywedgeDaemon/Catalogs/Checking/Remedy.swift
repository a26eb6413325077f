import Yams

/// What mends a step that failed.
public struct Remedy: Equatable, Sendable {
    /// What to do, in a sentence or two.
    public var advice: String
    /// The setting to write into the catalog's settings, as YAML lines: beside `preset:` or inside
    /// `http:`; none where no setting helps.
    public var setting: [String]

    /// What to do where no setting helps.
    init(_ advice: String) {
        self.advice = advice
        setting = []
    }

    /// A setting.
    ///
    /// - Parameters:
    ///   - advice: What it is for, and what has to be there beside it.
    ///   - catalog: The catalog's configuration with the setting in it.
    ///   - paths: Where the setting is in it: keys from the top down.
    init(_ advice: String, _ catalog: HTTPCatalogConfiguration, _ paths: [String]...) {
        self.advice = advice
        let node = catalog.node.selecting(paths)
        // libyaml can write whatever it could read, unless memory is out.
        let text = (try? Yams.serialize(node: node, width: -1)) ?? ""
        setting = text.split(separator: "\n").map(String.init)
    }

    /// The remedy as lines.
    var lines: [String] {
        setting.isEmpty
            ? [Quoting.escaped(advice)]
            : [Quoting.escaped(advice) + " Write:"] + setting.map { "    " + $0 }
    }
}

extension Node {
    /// The mapping with nothing but what stands at some paths.
    fileprivate func selecting(_ paths: [[String]]) -> Node {
        guard case .mapping(let mapping) = self else { return self }
        var pairs: [(String, Node?)] = []
        for key in paths.compactMap(\.first) where !pairs.contains(where: { $0.0 == key }) {
            let below = paths.filter { $0.first == key }.map { Array($0.dropFirst()) }
            let value = mapping[key]
            // A path that ends here means all of it.
            pairs.append((key, below.contains([]) ? value : value?.selecting(below)))
        }
        return Node(mapping: pairs)
    }
}
