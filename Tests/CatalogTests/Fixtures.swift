import Barcodes
import Catalog
import Glibc
import TestFolders
import Testing

/// Imports a CSV text into a new catalog in memory; throws if a row is invalid.
func catalog(_ csv: String, _ options: ImportOptions = ImportOptions()) throws -> CatalogFile {
    let catalog = try CatalogFile.inMemory()
    _ = try catalog.importCSV(bytes: Array(csv.utf8), name: "products.csv", options: options)
    return catalog
}

/// The outcome, good or bad, of importing a CSV text into an empty catalog; prices are in euros.
struct TriedImport {
    let catalog: CatalogFile
    private(set) var notes: [ImportNote] = []
    /// One message for each invalid row.
    private(set) var invalid: [String] = []
    /// The reason why nothing was imported; empty if the import succeeded.
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

/// Looks up a code in a catalog with one product for each listed code, whose id is the code's index.
///
/// Returns `several` if more than one product matches, and nil if none does.
func foundID(
    _ scanned: String, aim: String? = nil, in listed: [String],
    by decoder: BarcodeDecoder = BarcodeDecoder()
) throws -> String? {
    let rows = listed.enumerated().map { "\($0.offset),\($0.element)|\n" }.joined()
    let match = try catalog("id,code\n" + rows).match(for: decoder.decode(scanned, aim: aim))
    return match.map { $0.isAmbiguous ? "several" : $0.product.id }
}

/// Imports a CSV text, and returns one message for each invalid row.
func invalidRows(_ csv: String) throws -> [String] { try TriedImport(csv).invalid }

extension CatalogFile {
    /// Imports a CSV text from an unnamed temporary file.
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

    /// Looks up a scanned text, and returns the product's id; nil if there is none.
    func id(scanning text: String, aim: String? = nil) throws -> String? {
        try match(for: BarcodeDecoder().decode(text, aim: aim))?.product.id
    }

    /// Exports the whole catalog, or only what a scope contains, as CSV.
    func exported(in scope: CatalogScope? = nil) throws -> String {
        var bytes: [UInt8] = []
        try exportCSV(in: scope) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CatalogFile {
    /// Makes an empty catalog, whose file is removed while it is open.
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

    /// Adds products unchanged; an import would correct some of their codes.
    func add(_ products: Product...) throws {
        try write(whole: false) { add in try products.forEach(add) }
    }
}
