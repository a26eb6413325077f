import Catalog
import Foundation

/// A folder that is gone when the test is over.
final class Scratch: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("catalog-service-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func file(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: file(name), atomically: false, encoding: .utf8)
        return file(name)
    }
}

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
