import Barcodes

@testable import Catalog

/// A catalog in memory with the products of a CSV text; invalid rows fail.
func catalog(_ csv: String, _ options: ImportOptions = ImportOptions()) throws -> EmbeddedCatalog {
    let catalog = try EmbeddedCatalog.inMemory()
    _ = try catalog.importCSV(bytes: Array(csv.utf8), name: "products.csv", options: options)
    return catalog
}

/// What is wrong with the rows of a CSV, in sentences.
func invalidRows(
    _ csv: [UInt8], _ options: ImportOptions = ImportOptions(currency: Currency("EUR"))
) throws -> [String] {
    let catalog = try EmbeddedCatalog.inMemory()
    var sentences: [String] = []
    var options = options
    options.skipsInvalidRows = true
    _ = try catalog.importCSV(bytes: csv, name: "products.csv", options: options) { event in
        if case .invalid(let row) = event { sentences.append("\(row)") }
    }
    return sentences
}

func invalidRows(_ csv: String) throws -> [String] { try invalidRows(Array(csv.utf8)) }

extension EmbeddedCatalog {
    /// The id a scan without AIM identifier leads to.
    func id(scanning text: String, aim: String? = nil) throws -> String? {
        try match(for: BarcodeDecoder().decode(text, aim: aim))?.product.id
    }

    /// The catalog as a CSV text.
    func exported() throws -> String {
        var bytes: [UInt8] = []
        try exportCSV { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension EmbeddedCatalog {
    /// Adds a product as it is; an import would mend some of its codes.
    func add(_ product: Product) throws {
        try write { db in _ = try ProductWriter(db).add(product) }
    }
}
