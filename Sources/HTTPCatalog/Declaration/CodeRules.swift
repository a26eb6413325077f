package import Barcodes
package import Catalog
import WireText

/// Which codes to look up in a catalog, and in which forms.
package struct CodeRules: Equatable, Sendable {
    package enum Characters: String, CaseIterable, Sendable {
        case any
        /// Printable ASCII without spaces.
        case ascii
        /// ASCII letters and digits, `-`, `.` and `_`.
        case token
        case digits
    }

    /// The forms of a code, in the order in which to try them.
    package var forms: [CodeForm]
    /// The characters that a text may contain; texts with other characters are not looked up.
    package var characters: Characters
    /// The maximum length of a text in UTF-8 bytes; longer texts are not looked up.
    package var maximumLength: Int

    /// The default ``maximumLength``: above any product's code, below any server's limit for URLs.
    package static let standardLength = 256

    package init(
        forms: [CodeForm] = [.asTyped], characters: Characters = .any,
        maximumLength: Int = standardLength
    ) {
        (self.forms, self.characters, self.maximumLength) = (forms, characters, maximumLength)
    }

    /// Whether any form changes letter case; if so, codes in the answers are compared ignoring case.
    var foldsCase: Bool { forms.contains(where: \.foldsCase) }

    /// A text to look up, the key that it was made from, and the name of its form, such as `gtin-13`.
    struct Question: Sendable {
        let text: String
        let key: LookupKey
        let form: String
    }

    /// Returns the texts to look up one after another, without duplicates; empty if the rules allow none.
    package func texts(of barcode: Barcode) -> [String] {
        readings(of: barcode).joined().joined().map(\.text)
    }

    /// Returns the questions for a barcode, grouped by reading and then by round; empty if the rules allow none.
    ///
    /// A reading is a possible meaning of the barcode. The questions of a round share one cached answer. Only an
    /// in-store code has two rounds: for the number on the label, then for the item. Each question's text is unique.
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

    /// Returns the texts to look up for a key: one for each of the configured ``forms`` that the key has.
    ///
    /// A GTIN that was computed, or is only part of the scanned text, has none of the forms `as-typed`, `lower-case`
    /// and `upper-case`. If the rules contain only these forms, such a GTIN is looked up in its shortest format.
    private func forms(of key: LookupKey) -> [Question] {
        let questions = forms.compactMap { form in
            form.text(of: key).map { Question(text: $0, key: key, form: form.rawValue) }
        }
        guard questions.isEmpty, let gtin = key.gtin, forms.allSatisfy(\.isText) else {
            return questions
        }
        let text = gtin.gtin8 ?? gtin.gtin12 ?? gtin.gtin13 ?? gtin.text
        return [Question(text: text, key: key, form: "gtin")]
    }

    /// Returns lines about the code's forms, such as `gtin-8: the code has no such form`.
    func words(about barcode: Barcode) -> [String] {
        let all = barcode.lookupKeys.flatMap(forms)
        var asked: [String] = []
        let missing = forms.map(\.rawValue).filter { name in !all.contains { $0.form == name } }
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

/// A form in which to look up a code; the raw value is its name in the configuration.
package enum CodeForm: String, CaseIterable, Sendable {
    case asTyped = "as-typed"
    case lowerCase = "lower-case"
    case upperCase = "upper-case"
    /// The GTIN as 8 digits, with leading zeros if necessary; a longer GTIN has no such form.
    case gtin8 = "gtin-8"
    case gtin12 = "gtin-12"
    case gtin13 = "gtin-13"
    case gtin14 = "gtin-14"
    /// ``gtin8`` without its last digit, the check digit.
    case gtin8Unchecked = "gtin-8-without-check-digit"
    case gtin12Unchecked = "gtin-12-without-check-digit"
    case gtin13Unchecked = "gtin-13-without-check-digit"
    case gtin14Unchecked = "gtin-14-without-check-digit"

    fileprivate var isText: Bool { self == .asTyped || foldsCase }

    fileprivate var foldsCase: Bool { self == .lowerCase || self == .upperCase }

    /// Returns a key in this form; nil if the key has no such form.
    package func text(of key: LookupKey) -> String? {
        switch self {
        case .asTyped: key.text
        case .lowerCase: key.text?.lowercased()
        case .upperCase: key.text?.uppercased()
        case .gtin8: key.gtin?.gtin8
        case .gtin12: key.gtin?.gtin12
        case .gtin13: key.gtin?.gtin13
        case .gtin14: key.gtin?.text
        case .gtin8Unchecked: Self.gtin8.text(of: key).map { String($0.dropLast()) }
        case .gtin12Unchecked: Self.gtin12.text(of: key).map { String($0.dropLast()) }
        case .gtin13Unchecked: Self.gtin13.text(of: key).map { String($0.dropLast()) }
        case .gtin14Unchecked: Self.gtin14.text(of: key).map { String($0.dropLast()) }
        }
    }
}
