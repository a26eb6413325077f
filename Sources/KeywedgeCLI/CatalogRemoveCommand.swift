import ArgumentParser
import Barcodes
import Catalog
import KeywedgeConfiguration
import WireText

struct CatalogRemoveCommand: AsyncParsableCommand, TakesCodes {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove products from the embedded catalog, all or nothing.",
        discussion: "Any code of a product selects it; if one cannot be read, nothing is removed.",
        examples: "keywedge catalog remove 4006381333931")

    @OptionGroup var input: CodeInput

    @Flag(name: .customLong("id"), help: "Name products by their ids instead.")
    var takesIDs = false

    @Flag(help: "Exit with 3 if a product was not in the catalog.")
    var strict = false

    @OptionGroup var waitOption: WaitOption
    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let configuration = try configurationOption.load()
        let decoder = BarcodeDecoder(settings: configuration.barcodes)
        let path = try catalogOption.file(of: configuration)
        // Report a missing catalog before the user types codes.
        _ = try CatalogFile(path: path)
        var texts: [String] = []
        var input = input
        input.raw = input.raw || takesIDs
        let unreadable = try await input.forEach { texts.append($0) }
        if unreadable > 0 {
            throw Failure("codes that cannot be read are named above; nothing is removed")
        }
        let references = texts.map { text in
            takesIDs ? ProductReference.id(text) : .barcode(decoder.decode(input: text))
        }
        let products = references.isEmpty ? [] : try remove(references, from: path)
        let missing = try report(products, of: texts)
        if strict, missing > 0 { throw ExitCode(Ending.Code.rejected) }
    }

    private func remove(
        _ references: [ProductReference], from path: String
    ) throws -> [Product?] {
        do {
            // Do not create the catalog if it has been deleted in the meantime.
            return try CatalogFile(path: path, access: .changing, busyTimeout: waitOption.wait)
                .remove(references)
        } catch let error as SharedCodeError {
            let ids = error.ids.map { $0.quoted(upTo: .max) }.joined(separator: ", ")
            throw Failure(
                "\(error.code.quoted(upTo: .max)) is a code of several products; expected --id and one "
                    + "of the ids \(ids)")
        }
    }

    /// Reports which products were removed, and returns how many of `texts` had no product.
    private func report(_ products: [Product?], of texts: [String]) throws -> Int {
        var removed: Set<String> = []
        var missing: [String] = []
        for (text, product) in zip(texts, products) {
            guard let product else {
                missing.append(text)
                configurationOption.quiet.say("\(text.quoted(upTo: .max)) is not in the catalog")
                continue
            }
            // Several codes may belong to the same product.
            guard removed.insert(product.id).inserted else { continue }
            let words = [product.id, product.name].compactMap { $0?.quoted(upTo: .max) }
            configurationOption.quiet.say("removed \(words.joined(separator: ", "))")
        }
        try formatOption.report(
            [
                "removed": .array(removed.sorted().map(JSONValue.string)),
                "missing": .array(missing.map(JSONValue.string)),
            ], "\(removed.count) removed, \(missing.count) not in the catalog",
            configurationOption.quiet)
        return missing.count
    }
}
