package import Barcodes
package import Catalog
import WireText

package protocol ExplainableSource: ProductSource {
    func explain(_ barcode: Barcode, within limit: Duration, trace: Trace) async -> LookupAnswer
}

extension CatalogSources {
    /// Looks up a barcode and records each step; queries catalogs even if an answer is cached.
    package func explain(_ barcode: Barcode) async -> Explanation {
        let passed = timer()
        var result = LookupResult(.skipped)
        var explained: [Explanation.Source] = []
        for source in sources {
            let trace = Trace()
            var answer: LookupAnswer?
            if result.match == nil {
                let limit = deadline - passed()
                answer =
                    if let source = source as? any ExplainableSource {
                        await source.explain(barcode, within: limit, trace: trace)
                    } else { await source.lookup(barcode, within: limit) }
            }
            if let answer { result.add(answer, from: source.name) }
            explained.append(
                Explanation.Source(name: source.name, steps: trace.steps, answer: answer))
        }
        return Explanation(
            text: barcode.text, sources: explained, result: result, took: passed())
    }
}

extension DeclaredCatalog: ExplainableSource {
    /// Queries the catalog, even if an answer is cached, and records each step in `trace`.
    package func explain(
        _ barcode: Barcode, within limit: Duration, trace: Trace
    ) async -> LookupAnswer {
        for words in declaration.codes.words(about: barcode) {
            trace.add(.note("asked as", words))
        }
        let deadline = clock.now() + limit
        return await answer(for: barcode) { round in
            let kept = kept(for: round)
            let words = answers.rules.words(about: kept?.answer, at: clock.now())
            trace.add(.note("cache", words))
            return await ask(round, kept, deadline: deadline, trace: trace)
        }
    }
}

extension CatalogFile: ExplainableSource {
    package func explain(
        _ barcode: Barcode, within limit: Duration, trace: Trace
    ) async -> LookupAnswer {
        answer(for: barcode) { key, match in trace.add(.note("key", Self.words(key, match))) }
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

extension AwaitedSource: ExplainableSource where Source: ExplainableSource {
    package func explain(
        _ barcode: Barcode, within limit: Duration, trace: Trace
    ) async -> LookupAnswer {
        guard let catalog = try? opened() else { return await lookup(barcode, within: limit) }
        return await catalog.explain(barcode, within: limit, trace: trace)
    }
}

extension Match {
    /// Returns those codes of the found products that match the key, as written in the catalog.
    fileprivate func codes(under key: LookupKey) -> [String] {
        var codes: [String] = []
        for code in candidates.flatMap(\.codes) where !codes.contains(code) {
            let text = key.gtin?.text ?? key.text ?? code
            if code == text || CodeKeys(code).all.contains(text) { codes.append(code) }
        }
        // The catalog may have listed the text in another letter case.
        guard codes.isEmpty, let text = key.text?.lowercased() else { return codes }
        return candidates.flatMap(\.codes).filter { $0.lowercased() == text }
    }
}
