package import Barcodes
package import Catalog
import WireText

/// Which codes a catalog is asked for, and in which forms.
package struct CodeRules: Equatable, Sendable {
    /// What a code may consist of.
    package enum Characters: String, CaseIterable, Sendable {
        /// Any text.
        case any
        /// Printable ASCII without spaces.
        case ascii
        /// ASCII letters and digits, `-`, `.` and `_`.
        case token
        /// ASCII digits.
        case digits
    }

    /// The forms, in the order they are asked.
    package var forms: [CodeForm]
    /// What a code may consist of; others are not asked.
    package var characters: Characters
    /// The longest code that is asked, in bytes of UTF-8.
    package var maximumLength: Int

    /// The longest code that is asked unless a declaration says otherwise: far beyond any code of
    /// a product, and short of what servers allow in a URL.
    package static let standardLength = 256

    package init(
        forms: [CodeForm] = [.asTyped], characters: Characters = .any,
        maximumLength: Int = standardLength
    ) {
        self.forms = forms
        self.characters = characters
        self.maximumLength = maximumLength
    }

    /// Whether the catalog does not distinguish capital letters from small ones: it is asked for one
    /// case only.
    var foldsCase: Bool { forms.contains(where: \.foldsCase) }

    /// A text to ask for, and what it stands for.
    struct Question: Sendable {
        let text: String
        let key: LookupKey
        /// The name of the form.
        let form: String
    }

    /// The texts to ask for, in order, each once; empty if the catalog cannot have the code.
    package func texts(of barcode: Barcode) -> [String] {
        readings(of: barcode).joined().joined().map(\.text)
    }

    /// What to ask for, by readings and in rounds, in order, each text once; empty if the catalog
    /// cannot have the code.
    ///
    /// The answer to a round is kept under its texts.
    func readings(of barcode: Barcode) -> [[[Question]]] {
        var known: [String] = []
        return barcode.lookupReadings.map { rounds in
            rounds.map { keys in
                keys.flatMap(forms).filter { question in
                    guard isAskable(question.text), !known.contains(question.text) else {
                        return false
                    }
                    known.append(question.text)
                    return true
                }
            }.filter { !$0.isEmpty }
        }.filter { !$0.isEmpty }
    }

    /// A key in each form it has.
    ///
    /// A number that was not read as such has no form of a text: a catalog that is asked for texts
    /// only is asked for it in as few digits as it has.
    private func forms(of key: LookupKey) -> [Question] {
        let questions = forms.compactMap { form in
            form.text(of: key).map { Question(text: $0, key: key, form: form.name) }
        }
        guard questions.isEmpty, let gtin = key.gtin, forms.allSatisfy({ $0.digits == nil }) else {
            return questions
        }
        let text = gtin.gtin8 ?? gtin.gtin12 ?? gtin.gtin13 ?? gtin.text
        return [Question(text: text, key: key, form: "gtin")]
    }

    /// Says for each form in which texts it asks for a code, or why not.
    func words(about barcode: Barcode) -> [String] {
        let all = barcode.lookupKeys.flatMap(forms)
        var asked: [String] = []
        let missing = forms.map(\.name).filter { name in !all.contains { $0.form == name } }
        return missing.map { "\($0): the code has no such form" }
            + all.map { question in
                let text = question.text
                let words = "\(question.form) \(text.quoted())"
                guard isAskable(text) else {
                    return "\(words): not asked; the declaration allows \(characters.words), "
                        + "at most \(maximumLength) bytes"
                }
                guard !asked.contains(text) else { return "\(words): the same again, not asked" }
                asked.append(text)
                return words
            }
    }

    private func isAskable(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count) && text.utf8.allSatisfy(characters.contains)
    }
}

extension CodeRules.Characters {
    fileprivate func contains(_ byte: UInt8) -> Bool {
        switch self {
        case .any: true
        case .ascii: (0x21...0x7E).contains(byte)
        case .digits: (0x30...0x39).contains(byte)
        case .token:
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
        }
    }

    fileprivate var words: String {
        switch self {
        case .any: "any characters"
        case .ascii: "printable ASCII"
        case .token: "letters, digits, \"-\", \".\" and \"_\""
        case .digits: "digits"
        }
    }
}

/// In which form a catalog is asked for a code.
package struct CodeForm: Equatable, Sendable {
    /// The name in a configuration file.
    package let name: String
    /// How many digits the GTIN has, padded with zeros on the left; nil for a text.
    fileprivate let digits: Int?
    private let make: @Sendable (LookupKey) -> String?

    private init(
        _ name: String, digits: Int? = nil, _ make: @escaping @Sendable (LookupKey) -> String?
    ) {
        (self.name, self.digits, self.make) = (name, digits, make)
    }

    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// The text as typed.
    package static let asTyped = CodeForm("as-typed") { $0.text }

    /// The GTIN in 8, 12, 13 or 14 digits; one that needs more has no such form.
    package static func gtin(_ digits: Int) -> CodeForm {
        CodeForm("gtin-\(digits)", digits: digits) { $0.gtin?.spelling(digits: digits) }
    }

    /// Every form; the last digit of a GTIN, which only checks the others, may be left off.
    package static let all =
        [asTyped, CodeForm("lower-case") { $0.text?.lowercased() }]
        + [CodeForm("upper-case") { $0.text?.uppercased() }] + [8, 12, 13, 14].map(gtin)
        + [8, 12, 13, 14].map { digits in
            CodeForm("gtin-\(digits)-without-check-digit", digits: digits) {
                ($0.gtin?.spelling(digits: digits)?.dropLast()).map(String.init)
            }
        }

    /// The form of a name such as `gtin-13`.
    package init?(name: String) {
        guard let form = Self.all.first(where: { $0.name == name }) else { return nil }
        self = form
    }

    /// Whether the text is in small or in capital letters only.
    fileprivate var foldsCase: Bool { ["lower-case", "upper-case"].contains(name) }

    /// A code in this form; nil if it has none: it is no GTIN, one that needs more digits, or one that
    /// was not read as such.
    package func text(of key: LookupKey) -> String? { make(key) }
}

extension GTIN {
    fileprivate func spelling(digits: Int) -> String? {
        switch digits {
        case 8: gtin8
        case 12: gtin12
        case 13: gtin13
        default: text
        }
    }
}
