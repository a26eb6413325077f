import Catalog
import HTTPCatalog
import WireText
import Yams

extension Codec<ProductMapping> {
    static let product = Section("product", ProductMapping()) {
        Setting(
            "items", \.items, .pointer,
            "The list of products in the answer; without it the answer is one product.")
        Setting("id", \.id, .sources, "The id.", needed: "where the product's id is")
        Setting("codes", \.codes, .codePlaces, "The codes.")
        Setting("name", \.name, .sources, "The name.")
        Setting("price", \.price, .price, "The price.")
        Setting("unit", \.unit, .sources, "What the price is for.")
        Setting("attributes", \.attributes, .attributes, "The attributes, each by its name.")
        Setting(
            "verify", \.verify, .verify,
            "Where the product's codes are, to be compared with the one that was asked for.")
    } check: { product, section in
        guard case .constant(let text)? = product.id.first(where: \.isConstant) else { return }
        // All products would be one.
        section.at(\.id).report(
            expected: "places in an answer such as /id", found: "\(quoted: text)")
    }.codec
}

extension Codec<[ProductMapping.Attribute]> {
    fileprivate static let attributes = Codec<[(String, [Place])]>.pairs(
        "a mapping of attributes to places", of: .sources, key: { name, _ in name }, name: \.self
    ).map({ $0.map(ProductMapping.Attribute.init) }, { $0.map { ($0.name, $0.places) } })
        .omitting(\.isEmpty)
}

extension Codec<PriceRule> {
    fileprivate static let price = Section(
        "price", PriceRule(amount: []), exclusive: [["minor_units", "decimals"]]
    ) {
        Setting("amount", \.amount, .places, "The amount.", needed: "where the amount is")
        Setting(
            "minor_units", \.isInMinorUnits, .flag.omitting { !$0 },
            "Whether the amount is a whole number of the currency's minor unit.")
        Setting(
            "decimals", \.decimals, .number(in: 0...6),
            "How many decimals are left off an amount that is a whole number.")
        Setting(
            "currency", \.currency, .currencies,
            "The currency, or where it is; else the catalog's.")
    } check: { price, section in
        checkCurrency(&price, section)
        let says = section[\.isInMinorUnits]?.unreported
        if says.flatMap(Codec<Bool>.flag.read) == true, section[\.decimals] != nil {
            section.reader.report(expected: "minor_units or decimals, not both", found: "both")
        }
    }.codec

    private static func checkCurrency(_ price: inout PriceRule, _ section: SectionReader<PriceRule>)
    {
        guard section[\.currency] == nil else { return }
        if let currency = section.reader.context.currency {
            price.currency = [.constant(currency)]
        } else {
            section.at(\.currency).report(
                expected: "a currency such as EUR or where it is, here or as catalog.currency",
                found: "none")
        }
    }
}

extension PriceRule {
    fileprivate var isInMinorUnits: Bool {
        get { notation == .minorUnits }
        set { if newValue { notation = .minorUnits } }
    }

    fileprivate var decimals: Int? {
        get { if case .scaled(let decimals) = notation { decimals } else { nil } }
        set { if let newValue { notation = .scaled(decimals: newValue) } }
    }
}

extension Codec<[Place]> {
    private static let expected = "a currency such as EUR (ISO 4217), or a place in an answer"

    /// Currencies, or where they are.
    fileprivate static let currencies = oneOrMany(expected, of: currency)

    private static let currency = Codec<Place>(
        read: { reader in
            reader.value(expected) { text in
                guard let source = Place(source: text) else { return nil }
                guard case .constant(let code) = source else { return source }
                return code.isCapitals(3) && Currency(code) != nil ? source : nil
            }
        }, write: { Node(text: $0.text) },
        schema: { _ in .string(pattern: "^([A-Z]{3}|(#|first#)?/.*)$") })
}

extension Codec<VerifyRule> {
    /// Places, or `{codes: …, otherwise: not-found, every: true}`.
    fileprivate static let verify = Self(
        read: { reader in
            if isShort(reader.tree) {
                return Codec<[Place]>.codePlaces.read(reader).map { VerifyRule(codes: $0) }
            }
            return long.read(reader)
        }, write: long.write,
        schema: { .any(of: Codec<[Place]>.codePlaces.schema(&$0), long.schema(&$0)) },
        merge: long.merge)

    /// `{each: …, take: …}` is a place.
    private static func isShort(_ tree: YAMLTree) -> Bool {
        guard case .mapping = tree.content else { return true }
        return tree.value(of: "each") != nil
    }

    private static let long = Section("verify", VerifyRule(codes: [])) {
        Setting(
            "codes", \.codes, .codePlaces, "Where the product's codes are.",
            needed: "where the product's codes are")
        Setting(
            "otherwise", \.otherwise, .choice,
            "What it means that no product in an answer has the code.")
        Setting(
            "every", \.needsEveryPlace, .flag.omitting { !$0 },
            "Whether the code has to be at each of the places that is there.")
    }.codec
}

extension CodeRules {
    static let section = Section("codes", CodeRules()) {
        Setting(
            "ask", \.forms, .oneOrMany("forms of the code", of: .codeForm),
            "The forms of a code, in the order they are asked.")
        Setting(
            "characters", \.characters, .choice,
            "What a code may consist of; others are not asked.")
        Setting(
            "max_length", \.maximumLength, .number(in: 1...4096),
            "The longest code that is asked, in bytes.")
    }
}

extension Codec<CodeForm> {
    private static let names = CodeForm.all.map(\.name)

    fileprivate static let codeForm = Self(
        read: { reader in
            guard let text = reader.text("a form of the code such as gtin-13") else { return nil }
            if let form = CodeForm(name: text) { return form }
            let near = NearestName.nearest(to: text, in: names, within: max(1, text.count / 3))
            let meant = near.map { " (did you mean \($0)?)" } ?? ""
            reader.report(expected: Words.either(names) + meant)
            return nil
        }, write: { Node(word: $0.name) }, schema: { _ in .either(names) })
}
