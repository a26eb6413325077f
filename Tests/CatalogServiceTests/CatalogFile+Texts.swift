import Catalog

extension CatalogFile {
    /// Imports a CSV text.
    @discardableResult
    func take(_ csv: String) throws -> ImportSummary {
        try importCSV(bytes: Array(csv.utf8), name: "products.csv")
    }

    /// Adds products as they are; an import would mend some of their codes.
    func add(_ products: [Product]) throws {
        try write(whole: false) { add in try products.forEach(add) }
    }
}
