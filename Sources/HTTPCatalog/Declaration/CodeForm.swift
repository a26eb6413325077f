import Barcodes
package import Catalog

/// In which form a catalog is asked for a code.
package struct CodeForm: Hashable, Sendable {
    /// What the form starts from.
    package enum Base: Hashable, Sendable {
        /// The text as typed.
        case asTyped
        /// The text as typed, in small letters.
        case lowerCase
        /// The text as typed, in capital letters.
        case upperCase
        /// The GTIN in so many digits: 8, 12, 13 or 14, padded with zeros on the left.
        case gtin(digits: Int)
    }

    /// What the form starts from.
    package let base: Base
    /// Whether the last digit, which only checks the others, is left off.
    package let dropsCheckDigit: Bool

    private init(_ base: Base, dropsCheckDigit: Bool = false) {
        self.base = base
        self.dropsCheckDigit = dropsCheckDigit
    }

    /// Every form there is, by its name in a configuration file.
    package static let named: [(name: String, form: CodeForm)] = {
        let texts = [
            ("as-typed", CodeForm(.asTyped)), ("lower-case", CodeForm(.lowerCase)),
            ("upper-case", CodeForm(.upperCase)),
        ]
        let numbers = [8, 12, 13, 14].map { ("gtin-\($0)", CodeForm(.gtin(digits: $0))) }
        let without = [8, 12, 13, 14].map {
            ("gtin-\($0)-without-check-digit", CodeForm(.gtin(digits: $0), dropsCheckDigit: true))
        }
        return texts + numbers + without
    }()

    /// The text as typed.
    package static let asTyped = CodeForm(.asTyped)

    /// The GTIN in as many digits.
    ///
    /// - Parameter digits: 8, 12, 13 or 14.
    /// - Returns: The form; a GTIN that needs more digits has none.
    package static func gtin(_ digits: Int) -> CodeForm { CodeForm(.gtin(digits: digits)) }

    /// The form of a name; nil where no form has it.
    ///
    /// - Parameter name: For instance `gtin-13` or `gtin-14-without-check-digit`.
    package init?(name: String) {
        guard let form = Self.named.first(where: { $0.name == name })?.form else { return nil }
        self = form
    }

    /// The name in a configuration file.
    package var name: String { Self.named.first { $0.form == self }?.name ?? "" }

    /// Whether the form starts from a GTIN.
    var isNumber: Bool { if case .gtin = base { true } else { false } }

    /// A code in this form.
    ///
    /// - Parameter key: What a scan is looked up under.
    /// - Returns: The text to ask for; nil if the code has no such form: it is no GTIN, or one that
    ///   needs more digits, or a GTIN that was not read as such.
    package func text(of key: LookupKey) -> String? {
        switch base {
        case .asTyped: key.text
        case .lowerCase: key.text?.lowercased()
        case .upperCase: key.text?.uppercased()
        case .gtin(let digits):
            key.gtin.flatMap { Self.spelling($0, digits: digits) }
                .map { dropsCheckDigit ? String($0.dropLast()) : $0 }
        }
    }

    private static func spelling(_ gtin: GTIN, digits: Int) -> String? {
        switch digits {
        case 8: gtin.gtin8
        case 12: gtin.gtin12
        case 13: gtin.gtin13
        default: gtin.text
        }
    }
}
