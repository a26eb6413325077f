import WireText

/// A form of a code, and whether the catalog is asked for it.
package struct FormReading: Hashable, Sendable {
    /// What becomes of it.
    package enum Outcome: Hashable, Sendable {
        /// It is asked.
        case asked(String)
        /// An earlier form gave the same text.
        case asBefore(String)
        /// The code has no such form: it is no GTIN, or one that needs more digits.
        case none
        /// The declaration says that the catalog cannot have such a text.
        case unaskable(String, CodeRules.Characters, maximumLength: Int)
    }

    /// The form's name in a configuration file.
    package var form: String
    /// What becomes of it.
    package var outcome: Outcome
}

extension FormReading: CustomStringConvertible {
    /// The form, the text and what becomes of it.
    package var description: String {
        switch outcome {
        case .asked(let text): "\(form) \(text.quoted())"
        case .asBefore(let text): "\(form) \(text.quoted()): the same again, not asked"
        case .none: "\(form): the code has no such form"
        case .unaskable(let text, let characters, let length):
            "\(form) \(text.quoted()): not asked; the declaration allows \(characters.words), "
                + "at most \(length) bytes"
        }
    }
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
