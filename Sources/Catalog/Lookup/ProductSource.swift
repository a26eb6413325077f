package import Barcodes

/// Where products are looked up: the embedded catalog, or one reached through a network.
package protocol ProductSource: Sendable {
    /// What the source is called in events and messages, for instance `embedded`.
    var name: String { get }

    /// The answer a source has without waiting for anything.
    ///
    /// - Parameter barcode: The decoded scan.
    /// - Returns: What was found; nil where it must be waited for.
    func immediateAnswer(for barcode: Barcode) -> LookupAnswer?

    /// Looks up the product a barcode names.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: How long it may take.
    /// - Returns: What was found; a source that cannot answer by then says why and never throws.
    func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer
}

extension ProductSource {
    /// Nothing: the source has to be asked.
    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? { nil }
}
