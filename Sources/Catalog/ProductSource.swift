public import Barcodes

/// Where products are looked up: the embedded catalog, or one reached through a network.
public protocol ProductSource: Sendable {
    /// What the source is called in events and messages, for instance `embedded`.
    var name: String { get }

    /// Looks up the product a barcode names.
    ///
    /// - Parameter barcode: The decoded scan.
    /// - Returns: What was found; a source that cannot answer says why and never throws.
    func lookup(_ barcode: Barcode) async -> LookupOutcome
}
