import Catalog

extension EmbeddedCatalog {
    /// Imports a CSV text.
    @discardableResult
    func take(_ csv: String) throws -> ImportSummary {
        try importCSV(bytes: Array(csv.utf8), name: "products.csv")
    }

    /// The catalog as a CSV text.
    func exported() throws -> String {
        var bytes: [UInt8] = []
        try exportCSV { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The catalog as sorted lines, for catalogs that were filled in another order.
    func sorted() throws -> [String] {
        try exported().split(separator: "\n").sorted().map(String.init)
    }
}
