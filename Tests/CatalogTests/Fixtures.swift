import Barcodes
import Catalog

/// A catalog in memory with the products of a CSV text; invalid rows fail.
func catalog(_ csv: String, _ options: ImportOptions = ImportOptions()) throws -> CatalogFile {
    let catalog = try CatalogFile.inMemory()
    _ = try catalog.importCSV(bytes: Array(csv.utf8), name: "products.csv", options: options)
    return catalog
}

/// What is wrong with the rows of a CSV, in sentences.
func invalidRows(
    _ csv: [UInt8], _ options: ImportOptions = ImportOptions(currency: Currency("EUR"))
) throws -> [String] {
    let catalog = try CatalogFile.inMemory()
    var sentences: [String] = []
    var options = options
    options.skipsInvalidRows = true
    _ = try catalog.importCSV(bytes: csv, name: "products.csv", options: options) { event in
        if case .invalid(let row) = event { sentences.append("\(row)") }
    }
    return sentences
}

func invalidRows(_ csv: String) throws -> [String] { try invalidRows(Array(csv.utf8)) }

extension CatalogFile {
    /// The id a scan without AIM identifier leads to.
    func id(scanning text: String, aim: String? = nil) throws -> String? {
        try match(for: BarcodeDecoder().decode(text, aim: aim))?.product.id
    }

    /// The catalog, or what a shop has, as a CSV text.
    func exported(in scope: CatalogScope? = nil) throws -> String {
        var bytes: [UInt8] = []
        try exportCSV(in: scope) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CatalogFile {
    func check() throws -> [CatalogFinding] {
        var findings: [CatalogFinding] = []
        try check { findings.append($0) }
        return findings
    }

    /// Adds products as they are; an import would mend some of their codes.
    func add(_ products: Product...) throws {
        try write(whole: false) { add in try products.forEach(add) }
    }
}
