package import Barcodes
package import Catalog

/// A source that can tell what it does.
package protocol ExplainableSource: ProductSource {
    /// Looks up the product a barcode names, and tells each step.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: How long it may take.
    ///   - observe: Is told of each step, in order.
    /// - Returns: What was found; never throws.
    func explain(
        _ barcode: Barcode, within limit: Duration, observe: @escaping LookupStep.Observer
    ) async -> LookupAnswer
}
