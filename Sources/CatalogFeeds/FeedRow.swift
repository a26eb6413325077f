package import Catalog
package import WireText

/// A line of a feed's file: a product, or in a delta the id of one that is gone.
package struct FeedRow: Sendable {
    /// The longest line, in bytes.
    static let longest = 1 << 20

    let id: String
    /// The product as it is from now on; nil if it is gone.
    let product: Product?

    /// A product's line, without the line break; equal products have equal lines.
    package static func line(of product: Product) -> [UInt8] { line(product.jsonValue) }

    /// The line that says that a product is gone.
    static func line(removing id: String) -> [UInt8] { line(["removed": .string(id)]) }

    private static func line(_ value: JSONValue) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        JSONWriter.append(value, to: &line)
        return line
    }

    /// Reads a line, as strictly as an import reads its rows; in a delta it may remove a product.
    ///
    /// A line that this keywedge would write differently is refused: its digest would not be that of
    /// the product.
    init(_ line: [UInt8], inDelta isDelta: Bool) throws(Problem) {
        let value: JSONValue
        do {
            value = try JSONReader.read(line)
        } catch {
            throw .syntax(error)
        }
        let expected: [UInt8]
        if isDelta, let id = value.object?["removed"]?.string {
            (self.id, product, expected) = (id, nil, Self.line(removing: id))
        } else {
            if let object = value.object { try Self.checkPrice(object) }
            guard let product = Product(json: value) else { throw .noProduct }
            try product.checkTexts()
            (id, self.product, expected) = (product.id, product, Self.line(of: product))
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
        case syntax(JSONSyntaxError)
        /// It is no object with an id.
        case noProduct
        case price(PriceError)
        /// A text, named in words, is empty or has a NUL character.
        case text(String)
        case repeatedCode(String)
        /// Members are unknown, missing, in another order or written differently.
        case otherForm
        case tooLong
        case order(id: String, after: String)
    }
}

extension FeedRow.Problem: CustomStringConvertible {
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
    /// Makes sure that no text is empty, and that no code is repeated.
    fileprivate func checkTexts() throws(FeedRow.Problem) {
        func check(_ name: String, _ text: String?) throws(FeedRow.Problem) {
            guard let text else { return }
            guard !text.isEmpty, !text.utf8.contains(0) else { throw .text(name) }
        }
        try check("the id", id)
        try check("the name", name)
        try check("the unit", unit)
        var known: Set<[UInt8]> = []
        for code in codes {
            try check("a code", code)
            guard codes.count == 1 || known.insert(Array(code.utf8)).inserted else {
                throw .repeatedCode(code)
            }
        }
        for (name, text) in attributes {
            try check("an attribute's name", name)
            try check("an attribute", text)
        }
    }
}

extension String {
    /// Whether a text sorts before another, byte by byte.
    func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
