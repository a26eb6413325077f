import Barcodes
import Benchmark
import Catalog

/// The kind of code to look up in a catalog.
enum LookupTarget: String, CaseIterable {
    /// A GTIN that a product has.
    case hit = "by GTIN, found"
    /// A valid GTIN that no product has.
    case miss = "by GTIN, not found"
    /// A code of a product that is not a GTIN.
    case text = "by text, found"
}

/// A catalog file and the barcodes to look up in it.
final class LookupFixture {
    private let folder: TemporaryFolder
    private let catalog: CatalogFile
    private let barcodes: [Barcode]
    private let isHit: Bool

    /// A lookup had the wrong result.
    struct WrongResult: Error {
        let barcode: Barcode
    }

    /// Imports an assortment and chooses ten thousand of its products at random.
    ///
    /// - Parameters:
    ///   - size: The number of products.
    ///   - target: The kind of code to look up.
    /// - Throws: The catalog's errors.
    init(size: Int, target: LookupTarget) throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/catalog.sqlite"
        let assortment = Assortment(size: size)
        _ = try CatalogFile(path: path, access: .writing)
            .importCSV(folder.write(assortment.csv, to: "bench.csv"))
        catalog = try CatalogFile(path: path)
        let decoder = BarcodeDecoder()
        var generator = SplitMix(state: 11)
        barcodes = (0..<10_000).map { _ in
            let number = Int.random(in: 0..<size, using: &generator)
            let text =
                switch target {
                case .hit: assortment.ean(number)
                case .miss: assortment.ean(size + number)
                case .text: assortment.sku(number)
                }
            return decoder.decode(text, aim: nil)
        }
        isHit = target != .miss
    }

    /// Looks up one of the barcodes.
    ///
    /// - Parameter index: Any number; numbers past the last barcode start again at the first.
    /// - Throws: The catalog's errors, `WrongResult`.
    func lookUp(_ index: Int) throws {
        let barcode = barcodes[index % barcodes.count]
        let match = try catalog.match(for: barcode)
        if (match != nil) != isHit { throw WrongResult(barcode: barcode) }
        blackHole(match)
    }
}
