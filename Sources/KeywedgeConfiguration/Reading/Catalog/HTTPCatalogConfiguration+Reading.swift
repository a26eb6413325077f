import Catalog
import WebAPI

extension HTTPCatalogConfiguration {
    enum Key: String, CaseIterable {
        case name, url, auth, tls, codes, variables, request
        case notFound = "not_found"
        case failed, throttled, messages, then, product
        case rateLimit = "rate_limit"
        case redirects
        case maximumAnswer = "max_answer"
        case attemptTimeout = "attempt_timeout"
        case connectTimeout = "connect_timeout"
        case attempts, backoff
        case retryTokens = "retry_tokens"
        case breaker, cache, quota
        case writeBack = "write_back"
    }

    /// Reads a preset, with what stands beside its name in the place of what it says.
    ///
    /// It is nil where anything is wrong, which is reported. A mistake that only shows in the preset
    /// is reported at its name.
    ///
    /// - Parameters:
    ///   - name: The preset's name.
    ///   - source: The mapping the name stands in; the name itself where it stands alone.
    ///   - currency: The currency of prices that name none.
    init?(
        preset name: ConfigurationReader, at source: ConfigurationReader, currency: String?
    ) {
        guard let text = name.text("the name of a preset") else { return nil }
        guard let preset = Presets.text(text),
            let tree = YAMLComposer.compose(preset, ReadingContext(file: text, folder: ""))
        else {
            name.report(expected: Self.suggestion(for: text))
            return nil
        }
        let base = tree.moved(line: name.tree.line, column: name.tree.column)
        let merged =
            if case .mapping = source.tree.content {
                base.overlaid(by: source.tree.without("preset"))
            } else {
                base
            }
        self.init(
            reading: ConfigurationReader(
                tree: merged, path: source.path, context: source.context),
            currency: currency)
    }

    private static func suggestion(for name: String) -> String {
        let near = NearestName.nearest(to: name, in: Presets.names, within: max(2, name.count / 3))
        let meant = near.map { " (did you mean \($0)?)" } ?? ""
        return "one of the presets \(Words.either(Presets.names))\(meant)"
    }

    /// Reads a declared catalog.
    ///
    /// It is nil where anything is wrong, which is reported.
    ///
    /// - Parameters:
    ///   - reader: The declaration.
    ///   - currency: The currency of prices that name none.
    init?(reading reader: ConfigurationReader, currency: String?) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let name = reader.required(mapping[.name], "a name", "name") { $0.sourceName() }
        let url = reader.required(mapping[.url], "the catalog's URL", "url", Self.url)
        let request = reader.required(
            mapping[.request], "what is asked", "request", RequestDeclaration.init(reading:))
        let product = reader.required(
            mapping[.product], "which parts of an answer are which fields", "product"
        ) { ProductMapping(reading: $0, currency: currency) }
        guard let name, let url, let request, let product else { return nil }
        self.init(
            declaration: HTTPCatalogDeclaration(
                name: name, url: url, request: request, product: product))
        read(mapping)
        checkPlaceholders(reader)
    }

    private mutating func read(_ mapping: ConfigurationMapping<Key>) {
        mapping.read(.auth, into: &declaration.authentication, Authentication.init(reading:))
        mapping.read(.tls, into: &tls, TLSConfiguration.init(reading:))
        mapping.read(.codes, into: &declaration.codes, CodeRules.init(reading:))
        mapping.read(.variables, into: &declaration.variables) { $0.variables() }
        declaration.rules = AnswerRules(
            throttled: mapping[.throttled].flatMap(AnswerRule.init(reading:)),
            failed: mapping[.failed].flatMap(AnswerRule.init(reading:)),
            notFound: mapping[.notFound].flatMap(AnswerRule.init(reading:)),
            messages: mapping[.messages].flatMap { $0.pointers() } ?? [])
        mapping.read(.then, into: &declaration.followUp, FollowUp.init(reading:))
        mapping.read(.rateLimit, into: &declaration.rateLimit, RateLimitFields.init(reading:))
        mapping.read(.redirects, into: &declaration.redirects) { $0.choice(Redirects.self) }
        mapping.read(.maximumAnswer, into: &declaration.maximumAnswer) {
            $0.number(in: 1024...(64 << 20))
        }
        mapping.read(.writeBack, into: &writesBack) { $0.flag() }
        declaration.resilience.read(mapping)
    }

    private static func url(_ reader: ConfigurationReader) -> String? {
        guard let text = reader.text("an http or https URL") else { return nil }
        do throws(AddressError) {
            _ = try Address(text)
        } catch {
            let expected = "an http or https URL (\(error.problem))"
            // Whoever writes a password here shall not find it in a log.
            if error.problem == .userInformation {
                reader.report(expected: expected, found: "one with a user's name")
            } else {
                reader.report(expected: expected)
            }
            return nil
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// A placeholder that nothing comes in for, and a request that is the same for every code, are
    /// mistakes that would only show at the till.
    private func checkPlaceholders(_ reader: ConfigurationReader) {
        let variables = declaration.variables.map(\.name)
        check(declaration.request, known: ["code"] + variables, at: reader.at("request"))
        if !declaration.request.placeholders.contains("code") {
            reader.at("request").report(
                expected: "{code} somewhere in the request", found: "it nowhere")
        }
        guard let followUp = declaration.followUp else { return }
        let captured = followUp.captured.map(\.name)
        check(
            followUp.request, known: ["code"] + captured + variables, at: reader.at("then"))
    }

    private func check(
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

extension ConfigurationReader {
    /// Reads a value that must be there.
    func required<Value>(
        _ value: ConfigurationReader?, _ what: String, _ key: String,
        _ read: (ConfigurationReader) -> Value?
    ) -> Value? {
        guard let value else {
            at(key).report(expected: what, found: "none")
            return nil
        }
        return read(value)
    }

    /// A catalog's name, which stands in events.
    fileprivate func sourceName() -> String? {
        let allowed = "abcdefghijklmnopqrstuvwxyz0123456789.-_"
        return value("a name of a-z, 0-9, \".\", \"_\" and \"-\" other than embedded") { text in
            let isName =
                !text.isEmpty && text.unicodeScalars.allSatisfy(allowed.unicodeScalars.contains)
            return isName && text != "embedded" ? text : nil
        }
    }

    /// Names with texts, for placeholders.
    fileprivate func variables() -> [RequestDeclaration.Field<String>]? {
        entries("a mapping of placeholders to texts")?.compactMap { key, reader in
            guard Template.isName(key), key != "code" else {
                reader.report(
                    expected: "a name of a-z, 0-9 and \"_\" other than code", found: "it")
                return nil
            }
            return reader.text("a text").map { RequestDeclaration.Field(key, $0) }
        }
    }
}
