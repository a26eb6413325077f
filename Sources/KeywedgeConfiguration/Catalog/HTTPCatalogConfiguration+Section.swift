import HTTPCatalog
import WebAPI
import WireText

extension HTTPCatalogConfiguration {
    private static let blank = HTTPCatalogConfiguration(
        declaration: HTTPCatalogDeclaration(
            name: "", url: "", request: RequestDeclaration(path: .root)))

    static let section = Section(
        "http", blank,
        former: ["write_back": "catalog.answers, a file that keeps what services answered"]
    ) {
        Setting(
            "name", \.declaration.name, .catalogName, "What the catalog is called in events.",
            needed: "a name")
        Setting(
            "url", \.declaration.url, .url, "The URL that paths stand behind.",
            needed: "the catalog's URL")
        Setting(
            "auth", \.declaration.authentication, .authentication,
            "How the catalog knows who asks.")
        Setting(
            "tls", \.tls, TLSConfiguration.section.codec.omitting { $0 == TLSConfiguration() },
            "How its connections are secured, beyond what always holds.")
        Setting(
            "codes", \.declaration.codes, CodeRules.section.codec,
            "Which codes are asked, and in which forms.")
        Setting(
            "variables", \.declaration.variables, .variables,
            "Texts for placeholders that are the same for every code.")
        Setting(
            "request", \.declaration.request, .request, "The request for a code.",
            needed: "what is asked")
        AnswerRules.settings.map { $0.inside(\.declaration.rules) }
        Setting(
            "then", \.declaration.followUp, .followUp,
            "A second request, for what the first answer only names.")
        Setting(
            "product", \.declaration.product, .product,
            "Which parts of an answer are which fields of a product.",
            needed: "which parts of an answer are which fields")
        Setting(
            "rate_limit", \.declaration.rateLimit, .rateLimit,
            "The header fields that say how many more requests are taken.")
        Setting(
            "redirects", \.declaration.redirects, .choice,
            "Which redirects are followed, up to three in a row.")
        Setting(
            "max_answer", \.declaration.maximumAnswer, .number(in: 1024...(64 << 20)),
            "The longest answer that is read, in bytes, decompressed.")
        ResilienceSettings.settings.map { $0.inside(\.declaration.resilience) }
    } check: { catalog, section in
        // Without all of it, every placeholder would be one mistake more.
        if section.isComplete { catalog.checkPlaceholders(section) }
    }

    /// A placeholder that nothing comes in for, and a request that is the same for every code, are
    /// mistakes that would only show at the till.
    private func checkPlaceholders(_ section: SectionReader<Self>) {
        let variables = declaration.variables.map(\.name)
        let request = section.at(\.declaration.request)
        Self.check(declaration.request, known: ["code"] + variables, at: request)
        if declaration.request.link != nil {
            request.at("link").report(
                expected: "path; a link is for the request of then", found: "a link")
        }
        if !asksForTheCode {
            request.report(expected: "{code} somewhere in the request", found: "it nowhere")
        }
        guard let followUp = declaration.followUp else { return }
        let captured = followUp.captured.map(\.name)
        Self.check(
            followUp.request, known: ["code"] + captured + variables,
            at: section.at(\.declaration.followUp))
    }

    /// Whether anything that is asked, or chosen of what is answered, depends on the code.
    private var asksForTheCode: Bool {
        let requests = [declaration.request, declaration.followUp?.request].compactMap(\.self)
        let places = declaration.followUp?.captured.flatMap(\.places) ?? []
        return requests.contains { $0.placeholders.contains("code") }
            || places.contains { if case .element = $0 { true } else { false } }
    }

    private static func check(
        _ request: RequestDeclaration, known: [String], at reader: ConfigurationReader
    ) {
        for name in request.placeholders where !known.contains(name) {
            let near = NearestName.nearest(to: name, in: known, within: max(1, name.count / 3))
            let meant = near.map { " (did you mean {\($0)}?)" } ?? ""
            reader.report(
                expected:
                    "one of the placeholders \(Words.either(known.map { "{\($0)}" }))\(meant)",
                found: "{\(name)}")
        }
    }
}

extension Codec<String> {
    /// A catalog's name, which stands in events.
    fileprivate static let catalogName = text(
        "a name of a-z, 0-9, \".\", \"_\" and \"-\" other than embedded",
        .text(pattern: "^(?!embedded$)[a-z0-9._-]+$")
    ) { text in
        let allowed = "abcdefghijklmnopqrstuvwxyz0123456789.-_"
        return !text.isEmpty && text != "embedded"
            && text.unicodeScalars.allSatisfy(allowed.unicodeScalars.contains)
    }

    fileprivate static let url = Self(
        read: { reader in
            guard let text = reader.text("an http or https URL") else { return nil }
            do throws(AddressError) {
                _ = try Address(text)
            } catch {
                let expected = "an http or https URL (\(error.problem))"
                // Whoever writes a password here shall not find it in a log.
                let isSecret = error.problem == .userInformation
                reader.report(
                    expected: expected, found: isSecret ? "one with a user's name" : nil)
                return nil
            }
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        },
        write: nonEmptyText.write, schema: { _ in .string(pattern: "^[Hh][Tt][Tt][Pp][Ss]?://") })
}

extension Codec<[RequestDeclaration.Field<String>]> {
    fileprivate static let variables = Codec<[(String, String)]>.pairs(
        "a mapping of placeholders to texts", of: .text("a text"), keys: .placeholder,
        key: Codec<String>.placeholder, name: \.self
    ).map({ $0.map(RequestDeclaration.Field.init) }, { $0.map { ($0.name, $0.value) } })
        .omitting(\.isEmpty)
}
