package import Barcodes
package import Catalog
import WireText

/// A source that can show what it does.
package protocol ExplainableSource: ProductSource {
    /// Looks up the product a barcode names, and adds each step to a trace.
    func explain(_ barcode: Barcode, within limit: Duration, trace: Trace) async -> LookupAnswer
}

extension CatalogSources {
    /// Looks up the product a barcode names, and shows how.
    ///
    /// A catalog is asked even if a fresh answer is kept.
    package func explain(_ barcode: Barcode) async -> Explanation {
        let passed = timer()
        var progress = LookupProgress()
        var explained: [Explanation.Source] = []
        for source in sources {
            guard progress.result.match == nil else {
                explained.append(Explanation.Source(name: source.name, steps: [], answer: nil))
                continue
            }
            let trace = Trace()
            let limit = deadline - passed()
            let answer: LookupAnswer
            if let source = source as? any ExplainableSource {
                answer = await source.explain(barcode, within: limit, trace: trace)
            } else {
                answer = await source.lookup(barcode, within: limit)
            }
            _ = progress.take(answer, from: source.name)
            explained.append(
                Explanation.Source(name: source.name, steps: trace.steps, answer: answer))
        }
        return Explanation(
            text: barcode.text, sources: explained, result: progress.result, took: passed())
    }
}

extension DeclaredCatalog: ExplainableSource {
    /// Asks the catalog even if an answer is kept.
    package func explain(
        _ barcode: Barcode, within limit: Duration, trace: Trace
    ) async -> LookupAnswer {
        for words in context.declaration.codes.words(about: barcode) {
            trace.add(.note("asked as", words))
        }
        let deadline = context.clock.now() + limit
        return await answer(for: barcode) { round in
            let kept = kept(for: round)
            let words = answers.rules.words(about: kept?.answer, at: context.clock.now())
            trace.add(.note("cache", words))
            return await ask(round, kept, deadline: deadline, trace: trace)
        }
    }
}

extension CatalogFile: ExplainableSource {
    /// Looks up the product a barcode names, and shows the keys up to the one that found something.
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

extension AwaitedCatalog: ExplainableSource {
    /// Looks up the product a barcode names, and shows the keys if there is a catalog.
    package func explain(
        _ barcode: Barcode, within limit: Duration, trace: Trace
    ) async -> LookupAnswer {
        guard let catalog = try? opened() else { return await lookup(barcode, within: limit) }
        return await catalog.explain(barcode, within: limit, trace: trace)
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
