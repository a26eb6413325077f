import Catalog
import WireText

extension ProductMapping {
    enum Key: String, CaseIterable {
        case items, id, codes, name, price, unit, attributes, verify
    }

    /// Reads which parts of an answer are which fields of a product.
    ///
    /// It is nil where there is no id, which is reported as is everything else that is wrong.
    ///
    /// - Parameters:
    ///   - reader: The mapping.
    ///   - currency: The currency of prices that name none.
    init?(reading reader: ConfigurationReader, currency: String?) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let id = reader.required(mapping[.id], "where the product's id is", Key.id.rawValue) {
            $0.sources()
        }
        guard let id else { return nil }
        if case .constant(let text)? = id.first(where: \.isConstant) {
            // All products would be one.
            reader.at(Key.id.rawValue).report(
                expected: "places in an answer such as /id", found: Quoting.quoted(text))
        }
        self.init(id: id)
        mapping.read(.items, into: &items) { $0.pointer() }
        mapping.read(.codes, into: &codes) { $0.codePlaces() }
        mapping.read(.name, into: &name) { $0.sources() }
        mapping.read(.price, into: &price) { PriceRule(reading: $0, currency: currency) }
        mapping.read(.unit, into: &unit) { $0.sources() }
        mapping.read(.attributes, into: &attributes) { reader in
            reader.entries("a mapping of attributes to places")?.compactMap { key, value in
                value.sources().map { Attribute(key, $0) }
            }
        }
        mapping.read(.verify, into: &verify, VerifyRule.init(reading:))
    }
}

extension PriceRule {
    enum Key: String, CaseIterable {
        case amount
        case minorUnits = "minor_units"
        case decimals, currency
    }

    /// Reads where a price is.
    ///
    /// It is nil where there is no amount or no currency, which is reported.
    init?(reading reader: ConfigurationReader, currency: String?) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let amount = reader.required(
            mapping[.amount], "where the amount is", Key.amount.rawValue
        ) { $0.places() }
        guard let amount else { return nil }
        var currencies = mapping[.currency].flatMap { $0.currencies() } ?? []
        if let currency, mapping[.currency] == nil { currencies = [.constant(currency)] }
        guard !currencies.isEmpty else {
            if mapping[.currency] == nil {
                reader.at(Key.currency.rawValue).report(
                    expected: "a currency such as EUR or where it is, here or as catalog.currency",
                    found: "none")
            }
            return nil
        }
        self.init(amount: amount, currency: currencies)
        if mapping[.minorUnits]?.flag() == true { notation = .minorUnits }
        guard let decimals = mapping[.decimals].flatMap({ $0.number(in: 0...6) }) else { return }
        guard notation == .decimal else {
            reader.report(expected: "minor_units or decimals, not both", found: "both")
            return
        }
        notation = .scaled(decimals: decimals)
    }
}

extension ConfigurationReader {
    /// Currencies, or where they are.
    fileprivate func currencies() -> [FieldSource]? {
        let expected = "a currency such as EUR (ISO 4217), or a place in an answer"
        return oneOrMany(expected) { reader in
            reader.value(expected) { text in
                guard let source = FieldSource(text) else { return nil }
                guard case .constant(let code) = source else { return source }
                return code.isCapitals(3) && Currency(code) != nil ? source : nil
            }
        }
    }
}

extension VerifyRule {
    enum Key: String, CaseIterable {
        case codes, otherwise, every
    }

    /// Reads places, or `{codes: …, otherwise: not-found, every: true}`.
    init?(reading reader: ConfigurationReader) {
        let isShort =
            if case .mapping(let entries) = reader.tree.content {
                // {each: …, take: …} is a place.
                entries.contains { $0.key.content == .scalar("each", isPlain: true) }
            } else {
                true
            }
        if isShort {
            guard let places = reader.codePlaces() else { return nil }
            self.init(codes: places)
            return
        }
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let codes = reader.required(
            mapping[.codes], "where the product's codes are", Key.codes.rawValue
        ) { $0.codePlaces() }
        guard let codes else { return nil }
        self.init(codes: codes)
        mapping.read(.otherwise, into: &otherwise) { $0.choice(Otherwise.self) }
        mapping.read(.every, into: &needsEveryPlace) { $0.flag() }
    }
}

extension CodeRules {
    enum Key: String, CaseIterable {
        case ask, characters
        case maximumLength = "max_length"
    }

    /// Reads which codes are asked; what is wrong is reported and has its default.
    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        self.init()
        mapping.read(.ask, into: &forms) { reader in
            reader.oneOrMany("forms of the code") { $0.codeForm() }
        }
        mapping.read(.characters, into: &characters) { $0.choice(Characters.self) }
        mapping.read(.maximumLength, into: &maximumLength) { $0.number(in: 1...4096) }
    }
}

extension ConfigurationReader {
    fileprivate func codeForm() -> CodeForm? {
        let names = CodeForm.named.map(\.name)
        guard let text = text("a form of the code such as gtin-13") else { return nil }
        if let form = CodeForm(name: text) { return form }
        let near = NearestName.nearest(to: text, in: names, within: max(1, text.count / 3))
        let meant = near.map { " (did you mean \($0)?)" } ?? ""
        report(expected: Words.either(names) + meant)
        return nil
    }
}
