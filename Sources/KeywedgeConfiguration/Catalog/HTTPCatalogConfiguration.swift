package import HTTPCatalog
import WebAPI
import WireText
import Yams

package struct HTTPCatalogConfiguration: Equatable, Sendable {
    package var declaration: HTTPCatalogDeclaration
    package var tls = TLSConfiguration()

    /// Returns the settings at `paths`, which are lists of nested keys, as YAML lines.
    package func lines(of paths: [[String]]) -> [String] {
        Self.section.codec.write(self)?.selecting(paths).lines ?? []
    }
}

extension Node {
    /// Returns a copy that contains only the values at `paths`, which are lists of nested keys.
    fileprivate func selecting(_ paths: [[String]]) -> Node {
        guard case .mapping(let mapping) = self else { return self }
        var pairs: [(Node, Node)] = []
        var keys: Set<String> = []
        for key in paths.compactMap(\.first) where keys.insert(key).inserted {
            guard let value = mapping[key] else { continue }
            let below = paths.filter { $0.first == key }.map { Array($0.dropFirst()) }
            // A path that ends with this key selects the entire value.
            pairs.append((Node(key), below.contains([]) ? value : value.selecting(below)))
        }
        return Node(pairs, .implicit, pairs.isEmpty ? .flow : .block)
    }
}

extension HTTPCatalogConfiguration {
    private static let blank = HTTPCatalogConfiguration(
        declaration: HTTPCatalogDeclaration(
            name: "", url: "", request: RequestDeclaration(path: .root)))

    static let section = Section(
        "http", blank,
        former: ["write_back": "catalog.answers, a file that keeps what services answered"]
    ) {
        Setting(
            "name", \.declaration.name,
            .text(
                "a name of a-z, 0-9, \".\", \"_\" and \"-\" other than embedded",
                matching: .text(pattern: "^(?!embedded$)[a-z0-9._-]+$")),
            "The name of the catalog in events.", needed: "a name")
        Setting(
            "url", \.declaration.url, .url, "The URL that paths are appended to.",
            needed: "the catalog's URL")
        Setting(
            "auth", \.declaration.authentication, .authentication,
            "How keywedge authenticates itself.")
        Setting(
            "tls", \.tls, TLSConfiguration.section.codec.omitting { $0 == TLSConfiguration() },
            "The TLS settings; certificates are always verified.")
        Setting(
            "codes", \.declaration.codes, CodeRules.section.codec,
            "Which codes to request, and in which forms.")
        Setting(
            "variables", \.declaration.variables,
            .named("a mapping of placeholders to texts", of: .text("a text"), keys: .placeholder)
                .omitting(\.isEmpty),
            "Texts for placeholders that are the same for every code.")
        Setting(
            "request", \.declaration.request, .request, "The request for a code.",
            needed: "what is asked")
        AnswerRules.settings.map { $0.inside(\.declaration.rules) }
        Setting(
            "then", \.declaration.followUp, .followUp,
            "A second request, for the product that the first answer only names.")
        Setting(
            "product", \.declaration.product, .product,
            "Where an answer has the fields of a product.",
            needed: "which parts of an answer are which fields")
        Setting(
            "rate_limit", \.declaration.rateLimit, .rateLimit,
            "The header fields that say how many more requests are accepted.")
        Setting(
            "redirects", \.declaration.redirects, .choice,
            "Which redirects are followed, up to three in a row.")
        Setting(
            "max_answer", \.declaration.maximumAnswer, .number(in: 1024...(64 << 20)),
            "The maximum size of an answer, in bytes after decompression.")
        ResilienceSettings.settings.map { $0.inside(\.declaration.resilience) }
    } check: { catalog, section in
        catalog.checkPlaceholders(section)
    }

    /// Reports unknown placeholders, a misplaced `link`, and a scanned code that is never used.
    private func checkPlaceholders(_ section: ConfigurationReader) {
        let known = ["code"] + declaration.variables.map(\.name)
        let request = section.at("request")
        Self.check(declaration.request, known: known, at: request)
        if declaration.request.link != nil {
            request.at("link").report(
                expected: "path; a link is for the request of then", found: "a link")
        }
        if !asksForTheCode {
            request.report(expected: "{code} somewhere in the request", found: "it nowhere")
        }
        guard let followUp = declaration.followUp else { return }
        let all = known + followUp.captured.map(\.name)
        Self.check(followUp.request, known: all, at: section.at("then"))
    }

