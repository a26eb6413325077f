import Yams

extension HTTPCatalogConfiguration {
    /// Some of the settings as YAML lines, to be written beside `preset:` or inside `http:`.
    ///
    /// - Parameter paths: Where the settings are: keys from the top down.
    /// - Returns: The lines.
    package func lines(of paths: [[String]]) -> [String] {
        Self.section.codec.write(self)?.selecting(paths).lines ?? []
    }
}

extension Node {
    /// The mapping with nothing but what stands at some paths.
    fileprivate func selecting(_ paths: [[String]]) -> Node {
        guard case .mapping(let mapping) = self else { return self }
        var pairs: [(Node, Node)] = []
        var keys: Set<String> = []
        for key in paths.compactMap(\.first) where keys.insert(key).inserted {
            guard let value = mapping[key] else { continue }
            let below = paths.filter { $0.first == key }.map { Array($0.dropFirst()) }
            // A path that ends here means all of it.
            pairs.append((Node(key), below.contains([]) ? value : value.selecting(below)))
        }
        return Node(pairs, .implicit, pairs.isEmpty ? .flow : .block)
    }
}
