import Yams

extension HTTPCatalogConfiguration {
    /// Some of the settings as YAML lines, to be written beside `preset:` or inside `http:`.
    ///
    /// - Parameter paths: Where the settings are: keys from the top down.
    /// - Returns: The lines.
    package func lines(of paths: [[String]]) -> [String] {
        // libyaml can write whatever it could read, unless memory is out.
        let text = (try? Yams.serialize(node: node.selecting(paths), width: -1)) ?? ""
        return text.split(separator: "\n").map(String.init)
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
