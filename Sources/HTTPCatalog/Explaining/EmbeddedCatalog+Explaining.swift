package import Barcodes
package import Catalog
import WireText

extension EmbeddedCatalog: ExplainableSource {
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
        let answer = await lookup(barcode, within: limit)
        guard case .failed = answer.outcome else {
            for words in Self.words(barcode, answer) { observe(.note("key", words)) }
            return answer
        }
        return answer
    }

    /// The keys a barcode is looked up under, in order, up to the one that gave the answer, and what
    /// each found.
    private static func words(_ barcode: Barcode, _ answer: LookupAnswer) -> [String] {
        let whole = barcode.inStore == nil ? nil : barcode.gtin
        var gtins = [barcode.lookupGTIN].compactMap(\.self).map(\.text)
        // An in-store code without an item of its own is looked up under the same number twice.
        if let whole = whole?.text, !gtins.contains(whole) { gtins.append(whole) }
        var match: Match?
        if case .found(let found) = answer.outcome { match = found }
        var words: [String] = []
        for gtin in gtins {
            let codes = match?.key == .gtin ? match.map { $0.codes(under: gtin) } ?? [] : []
            words.append(Self.words("GTIN \(gtin)", found: codes))
            if !codes.isEmpty { return words }
        }
        let codes = match.map { $0.candidates.flatMap(\.codes).filter { $0 == barcode.text } }
        return words + [Self.words("text \(barcode.text.quoted())", found: codes ?? [])]
    }

    private static func words(_ key: String, found: [String]) -> String {
        guard !found.isEmpty else { return "\(key): not in the catalog" }
        return "\(key): found, listed as \(found.map { $0.quoted() }.joined(separator: ", "))"
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
    fileprivate func codes(under key: String) -> [String] {
        var codes: [String] = []
        for code in candidates.flatMap(\.codes) where !codes.contains(code) {
            if CodeKeys(code).all.contains(key) { codes.append(code) }
        }
        return codes
    }
}
