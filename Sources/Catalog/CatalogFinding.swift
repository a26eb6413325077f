import WireText

/// Something in a catalog that is probably wrong.
package enum CatalogFinding: Hashable, Sendable {
    /// A code looks like a GTIN, but its last digit is not the check digit of the others.
    case wrongCheckDigit(product: String, code: String, expected: Int)
    /// Several products have the same code, perhaps in different spellings.
    case sharedCode([Owner])

    /// A product and the code it has, as written.
    package struct Owner: Hashable, Sendable {
        /// The product's id.
        package var product: String
        /// The code in this product's spelling.
        package var code: String

        /// Names a product and a code of it.
        ///
        /// - Parameters:
        ///   - product: The product's id.
        ///   - code: The code in this product's spelling.
        package init(product: String, code: String) {
            self.product = product
            self.code = code
        }
    }
}

extension CatalogFinding: CustomStringConvertible {
    /// The finding as one sentence.
    package var description: String {
        switch self {
        case .wrongCheckDigit(let product, let code, let expected):
            return
                "The code \(code.quoted()) of product \(product.quoted()) ends in a wrong check digit; "
                + "expected \(expected), got \(code.last.map(String.init) ?? "none")."
        case .sharedCode(let owners):
            let list = owners.map { "\($0.code.quoted()) of product \($0.product.quoted())" }
            return "Several products have the same code: \(list.joined(separator: ", ")); "
                + "a lookup finds product \((owners.first?.product ?? "").quoted())."
        }
    }
}
