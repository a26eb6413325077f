package import Barcodes
import Catalog
import WireText

/// Which codes a catalog is asked for, and in which forms.
package struct CodeRules: Hashable, Sendable {
    /// What a code may consist of.
    package enum Characters: String, CaseIterable, Hashable, Sendable {
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

    /// Makes rules.
    ///
    /// - Parameters:
    ///   - forms: The forms, in the order they are asked.
    ///   - characters: What a code may consist of.
    ///   - maximumLength: The longest code that is asked, in bytes of UTF-8.
    package init(
        forms: [CodeForm] = [.asTyped], characters: Characters = .any,
        maximumLength: Int = standardLength
    ) {
        self.forms = forms
        self.characters = characters
        self.maximumLength = maximumLength
    }

    /// Whether the catalog does not tell capital letters from small ones: it is asked for one sort.
    var foldsCase: Bool { forms.contains { $0.base == .lowerCase || $0.base == .upperCase } }

    /// A text to ask for, and what it stands for.
    struct Question: Sendable {
        /// The text to ask for.
        let text: String
        /// What it stands for.
        let key: LookupKey
        /// The name of the form.
        let form: String
    }

    /// The texts to ask for, in order, each once.
    ///
    /// - Parameter barcode: The decoded scan.
    /// - Returns: The texts; empty if the catalog cannot have the code.
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

    /// A key in every form it has.
    ///
    /// A number that was not read as such has no form of a text. A catalog that is asked for texts
    /// alone is asked for it in as few digits as it has.
    private func forms(of key: LookupKey) -> [Question] {
        let questions = forms.compactMap { form in
            form.text(of: key).map { Question(text: $0, key: key, form: form.name) }
        }
        guard questions.isEmpty, let gtin = key.gtin, !forms.contains(where: \.isNumber) else {
            return questions
        }
        let text = gtin.gtin8 ?? gtin.gtin12 ?? gtin.gtin13 ?? gtin.text
        return [Question(text: text, key: key, form: "gtin")]
    }

    /// What becomes of each form, in words.
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
        let utf8 = text.utf8
        guard !utf8.isEmpty, utf8.count <= maximumLength else { return false }
        switch characters {
        case .any: return true
        case .ascii: return utf8.allSatisfy { (0x21...0x7E).contains($0) }
        case .token:
            return utf8.allSatisfy(Self.isToken)
        case .digits: return utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension [CodeRules.Question] {
    /// The texts, under which what came of a round is kept.
    var texts: [String] { map(\.text) }
}

extension CodeRules.Characters {
    /// The characters in a sentence.
    fileprivate var words: String {
        switch self {
        case .any: "any characters"
        case .ascii: "printable ASCII"
        case .token: "letters, digits, \"-\", \".\" and \"_\""
        case .digits: "digits"
        }
    }
}
