import ArgumentParser
import Barcodes
import Catalog
import KeywedgeDaemon
import WireText

struct CatalogRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take products out of the embedded catalog, all or nothing.",
        discussion: """
            A product is named by any of its codes, in whatever spelling a lookup finds it by. \
            Without CODE, codes are read from standard input, one a line.

            Example:
              keywedge catalog remove 4006381333931
            """)

    @Argument(help: "Codes as a scanner types them, one for each product.")
    var codes: [String] = []

    @Flag(name: .customLong("id"), help: "Products are named by their ids instead.")
    var takesIDs = false

    @Flag(help: "Exit with 3 where a product was not in the catalog.")
    var strict = false

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let configuration = try configurationOption.load()
        let decoder = BarcodeDecoder(settings: configuration.barcodes)
        let path = try catalogOption.file(of: configuration)
        // For reading first: a catalog that is not there must not be made.
        let catalog = try orFail { try EmbeddedCatalog(path: path) }
        var ids: [String] = []
        var missing = 0
        try await InputLines.forEach(of: codes) { line in
            let text = try InputLines.unescaped(line)
            if let id = try id(text, decoder, in: catalog) {
                ids.append(id)
            } else {
                missing += 1
                StandardError.write("keywedge: \(Self.quoted(text)) is not in the catalog")
            }
        }
        let removed =
            ids.isEmpty
            ? 0 : try orFail { try EmbeddedCatalog(path: path, access: .writing).remove(ids: ids) }
        StandardError.write("keywedge: \(removed) removed, \(missing) not in the catalog")
        if strict, missing > 0 { throw ExitCode(Ending.Code.rejected) }
    }

    /// The id of the product that a code or an id names; nil where there is none.
    private func id(
        _ text: String, _ decoder: BarcodeDecoder, in catalog: EmbeddedCatalog
    ) throws -> String? {
        if takesIDs { return try orFail { try catalog.product(id: text)?.id } }
        let (aim, code) = AIMIdentifier.split(text)
        let barcode = decoder.decode(code, aim: aim?.description)
        guard let match = try orFail({ try catalog.match(for: barcode) }) else { return nil }
        guard !match.isAmbiguous else {
            let ids = match.candidates.map { Self.quoted($0.id) }.joined(separator: ", ")
            throw Failure(
                "\(Self.quoted(text)) is a code of several products; expected --id and one of the "
                    + "ids \(ids)")
        }
        return match.product.id
    }

    private static func quoted(_ text: String) -> String { "\"\(Escaping.line.escaped(text))\"" }
}
