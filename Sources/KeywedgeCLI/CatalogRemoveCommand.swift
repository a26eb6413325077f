import ArgumentParser
import Barcodes
import Catalog
import KeywedgeConfiguration
import KeywedgeDaemon
import WireText

struct CatalogRemoveCommand: AsyncParsableCommand, TakesCodes {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take products out of the embedded catalog, all or nothing.",
        discussion: """
            A product is named by any of its codes, in whatever spelling a lookup finds it by. \
            Without CODE, codes are read from standard input, one a line. In a code a control \
            character may be written with a backslash, as \\x1d; a backslash itself then as \\\\ (--raw \
            takes codes as they are). An id (--id) is taken as it is. Where a code cannot be read, \
            nothing is taken out.

            Example:
              keywedge catalog remove 4006381333931
            """)

    @OptionGroup var input: CodeInput

    @Flag(name: .customLong("id"), help: "Products are named by their ids instead.")
    var takesIDs = false

    @Flag(help: "Exit with 3 where a product was not in the catalog.")
    var strict = false

    @OptionGroup var waitOption: WaitOption

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let configuration = try configurationOption.load()
        let decoder = BarcodeDecoder(settings: configuration.barcodes)
        let path = try catalogOption.file(of: configuration)
        // Whoever types the codes learns first that there is no catalog.
        _ = try orFail { try CatalogFile(path: path) }
        var texts: [String] = []
        var references: [ProductReference] = []
        var input = input
        input.raw = input.raw || takesIDs
        let unreadable = try await input.forEach { text in
            texts.append(text)
            references.append(takesIDs ? .id(text) : .barcode(Self.barcode(text, decoder)))
        }
        if unreadable > 0 { throw Failure("nothing is taken out") }
        let outcomes = references.isEmpty ? [] : try remove(references, from: path)
        let missing = Self.report(outcomes, of: texts)
        if strict, missing > 0 { throw ExitCode(Ending.Code.rejected) }
    }

    private static func barcode(_ text: String, _ decoder: BarcodeDecoder) -> Barcode {
        let (aim, code) = AIMIdentifier.split(text)
        return decoder.decode(code, aim: aim?.description)
    }

    private func remove(
        _ references: [ProductReference], from path: String
    ) throws -> [RemovalOutcome] {
        try orFail {
            do {
                // A catalog that is gone by now must not be made.
                return try CatalogFile(
                    path: path, access: .changing, busyTimeout: waitOption.time
                ).remove(references)
            } catch let error as SharedCodeError {
                let ids = error.ids.map { $0.quoted(upTo: .max) }.joined(separator: ", ")
                throw Failure(
                    "\(error.code.quoted(upTo: .max)) is a code of several products; expected --id and one "
                        + "of the ids \(ids)")
            }
        }
    }

    /// Says what became of each product, and of all.
    ///
    /// - Returns: How many were not in the catalog.
    private static func report(_ outcomes: [RemovalOutcome], of texts: [String]) -> Int {
        var removed = 0
        var missing = 0
        for (text, outcome) in zip(texts, outcomes) {
            switch outcome {
            case .removed(let id, let name):
                removed += 1
                let product = [id, name].compactMap(\.self).map { $0.quoted(upTo: .max) }.joined(
                    separator: ", ")
                StandardError.write("keywedge: removed \(product)")
            case .repeated: continue
            case .missing:
                missing += 1
                StandardError.write("keywedge: \(text.quoted(upTo: .max)) is not in the catalog")
            }
        }
        StandardError.write("keywedge: \(removed) removed, \(missing) not in the catalog")
        return missing
    }
}
