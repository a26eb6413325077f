extension Barcode {
    /// The book, where the code is one's.
    public var isbn: ISBN? { kind == .isbn ? gtin.flatMap(ISBN.init(gtin:)) : nil }

    /// The serial publication, where the code is one's.
    public var issn: ISSN? { kind == .issn ? gtin.flatMap(ISSN.init(gtin:)) : nil }

    /// The two variant digits of a serial publication's number.
    public var issnVariant: String? { kind == .issn ? gtin.flatMap(ISSN.variant(of:)) : nil }

    /// The number to look a product up with: that of an in-store code has zeros for the price,
    /// weight or count.
    public var lookupGTIN: GTIN? { inStore?.lookupGTIN ?? gtin }
}
