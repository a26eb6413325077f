package import Barcodes
package import Catalog
import WireText

extension CatalogFile: ExplainableSource {
    /// Looks up the product a barcode names, and tells which key found it.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: Does not matter here.
    ///   - observe: Is told of the keys, up to the one that found something.
    /// - Returns: What was found.
    package func explain(
        _ barcode: Barcode, within limit: Duration, observe: @escaping LookupStep.Observer
    ) async -> LookupAnswer {
        answer(for: barcode) { key, match in observe(.note("key", Self.words(key, match))) }
    }

    private static func words(_ key: LookupKey, _ match: Match?) -> String {
        let name = key.gtin.map { "GTIN \($0)" } ?? "text \((key.text ?? "").quoted())"
        guard let match else {
            if case .unique = key { return "\(name): not one product alone has it" }
            return "\(name): not in the catalog"
        }
        let codes = match.codes(under: key).map { $0.quoted() }.joined(separator: ", ")
        return "\(name): found, listed as \(codes)"
    }
}

extension AwaitedCatalog: ExplainableSource {
    /// Looks up the product a barcode names, and tells which key found it.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: Does not matter here.
    ///   - observe: Is told of the keys, where there is a catalog.
    /// - Returns: What was found; skipped while there is no catalog.
    package func explain(
        _ barcode: Barcode, within limit: Duration, observe: @escaping LookupStep.Observer
    ) async -> LookupAnswer {
        guard let catalog = try? opened() else { return await lookup(barcode, within: limit) }
        return await catalog.explain(barcode, within: limit, observe: observe)
    }
}

extension Match {
    /// The products' codes that are found under a key, in the catalog's spelling, each once.
    fileprivate func codes(under key: LookupKey) -> [String] {
        var codes: [String] = []
        for code in candidates.flatMap(\.codes) where !codes.contains(code) {
            let text = key.gtin?.text ?? key.text ?? code
            if code == text || CodeKeys(code).all.contains(text) { codes.append(code) }
        }
        // A text may have been found in other capital and small letters.
        guard codes.isEmpty, let text = key.text?.lowercased() else { return codes }
        return candidates.flatMap(\.codes).filter { $0.lowercased() == text }
    }
}
