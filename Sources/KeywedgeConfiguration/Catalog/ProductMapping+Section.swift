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
        Setting("unit", \.unit, .sources, "The unit that the price is for.")
        Setting(
            "attributes", \.attributes,
            .named("a mapping of attributes to places", of: .sources).omitting(\.isEmpty),
            "The attributes, each by its name.")
        Setting(
            "verify", \.verify, .verify,
            "Where the product's codes are, to compare with the requested code.")
    } check: { product, section in
        guard case .constant(let text)? = product.id.first(where: \.isConstant) else { return }
        // With a constant id, all products would count as the same product.
        section.at("id").report(
            expected: "places in an answer such as /id", found: "\(quoted: text)")
    }.codec
}

extension Codec<PriceRule> {
    fileprivate static let price = Section("price", PriceRule(amount: [])) {
        Setting("amount", \.amount, .places, "The amount.", needed: "where the amount is")
        Setting(
            "minor_units", \.isInMinorUnits, .flag.omitting { !$0 },
            "Whether the amount is a whole number of the currency's minor unit.")
        Setting(
            "decimals", \.decimals, .number(in: 0...6),
            "How many digits of a whole-number amount are decimals.")
        Setting(
            "currency", \.currency, .currencies,
            "The currency, or where it is; else the catalog's.")
    } check: { price, section in
        if section["minor_units"]?.tree.text == "true", let decimals = section["decimals"] {
            decimals.report(expected: "minor_units or decimals, not both", found: "both")
        }
        guard section["currency"] == nil else { return }
        if let currency = section.context.currency {
            price.currency = [.constant(currency)]
        } else {
            section.at("currency").report(
                expected: "a currency such as EUR or where it is, here or as catalog.currency",
                found: "none")
        }
    }.codec
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
    fileprivate static let currencies = oneOrMany(
        expected,
        of: Codec<Place>.text(
            expected, .string(pattern: "^([A-Z]{3}|(#|first#)?/.*)$"),
            read: { text in
                guard let source = Place(source: text) else { return nil }
                guard case .constant(let code) = source else { return source }
                return code.isCurrency ? source : nil
            }, write: \.text))
}

extension Codec<VerifyRule> {
    /// The setting `verify`: the places of the codes to compare with the requested code.
    fileprivate static let verify = either(
        Codec<[Place]>.codePlaces.map({ VerifyRule(codes: $0) }, \.codes),
        Section("verify", VerifyRule(codes: [])) {
            Setting(
                "codes", \.codes, .codePlaces, "Where the product's codes are.",
                needed: "where the product's codes are")
            Setting(
                "otherwise", \.otherwise, .choice,
                "The result if no product in an answer has the code.")
            Setting(
                "every", \.needsEveryPlace, .flag.omitting { !$0 },
                "Whether the code must be at every place that has a value.")
        }.codec, isLong: { $0.pairs?.keys.contains { $0.text == "each" } == false })
}

extension CodeRules {
    static let section = Section("codes", CodeRules()) {
        Setting(
            "ask", \.forms, .oneOrMany("forms of the code", of: .choice),
            "The forms of a code to request, in this order.")
        Setting(
            "characters", \.characters, .choice,
            "The characters that a requested code may contain.")
        Setting(
            "max_length", \.maximumLength, .number(in: 1...4096),
            "The longest code to request, in bytes.")
    }
}

private let pointerText = "a JSON pointer such as /product/name (RFC 6901)"

extension Codec<JSONPointer> {
    static let pointer = text(
        pointerText, .string(pattern: "^(/([^~]|~[01])*)?$"), read: { JSONPointer($0) },
        write: \.description)
}

extension Codec<Place> {
    /// A JSON pointer into the product, the answer (`#`) or the first answer (`first#`).
    static let place = text(
        "\(pointerText), perhaps with # or first# in front",
        .string(pattern: "^(#|first#)?(/([^~]|~[01])*)?$"), read: { Place($0) }, write: \.text)

