package import Barcodes
package import Catalog

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
            for reading in Self.readings(barcode, answer) { observe(.key(reading)) }
            return answer
        }
        return answer
    }

    /// The keys a barcode is looked up under, in order, up to the one that gave the answer.
    static func readings(_ barcode: Barcode, _ answer: LookupAnswer) -> [CatalogKeyReading] {
        var readings: [CatalogKeyReading] = []
        let whole = barcode.inStore == nil ? nil : barcode.gtin
        var gtins = [barcode.lookupGTIN].compactMap(\.self).map(\.text)
        // An in-store code without an item of its own is looked up under the same number twice.
        if let whole = whole?.text, !gtins.contains(whole) { gtins.append(whole) }
        var match: Match?
        if case .found(let found) = answer.outcome { match = found }
        for gtin in gtins {
            let codes = match?.key == .gtin ? match.map { $0.codes(under: gtin) } ?? [] : []
            readings.append(CatalogKeyReading(kind: .gtin, key: gtin, found: codes))
            if !codes.isEmpty { return readings }
        }
        let codes = match.map { $0.candidates.flatMap(\.codes).filter { $0 == barcode.text } }
        readings.append(CatalogKeyReading(kind: .text, key: barcode.text, found: codes ?? []))
        return readings
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
            let keys = CodeKeys(code)
            if keys.first == key || keys.second == key { codes.append(code) }
        }
        return codes
    }
}
