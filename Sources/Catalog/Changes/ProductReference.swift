package import Barcodes

/// What names a product of a catalog.
package enum ProductReference: Hashable, Sendable {
    /// What the shop calls it by, character for character.
    case id(String)
    /// Any of its codes, in whatever spelling a lookup finds it by.
    case barcode(Barcode)
}
