package import Barcodes
package import Catalog

extension DeclaredCatalog: ExplainableSource {
    /// Asks the catalog whatever is kept, and tells each step.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: How long it may take.
    ///   - observe: Is told of each step, in order.
    /// - Returns: What was found.
    package func explain(
        _ barcode: Barcode, within limit: Duration, observe: @escaping LookupStep.Observer
    ) async -> LookupAnswer {
        for words in context.declaration.codes.words(about: barcode) {
            observe(.note("asked as", words))
        }
        let deadline = context.clock.now() + limit
        return await answer(for: barcode) { round in
            let kept = kept(round.texts)
            observe(.note("cache", rules.words(ahead: kept, at: context.clock.now())))
            return await ask(round, kept, deadline: deadline, observe: observe)
        }
    }
}
