import Catalog
import WebAPI

/// A page of changes, as the service writes it.
struct ChangesPage: Decodable, Sendable {
    /// What has changed.
    let changes: UpstreamChanges
    /// The revision that the changes lead to.
    let revision: CatalogRevision
    /// Where the next page begins; nil behind the last.
    let next: ChangeCursor?

    private enum CodingKeys: CodingKey {
        case revision, changed, removed, next
    }

    init(from decoder: any Decoder) throws {
        let page = try decoder.container(keyedBy: CodingKeys.self)
        revision = try page.place(.revision, as: "a revision such as 42-9f3a0b7c1d2e4f50") {
            CatalogRevision($0)
        }.required(.revision, in: page)
        // A page that lacks one of them is another service's, and says nothing of products.
        let changed = try page.decodeIfPresent([ServedProduct].self, forKey: .changed)
            .required(.changed, in: page)
        let removed = try page.decodeIfPresent([FilledText].self, forKey: .removed)
            .required(.removed, in: page)
        changes = UpstreamChanges(changed: changed.map(\.product), removed: removed.map(\.text))
        next = try page.place(.next, as: "a place such as 42-9f3a0b7c1d2e4f50.all.1000") {
            ChangeCursor($0)
        }
    }
}

/// A product of a page.
private struct ServedProduct: Decodable {
    let product: Product

    private enum CodingKeys: CodingKey {
        case id, name, price, currency, unit, codes, attributes
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        var product = Product(
            id: try members.text(.id).required(.id, in: members), name: try members.text(.name),
            price: try Self.price(members), unit: try members.text(.unit))
        product.codes =
            try members.decodeIfPresent([FilledText].self, forKey: .codes)?.map(\.text) ?? []
        product.attributes =
            try members.decodeIfPresent([String: FilledText].self, forKey: .attributes)?
            .mapValues(\.text) ?? [:]
        self.product = product
    }

    private static func price(_ members: KeyedDecodingContainer<CodingKeys>) throws -> Price? {
        guard let amount = try members.text(.price) else { return nil }
        let code = try members.text(.currency).required(.currency, in: members)
        guard let currency = Currency(code) else {
            throw TransformError.unexpectedValue(
                in: try members.superDecoder(forKey: .currency), expected: "a code of ISO 4217")
        }
        do {
            return try Price(amount: amount, currency: currency)
        } catch {
            throw TransformError.unexpectedValue(
                in: try members.superDecoder(forKey: .price), expected: "a price")
        }
    }
}

/// A text as a catalog can keep it.
private struct FilledText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        // The catalog knows no empty text, and SQLite ends one at a NUL.
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw TransformError.unexpectedValue(
                in: decoder, expected: "a text that is not empty, without NUL characters")
        }
    }
}

extension KeyedDecodingContainer {
    /// The text under a key; nil where there is none.
    fileprivate func text(_ key: Key) throws -> String? {
        try decodeIfPresent(FilledText.self, forKey: key)?.text
    }

    /// A revision or a place among the changes, which goes into the next request.
    fileprivate func place<Place>(
        _ key: Key, as expected: String, _ read: (String) -> Place?
    ) throws -> Place? {
        guard let text = try text(key) else { return nil }
        let length = text.unicodeScalars.count
        guard length <= ServiceLimits.cursorLength else {
            throw TransformError.unexpectedValue(
                in: try superDecoder(forKey: key),
                expected:
                    "a text of at most \(ServiceLimits.cursorLength) characters, not \(length)")
        }
        guard let place = read(text) else {
            throw TransformError.unexpectedValue(
                in: try superDecoder(forKey: key), expected: expected)
        }
        return place
    }
}

extension Optional {
    /// What stands under a key that must be there; null is none.
    fileprivate func required<Key>(
        _ key: Key, in members: KeyedDecodingContainer<Key>
    ) throws -> Wrapped {
        if let self { return self }
        throw DecodingError.keyNotFound(
            key, DecodingError.Context(codingPath: members.codingPath, debugDescription: ""))
    }
}
