package import Catalog
package import WireText

/// A line of a feed's file: a product, or in a delta the id of one that is gone.
package enum FeedRow: Equatable, Sendable {
    /// The product as it is from now on.
    case product(Product)
    /// The product with this id is gone.
    case removed(id: String)

    /// The longest line, in bytes.
    static let longest = 1 << 20

    /// The id of the product.
    package var id: String {
        switch self {
        case .product(let product): product.id
        case .removed(let id): id
        }
    }

    /// A product's line, without the line break; equal products have equal lines.
    package static func line(of product: Product) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        JSONWriter.append(product.jsonValue, to: &line)
        return line
    }

    /// The line that says that a product is gone.
    static func line(removing id: String) -> [UInt8] {
        var line: [UInt8] = []
        JSONWriter.append(["removed": .string(id)] as JSONObject, to: &line)
        return line
    }

    /// Reads a line, as strictly as an import reads its rows.
    ///
    /// - Parameters:
    ///   - line: The line, without the line break.
    ///   - isDelta: Whether the line may remove a product.
    /// - Throws: ``Problem``; also for a line that this keywedge would write in another way, since its
    ///   digest would not be the product's.
    package init(_ line: [UInt8], inDelta isDelta: Bool = true) throws(Problem) {
        let value: JSONValue
        do {
            value = try JSONReader.read(line)
        } catch {
            throw .syntax(error)
        }
        guard let object = value.object else { throw .field("the row", "an object") }
        if isDelta, let id = object["removed"]?.string {
            self = .removed(id: id)
            guard !id.isEmpty, Self.line(removing: id) == line else { throw .notCanonical }
        } else {
            let product = try Product(row: object)
            self = .product(product)
            guard Self.line(of: product) == line else { throw .notCanonical }
        }
    }
}

extension FeedRow {
    /// What is wrong with a line.
    package enum Problem: Error, Equatable, Sendable {
        /// It is no JSON.
        case syntax(JSONSyntaxError)
        /// A member, named in words, is missing or something else than expected.
        case field(String, String)
        /// The price is no price.
        case price(PriceError)
        /// The product has a code twice.
        case repeatedCode(String)
        /// Members are unknown, in another order or written otherwise.
        case notCanonical
        /// The line is too long.
        case tooLong
        /// The row does not come after the one before it.
        case order(id: String, after: String)
    }
}

extension FeedRow.Problem: CustomStringConvertible {
    /// What is wrong, as one sentence.
    package var description: String {
        switch self {
        case .syntax(let error): "The row is no JSON: \(error)."
        case .field(let name, let expected): "Expected \(expected) for \(name)."
        case .price(let error): error.description
        case .repeatedCode(let code):
            "The product has the code \(code.quoted()) twice; expected each code once."
        case .notCanonical:
            "The row is not written as keywedge writes it; expected the same members, order and form."
        case .tooLong: "The row is too long; expected at most \(FeedRow.longest) bytes."
        case .order(let id, let previous):
            "The id \(id.quoted()) follows \(previous.quoted()); expected rows sorted by id, each once."
        }
    }
}

extension Product {
    /// Reads a product strictly.
    fileprivate init(row object: JSONObject) throws(FeedRow.Problem) {
        guard let id = try Self.text("id", of: object) else {
            throw .field("\"id\"", "the product's id")
        }
        self.init(id: id)
        codes = try Self.codes(of: object)
        name = try Self.text("name", of: object)
        unit = try Self.text("unit", of: object)
        price = try Self.price(of: object)
        let prices = object["prices"]?.array ?? []
        for value in prices {
            // It says whether the amount is none; whatever else is wrong is a wrong time.
            _ = try value.object.map(Self.price(of:))
            guard let dated = DatedPrice(json: value) else {
                throw .field("\"prices\"", "prices with times")
            }
            datedPrices.append(dated)
        }
        for member in object["attributes"]?.object?.members ?? [] {
            guard !member.key.isEmpty, !member.key.utf8.contains(0) else {
                throw .field("an attribute's name", "a text")
            }
            attributes[member.key] = try Self.checked(
                member.value, "the attribute \(member.key.quoted())")
        }
    }

    private static func codes(of object: JSONObject) throws(FeedRow.Problem) -> [String] {
        guard let values = object["codes"]?.array else { throw .field("\"codes\"", "a list") }
        var codes: [String] = []
        var known: Set<[UInt8]> = []
        for value in values {
            let code = try checked(value, "a code")
            guard known.insert(Array(code.utf8)).inserted else { throw .repeatedCode(code) }
            codes.append(code)
        }
        return codes
    }

    private static func price(of object: JSONObject) throws(FeedRow.Problem) -> Price? {
        let amount = try text("price", of: object)
        let code = try text("currency", of: object)
        guard let amount else {
            guard code == nil else { throw .field("\"price\"", "an amount beside the currency") }
            return nil
        }
        guard let currency = code.flatMap({ Currency($0) }) else {
            throw .field("\"currency\"", "a code of ISO 4217 such as EUR")
        }
        do throws(PriceError) {
            return try Price(amount: amount, currency: currency)
        } catch {
            throw .price(error)
        }
    }

    private static func text(
        _ key: String, of object: JSONObject
    ) throws(FeedRow.Problem) -> String? {
        guard let value = object[key] else { return nil }
        return try checked(value, "\"\(key)\"")
    }

    private static func checked(
        _ value: JSONValue, _ name: String
    ) throws(FeedRow.Problem) -> String {
        guard let text = value.string, !text.isEmpty, !text.utf8.contains(0) else {
            throw .field(name, "a text that is not empty")
        }
        return text
    }
}
