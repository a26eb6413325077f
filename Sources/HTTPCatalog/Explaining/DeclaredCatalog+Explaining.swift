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
        let texts = context.declaration.codes.texts(of: barcode)
        guard !texts.isEmpty else { return LookupAnswer(.notFound) }
        let now = context.clock.now()
        let kept = kept(texts)
        observe(.note("cache", rules.words(ahead: kept, at: now)))
        return await ask(texts, barcode, kept, deadline: now + limit, observe: observe)
    }
}
