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
    var id: String {
        switch self {
        case .product(let product): product.id
        case .removed(let id): id
        }
    }

    /// The product; nil if it is gone.
    var product: Product? {
        if case .product(let product) = self { product } else { nil }
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
    /// - Throws: ``Problem``; also if this keywedge would write the line in another way, since its
    ///   digest would not be that of the product.
    init(_ line: [UInt8], inDelta isDelta: Bool) throws(Problem) {
        let value: JSONValue
        do {
            value = try JSONReader.read(line)
        } catch {
            throw .syntax(error)
        }
        let expected: [UInt8]
        if isDelta, let id = value.object?["removed"]?.string {
            self = .removed(id: id)
            expected = Self.line(removing: id)
        } else {
            if let object = value.object { try Self.checkPrice(object) }
            guard let product = Product(json: value) else { throw .noProduct }
            self = .product(product)
            try product.checkTexts()
            expected = Self.line(of: product)
        }
        guard !id.isEmpty, expected == line else { throw .otherForm }
    }

    private static func checkPrice(_ object: JSONObject) throws(Problem) {
        for price in [object] + (object["prices"]?.array ?? []).compactMap(\.object) {
            guard let amount = price["price"]?.string else { continue }
            guard let currency = price["currency"]?.string.flatMap({ Currency($0) }) else {
                throw .price(.noCurrency(text: amount))
            }
            let read: Price
            do {
                read = try Price(amount: amount, currency: currency)
            } catch {
                throw .price(error)
            }
            guard read.amount == amount else { throw .otherForm }
        }
    }
}

extension FeedRow {
    /// What is wrong with a line.
    package enum Problem: Error, Equatable, Sendable {
        /// It is no JSON.
        case syntax(JSONSyntaxError)
        /// It is no object with an id.
        case noProduct
        /// The price is no price.
        case price(PriceError)
        /// A text of the product, named in words, is empty or has a NUL character.
        case text(String)
        /// The product has a code twice.
        case repeatedCode(String)
        /// Members are unknown, missing, in another order or written otherwise.
        case otherForm
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
        case .noProduct: "The row is no product; expected an object with an id."
        case .price(let error): error.description
        case .text(let name): "Expected a text for \(name) that is not empty and has no NUL."
        case .repeatedCode(let code):
            "The product has the code \(code.quoted()) twice; expected each code once."
        case .otherForm:
            "The row is not what keywedge writes of a product; expected its members, order and form."
        case .tooLong: "The row is too long; expected at most \(FeedRow.longest) bytes."
        case .order(let id, let last):
            "The id \(id.quoted()) follows \(last.quoted()); expected rows sorted by id, each once."
        }
    }
}

extension Product {
    /// Makes sure that no text is empty, and that each code is there once.
    fileprivate func checkTexts() throws(FeedRow.Problem) {
        var known: Set<[UInt8]> = []
        for code in codes where !known.insert(Array(code.utf8)).inserted {
            throw .repeatedCode(code)
        }
        let texts: [(String, String?)] =
            [("the id", id), ("the name", name), ("the unit", unit)]
            + codes.map { ("a code", $0) }
            + attributes.flatMap { [("an attribute's name", $0), ("an attribute", $1)] }
        for case (let name, let text?) in texts where text.isEmpty || text.utf8.contains(0) {
            throw .text(name)
        }
    }
}

extension String {
    /// Whether a text stands before another, byte by byte.
    func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