    /// The source of a field's value: a place in an answer, a list element or constant text.
    fileprivate static let source = either(
        text(
            "a place in an answer such as /name, or a text", .text(minimum: 1),
            read: { Place(source: $0) }, write: \.text),
        element(
            "joined", of: .place, is: place.map({ .some($0) }, { $0 }),
            "the place where the product names it"))

    /// The place of a placeholder's value in the first answer: a pointer or a list element.
    static let captured = either(
        itemPlace,
        // `is` has only one valid value; it makes the file easier to understand.
        element(
            "coded-element", of: itemPlace,
            is: Codec<Place?>.text(
                "\"{code}\"", .either(["{code}"]), read: { $0 == "{code}" ? .some(nil) : nil },
                write: { _ in "{code}" }),
            "\"{code}\", the code that was asked"))

    /// Returns a codec for a place in a list element, such as `{each: /units, where: /no, is: /unit, take: /name}`.
    private static func element(
        _ name: String, of list: Self, is own: Codec<Place?>, _ meaning: String
    ) -> Self {
        Section(
            name, (list: item, key: JSONPointer(), own: Place?.none, take: JSONPointer()),
            onOneLine: { _ in true }
        ) {
            Setting("each", \.list, list, "The list.", needed: "where the list is")
            Setting(
                "where", \.key, .pointer, "Where each element has its id or code.",
                needed: "where each element has its id or code")
            Setting("is", \.own, own, "Which element to use: \(meaning).", needed: meaning)
            Setting(
                "take", \.take, .pointer, "Where the value is in that element.",
                needed: "where the value is in that element")
        }.codec.map(
            { .element(of: $0.list, where: $0.key, is: $0.own, take: $0.take) },
            {
                guard case .element(let list, let key, let own, let take) = $0 else { return nil }
                return (list, key, own, take)
            })
    }

    private static let item = Place.at(.item, JSONPointer())
    private static let itemPlace = Codec<JSONPointer>.pointer.map(
        { Place.at(.item, $0) }, { if case .at(.item, let pointer) = $0 { pointer } else { nil } })

    /// Where an answer has a product's codes: a pointer, or `{each: /list, take: /code}` for one in each element.
    fileprivate static let codes = either(
        place,
        Section(
            "code-list", (list: item, take: JSONPointer?.none), onOneLine: { _ in true }
        ) {
            Setting("each", \.list, .place, "The list.", needed: "where the list is")
            Setting(
                "take", \.take, .pointer, "Where the code is in each element.",
                needed: "where the code is in each element")
        }.codec.map(
            { parts in parts.take.map { .each(of: parts.list, take: $0) } ?? parts.list },
            { if case .each(let list, let take) = $0 { (list, take) } else { nil } }))

}

extension Codec<[Place]> {
    static let places = oneOrMany("places in an answer", of: .place)
    static let sources = oneOrMany("places in an answer, or texts", of: .source)
    static let codePlaces = oneOrMany(
        "places in an answer, or {each: /list, take: /code}", of: .codes)
}

extension Codec {
    /// Makes a codec for a mapping from names to values; reading and writing keep the order of the names.
    static func named<Item>(
        _ expected: String, of values: Codec<Item>, keys: Codec<String> = .anyKey
    ) -> Self where Value == [Named<Item>] {
        Codec<[(String, Item)]>.pairs(expected, of: values, keys: keys).map(
            { $0.map(Named.init) }, { $0.map { ($0.name, $0.value) } })
    }
}

extension Codec<String> {
    static let anyKey = Self.text("a name", node: { Node($0) }, read: \.self, write: \.self)

    /// The name of a placeholder, used as a key in a mapping.
    static let placeholder = text(
        "a name of a-z, 0-9 and \"_\" other than code",
        .string(pattern: "^(?!code$)[a-z][a-z0-9_]*$"), node: { Node($0) },
        read: { Template.isName($0) && $0 != "code" ? $0 : nil }, write: \.self)
}