    /// Whether a request contains the scanned code, or the first answer is searched for it.
    private var asksForTheCode: Bool {
        let requests = [declaration.request, declaration.followUp?.request].compactMap(\.self)
        let places = declaration.followUp?.captured.flatMap(\.places) ?? []
        return requests.contains { $0.placeholders.contains("code") }
            || places.contains { if case .element = $0 { true } else { false } }
    }

    private static func check(
        _ request: RequestDeclaration, known: [String], at reader: ConfigurationReader
    ) {
        let known = known.map { "{\($0)}" }
        for name in request.placeholders.map({ "{\($0)}" }) where !known.contains(name) {
            let hint = NearestName.hint(for: name, in: known)
            reader.report(
                expected: "one of the placeholders \(Words.either(known))\(hint)", found: "\(name)")
        }
    }
}

extension Codec<String> {
    fileprivate static let url = Self(
        read: { reader in
            guard let text = reader.text("an http or https URL") else { return nil }
            do throws(AddressError) {
                _ = try Address(text)
            } catch {
                let expected = "an http or https URL (\(error.problem))"
                // A password in the URL must not appear in a log.
                let isSecret = error.problem == .userInformation
                return reader.refuse(
                    expected: expected, found: isSecret ? "one with a user's name" : nil)
            }
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        },
        write: nonEmptyText.write, schema: { _ in .string(pattern: "^[Hh][Tt][Tt][Pp][Ss]?://") })
}

/// The declarations of known services: the files in `examples/catalogs`, embedded in the program.
package enum Presets {
    /// The names of all presets, in alphabetical order.
    package static let names = texts.map(\.name)

    /// Returns the declaration of a preset as YAML; nil for an unknown name.
    package static func text(_ name: String) -> String? {
        texts.first { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private static let texts: [(name: String, bytes: [UInt8])] = [
        ("grocy", PackageResources.grocy_yaml),
        ("gs1-resolver", PackageResources.gs1_resolver_yaml),
        ("inventree", PackageResources.inventree_yaml),
        ("keywedge", PackageResources.keywedge_yaml),
        ("kroger", PackageResources.kroger_yaml),
        ("lightspeed-x", PackageResources.lightspeed_x_yaml),
        ("loyverse", PackageResources.loyverse_yaml),
        ("odoo", PackageResources.odoo_yaml),
        ("openfoodfacts", PackageResources.openfoodfacts_yaml),
        ("openfoodfacts-v3", PackageResources.openfoodfacts_v3_yaml),
        ("shopify", PackageResources.shopify_yaml),
        ("square", PackageResources.square_yaml),
        ("upcitemdb", PackageResources.upcitemdb_yaml),
        ("woocommerce", PackageResources.woocommerce_yaml),
    ]
}

extension HTTPCatalogConfiguration {
    /// Reads the preset with the given name, and overrides its settings with the other settings in `source`.
    ///
    /// `source` is the mapping with the name and the settings, or the name itself if there are no settings. A mistake
    /// in a setting that comes from the preset is reported at the position of the name.
    static func preset(
        _ name: ConfigurationReader, in source: ConfigurationReader
    ) -> HTTPCatalogConfiguration? {
        guard let text = name.text("the name of a preset") else { return nil }
        guard let preset = Presets.text(text),
            let tree = YAMLComposer.compose(preset, ReadingContext(file: text, folder: ""))
        else {
            let hint = NearestName.hint(
                for: text, in: Presets.names, within: max(2, text.count / 3))
            return name.refuse(
                expected: "one of the presets \(Words.either(Presets.names))\(hint)")
        }
        var settings = tree.moved(to: name.tree.mark)
        if let pairs = source.tree.pairs {
            let beside = pairs.filter { $0.key.text != "preset" }.map { ($0.key, $0.value) }
            settings = section.codec.merge(settings, Node(beside).placed(at: source.tree.mark))
        }
        return section.codec.read(
            ConfigurationReader(tree: settings, path: source.path, context: source.context))
    }

    /// Returns the JSON Schema of a mapping with a preset and settings that override it.
    static func presetSchema(_ writer: inout SchemaWriter) -> JSONObject {
        writer.reference(to: "preset") { writer in
            writer.describing(besidePreset: true) { writer in
                section.definition(
                    &writer,
                    beside: (
                        "preset",
                        [
                            "enum": .array(Presets.names.map(JSONValue.string)),
                            "description": "A service that keywedge knows, by its name.",
                        ]
                    ))
            }
        }
    }
}
