import Catalog
import WebAPI
import WireText

/// A page of changes, as the service writes it.
///
/// It is read without a decoder of models, which takes twice as long for the pages of a large catalog.
struct ChangesPage: Sendable {
    /// What has changed.
    let changes: UpstreamChanges
    /// The revision that the changes lead to.
    let revision: CatalogRevision
    /// Where the next page begins; nil behind the last.
    let next: ChangeCursor?
    /// How much is to come with all pages; nil where that is not said.
    let extent: ChangesExtent?

    /// Reads a page.
    ///
    /// - Parameter json: What the service answered.
    /// - Throws: `TransformError`, with the place in the JSON.
    init(_ json: JSONValue) throws(TransformError) {
        let top = Member(value: json, place: JSONPointer())
        var changes = UpstreamChanges()
        let revision = try Self.place(
            "revision", of: top, as: "a revision such as 42-9f3a0b7c1d2e4f50"
        ) { CatalogRevision($0) }
        guard let revision else { throw .missingKey("revision", at: JSONPointer()) }
        // A page that lacks one of them is another service's, and says nothing of products.
        for element in try top.requiredList("changed") {
            changes.changed.append(try Self.product(element))
        }
        for element in try top.requiredList("removed") {
            changes.removed.append(try element.text())
        }
        next = try Self.place("next", of: top, as: "a place such as 42-9f3a0b7c1d2e4f50.all.1000") {
            ChangeCursor($0)
        }
        extent = Self.extent(json)
        self.changes = changes
        self.revision = revision
    }

    private static func extent(_ json: JSONValue) -> ChangesExtent? {
        guard case .integer(let pending) = json[JSONPointer(["pending"])],
            case .integer(let total) = json[JSONPointer(["total"])], pending >= 0, total >= 0
        else { return nil }
        return ChangesExtent(changes: Int(pending), products: Int(total))
    }

    /// A revision or a place among the changes, which goes into the next request.
    private static func place<Place>(
        _ key: String, of top: Member, as expected: String, _ read: (String) -> Place?
    ) throws(TransformError) -> Place? {
        guard let text = try top.text(key) else { return nil }
        let length = text.unicodeScalars.count
        guard length <= ServiceLimits.cursorLength else {
            throw .unexpectedValue(
                at: JSONPointer([key]),
                expected:
                    "a text of at most \(ServiceLimits.cursorLength) characters, not \(length)",
                found: .string(text))
        }
        guard let place = read(text) else {
            throw .unexpectedValue(
                at: JSONPointer([key]), expected: expected,
                found: .string(text))
        }
        return place
    }

    private static func product(_ element: Member) throws(TransformError) -> Product {
        guard let id = try element.text("id") else { throw .missingKey("id", at: element.place) }
        var product = Product(
            id: id, name: try element.text("name"), price: try price(element),
            unit: try element.text("unit"))
        product.datedPrices = try element.list("prices").map(Self.datedPrice)
        for code in try element.list("codes") { product.codes.append(try code.text()) }
        for (name, value) in try element.members("attributes") {
            product.attributes[name] = try value.text()
        }
        return product
    }

    private static func datedPrice(_ element: Member) throws(TransformError) -> DatedPrice {
        guard let price = DatedPrice(json: element.value) else {
            throw .unexpectedValue(
                at: element.place, expected: "a price with valid_from, valid_until or both",
                found: element.value)
        }
        return price
    }

    private static func price(_ element: Member) throws(TransformError) -> Price? {
        guard let amount = try element.text("price") else { return nil }
        let place = element.place
        guard let code = try element.text("currency") else {
            throw .missingKey("currency", at: place)
        }
        guard let currency = Currency(code) else {
            throw .unexpectedValue(
                at: place.appending("currency"), expected: "a code of ISO 4217",
                found: .string(code))
        }
        do {
            return try Price(amount: amount, currency: currency)
        } catch {
            throw .unexpectedValue(
                at: place.appending("price"), expected: "a price",
                found: .string(amount))
        }
    }
}

/// A part of a JSON text, and where it stands.
private struct Member {
    let value: JSONValue
    let place: JSONPointer

    /// The text this is.
    func text() throws(TransformError) -> String {
        guard let text = value.string else { throw unexpected("a text") }
        // The catalog knows no empty text, and SQLite ends one at a NUL.
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw .unexpectedValue(
                at: place, expected: "a text that is not empty, without NUL characters",
                found: value)
        }
        return text
    }

    /// The text under a key; nil where there is none.
    func text(_ key: String) throws(TransformError) -> String? {
        try member(key)?.text()
    }

    /// The elements of the list under a key; none where there is none.
    func list(_ key: String) throws(TransformError) -> [Member] {
        guard let member = try member(key) else { return [] }
        guard let elements = member.value.array else { throw member.unexpected("a list") }
        return elements.enumerated().map {
            Member(value: $1, place: member.place.appending("\($0)"))
        }
    }

    /// The elements of the list under a key that must be there.
    func requiredList(_ key: String) throws(TransformError) -> [Member] {
        guard try member(key) != nil else { throw .missingKey(key, at: place) }
        return try list(key)
    }

    /// The members of the object under a key; none where there is none.
    func members(_ key: String) throws(TransformError) -> [(String, Member)] {
        guard let member = try member(key) else { return [] }
        guard let object = member.value.object else { throw member.unexpected("an object") }
        return object.members.map {
            ($0.key, Member(value: $0.value, place: member.place.appending($0.key)))
        }
    }

    private func member(_ key: String) throws(TransformError) -> Member? {
        guard let object = value.object else { throw unexpected("an object") }
        guard let value = object[key], value != .null else { return nil }
        return Member(value: value, place: place.appending(key))
    }

    private func unexpected(_ expected: String) -> TransformError {
        .unexpectedType(at: place, expected: expected, found: value)
    }
}
