import Catalog
import HTTPCatalog

/// The codes a catalog is tried with.
package struct EndpointCodes: Equatable, Sendable {
    /// A code the catalog should have.
    package struct Known: Equatable, Sendable {
        /// The code.
        package var code: String
        /// What the product costs, as a person writes it; nil where nobody said.
        package var price: String?
        /// Whether it is a guess that the catalog has it, so that not finding it says nothing.
        package var isGuess: Bool

        /// Names a code.
        ///
        /// - Parameters:
        ///   - code: The code.
        ///   - price: What the product costs.
        ///   - isGuess: Whether it is a guess that the catalog has it.
        package init(_ code: String, price: String? = nil, isGuess: Bool = false) {
            self.code = code
            self.price = price
            self.isGuess = isGuess
        }
    }

    /// Codes the catalog should have; empty where nobody knows one.
    package var known: [Known]
    /// A code the catalog should not have; nil for one that fits the forms it is asked in.
    package var unknown: String?

    /// Names the codes.
    ///
    /// - Parameters:
    ///   - known: Codes the catalog should have.
    ///   - unknown: A code the catalog should not have.
    package init(known: [Known] = [], unknown: String? = nil) {
        self.known = known
        self.unknown = unknown
    }

    /// Codes that public catalogs have, by the name of the catalog: those of the examples in their
    /// own documentation.
    private static let documented = [
        "gs1-resolver": "09506000134352", "openfoodfacts": "3017620422003",
        "upcitemdb": "885909456017",
    ]

    /// A code a public catalog has.
    ///
    /// - Parameter catalog: The catalog's name; presets have that of the service.
    /// - Returns: The code; nil for a shop's own catalog.
    package static func documented(for catalog: String) -> String? { documented[catalog] }

    /// Codes that nothing has, to be tried until one has a form the catalog is asked in.
    ///
    /// The numbers begin with 952, which GS1 keeps for demonstrations, or are the last of a range;
    /// the text is for catalogs that are asked for nothing else.
    static let unused = ["9529999999993", "0099999999990", "99999995", "keywedge-no-such-code"]
}

extension EndpointCodes.Known {
    /// Reads a code with or without a price behind its last equals sign: `4006381333931=3.49`.
    ///
    /// What stands there and is no price belongs to the code; so does all of a URL.
    ///
    /// - Parameter text: The code, or code and price.
    package init(reading text: String) {
        self.init(text)
        guard !text.hasPrefix("http://"), !text.hasPrefix("https://"),
            let sign = text.lastIndex(of: "="), sign != text.startIndex
        else { return }
        let price = String(text[text.index(after: sign)...])
        guard let euro = Currency("EUR"), Self.price(price, in: euro) != nil else { return }
        (code, self.price) = (String(text[..<sign]), price)
    }

    /// The price a person wrote, in the currency named there or else in another.
    ///
    /// - Parameters:
    ///   - text: For instance `3.49`, `3,49` or `3.49 EUR`.
    ///   - currency: The currency where the text names none.
    /// - Returns: The price; nil where the text is none.
    static func price(_ text: String, in currency: Currency) -> Price? {
        (try? Price(amount: text, currency: currency))
            ?? (try? Price(reading: text, fallback: currency))
    }
}
