package import WireText

/// The source of a value: a place in a catalog's answer, or a constant.
package indirect enum Place: Equatable, Sendable {
    package enum Start: String, CaseIterable, Sendable {
        /// The current item; the whole answer if the declaration has no `items`.
        case item = ""
        /// The whole answer (the notation of RFC 6901, section 6, without its encoding).
        case answer = "#"
        /// The whole answer to the first of two requests.
        case firstAnswer = "first#"
    }

    /// `EUR`: a constant that is the same for every product.
    case constant(String)
    /// `/name`, `#/name` or `first#/name`.
    case at(Start, JSONPointer)
    /// `{each: /codes, take: /code}`: a value from each element of a list.
    case each(of: Place, take: JSONPointer)
    /// `{each: /parts, where: /id, is: /part, take: /name}`: a value from the only element of a list that has a given
    /// value; without `is`, from the only element with the requested code.
    ///
    /// If no element or more than one matches, the place is empty, which keeps another item's data out.
    case element(of: Place, where: JSONPointer, is: Place?, take: JSONPointer)

    /// Parses `/name`, `#/name` or `first#/name`; nil for any other text.
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

    /// Parses a field's source: a place if the text starts like one, otherwise a constant.
    ///
    /// Nil if the text is empty, or starts like a place but is not a valid one.
    package init?(source text: String) {
        if ["/", "#/", "first#/"].contains(where: text.hasPrefix) {
            self.init(text)
        } else {
            guard !text.isEmpty else { return nil }
            self = .constant(text)
        }
    }

    /// Whether the value is the same for every product.
    package var isConstant: Bool { if case .constant = self { true } else { false } }

    /// The place as messages and declarations write it.
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
