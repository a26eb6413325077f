package import Catalog
import WireText

/// A line of a feed file: a product or, in a delta, the id of a removed product.
package struct FeedRow: Sendable {
    /// The maximum length of a line, in bytes.
    static let longest = 1 << 20

    let id: String
    /// The product's new state; nil if it was removed.
    let product: Product?

    /// Returns a product's line in a feed file, without the line break.
    package static func line(of product: Product) -> [UInt8] { line(product.jsonValue) }

    static func line(removing id: String) -> [UInt8] { line(["removed": .string(id)]) }

    private static func line(_ value: JSONValue) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        JSONWriter.append(value, to: &line)
        return line
    }

    /// Reads a line and checks it like an imported row; in a delta, the line may also remove a product.
    ///
    /// Also throws if keywedge would write the line differently, because the catalog's revision would then differ from
    /// the publisher's.
    init(_ line: [UInt8], inDelta isDelta: Bool) throws(InvalidRow.Reason) {
        guard line.count <= Self.longest else { throw Self.tooLong }
        let value: JSONValue
        do {
            value = try JSONReader.read(line)
        } catch {
            throw .init("The row is not JSON: \(words: "\(error)").")
        }
        let expected: [UInt8]
        if isDelta, let id = value.object?["removed"]?.string {
            (self.id, product, expected) = (id, nil, Self.line(removing: id))
        } else {
            guard let product = Product(json: value) else {
                throw .init("The row is not a product; expected an object with an id.")
            }
            try product.checkTexts()
            (id, self.product, expected) = (product.id, product, Self.line(of: product))
        }
        guard !id.isEmpty, expected == line else { throw Self.otherForm }
    }

    static let tooLong = InvalidRow.Reason(
        "The row is too long; expected at most \(longest) bytes.")

    private static let otherForm = InvalidRow.Reason(
        "The row is not what keywedge writes of a product; expected its members, order and form.")
}

extension Product {
    /// Throws if a text is empty or contains a NUL, or if the product has a code twice.
    fileprivate func checkTexts() throws(InvalidRow.Reason) {
        func check(_ name: Phrase, _ text: String?) throws(InvalidRow.Reason) {
            guard let text, text.isEmpty || text.utf8.contains(0) else { return }
            throw .init("Expected a text for \(name) that is not empty and has no NUL.")
        }
        try check("the id", id)
        try check("the name", name)
        try check("the unit", unit)
        var known: Set<[UInt8]> = []
        for code in codes {
            try check("a code", code)
            guard codes.count == 1 || known.insert(Array(code.utf8)).inserted else {
                throw .init(
                    "The product has the code \(quoted: code) twice; expected each code once.")
            }
        }
        for (name, text) in attributes {
            try check("an attribute's name", name)
            try check("an attribute", text)
        }
    }
}

extension String {
    /// Whether the string sorts before another, byte by byte.
    func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
