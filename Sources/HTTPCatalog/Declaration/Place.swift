package import WireText

/// The source of a value: a place in a catalog's answer, or a constant.
package indirect enum Place: Equatable, Sendable {
    package enum Start: String, CaseIterable, Sendable {
        /// The product, as in `/name`; the whole answer without `items`, or for values that a second request needs.
        case item = ""
        /// The whole answer, as in `#/name` (RFC 6901, section 6, but without percent-encoding).
        case answer = "#"
        /// The whole answer to the first of two requests, as in `first#/name`.
        case firstAnswer = "first#"
    }

    case constant(String)
    /// The value at a JSON pointer that begins at a ``Start``, written `/name`, `#/name` or `first#/name`.
    case at(Start, JSONPointer)
    /// `{each: /codes, take: /code}`: a value from each element of a list.
    case each(of: Place, take: JSONPointer)
    /// The value at `take` in one element of a list, written `{each: /parts, where: /id, is: /part, take: /name}`.
    ///
    /// At `where`, this element has the value at `is`, or the requested code if `is` is nil.
    /// If no element matches, or the match is ambiguous, there is no value: another product's data is never used.
    case element(of: Place, where: JSONPointer, is: Place?, take: JSONPointer)

    /// Parses a JSON pointer after an optional `#` or `first#`; nil for other text.
    package init?(_ text: String) {
        for start in Start.allCases.reversed() where text.hasPrefix(start.rawValue) {
            guard let pointer = JSONPointer(String(text.dropFirst(start.rawValue.count))) else {
                return nil
            }
            self = .at(start, pointer)
            return
        }
        return nil
    }

    /// Parses a JSON pointer such as `#/name`, or else a constant; nil if the text is invalid.
    package init?(source text: String) {
        if ["/", "#/", "first#/"].contains(where: text.hasPrefix) {
            self.init(text)
        } else {
            guard !text.isEmpty else { return nil }
            self = .constant(text)
        }
    }

    package var isConstant: Bool { if case .constant = self { true } else { false } }

    /// The constant or pointer as declared; for a list, a description such as `/codes/*/code`.
    package var text: String {
        switch self {
        case .constant(let text): text
        case .at(let start, let pointer): start.rawValue + pointer.description
        case .each(let list, let take): "\(list.text)/*\(take)"
        case .element(let list, let key, let value, let take):
            "\(take) of \(list.text) where \(key) is \(value?.text ?? "{code}")"
        }
    }
}
