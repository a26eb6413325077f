import Barcodes
import Catalog
import Glibc
import TestFolders
import Testing

/// A catalog in memory with the products of a CSV text; invalid rows fail.
func catalog(_ csv: String, _ options: ImportOptions = ImportOptions()) throws -> CatalogFile {
    let catalog = try CatalogFile.inMemory()
    _ = try catalog.importCSV(bytes: Array(csv.utf8), name: "products.csv", options: options)
    return catalog
}

/// An import of a CSV text into an empty catalog, whatever comes of it; prices are in euros.
struct TriedImport {
    let catalog: CatalogFile
    private(set) var notes: [ImportNote] = []
    /// What is wrong with rows, in sentences.
    private(set) var invalid: [String] = []
    /// Why nothing was imported, in a sentence.
    private(set) var error = ""

    init(_ csv: [UInt8], _ change: (inout ImportOptions) throws -> Void = { _ in }) throws {
        catalog = try CatalogFile.inMemory()
        var options = ImportOptions(currency: Currency("EUR"))
        try change(&options)
        do {
            try catalog.importCSV(bytes: csv, name: "x.csv", options: options) { event in
                switch event {
                case .note(let note, _): notes.append(note)
                case .invalid(let row): invalid.append("\(row)")
                case .columns, .progress: break
                }
            }
        } catch let failure as ImportError {
            error = "\(failure)"
        }
    }

    init(_ csv: String, _ change: (inout ImportOptions) throws -> Void = { _ in }) throws {
        try self.init(Array(csv.utf8), change)
    }
}

/// The id of the product that a catalog of these codes finds for a code; `several` if more have it.
func foundID(
    _ scanned: String, aim: String? = nil, in listed: [String],
    by decoder: BarcodeDecoder = BarcodeDecoder()
) throws -> String? {
    let rows = listed.enumerated().map { "\($0.offset),\($0.element)|\n" }.joined()
    let match = try catalog("id,code\n" + rows).match(for: decoder.decode(scanned, aim: aim))
    return match.map { $0.isAmbiguous ? "several" : $0.product.id }
}

/// What is wrong with the rows of a CSV, in sentences.
func invalidRows(_ csv: String) throws -> [String] { try TriedImport(csv).invalid }

extension CatalogFile {
    /// Imports a CSV text from a file.
    @discardableResult
    func importCSV(
        bytes: [UInt8], name: String, options: ImportOptions = ImportOptions(),
        report: (ImportEvent) throws -> Void = { _ in }
    ) throws -> ImportSummary {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        fwrite(bytes, 1, bytes.count, file)
        rewind(file)
        return try importCSV(name, descriptor: fileno(file), options: options, report: report)
    }

    /// Imports a CSV text; prices are in euros.
    @discardableResult
    func take(
        _ csv: String, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        var options = ImportOptions(currency: Currency("EUR"))
        change(&options)
        return try importCSV(bytes: Array(csv.utf8), name: "x.csv", options: options)
    }

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
    /// An empty catalog whose file is gone as soon as it is open.
    static func inMemory() throws -> CatalogFile {
        let folder = try TemporaryFolder(inMemory: true)
        defer { withExtendedLifetime(folder) {} }
        return try CatalogFile(path: folder.path("catalog.sqlite"), access: .writing)
    }

    func check() throws -> [String] {
        var findings: [String] = []
        try check { findings.append($0) }
        return findings
    }

    /// Adds products as they are; an import would mend some of their codes.
    func add(_ products: Product...) throws {
        try write(whole: false) { add in try products.forEach(add) }
    }
}
