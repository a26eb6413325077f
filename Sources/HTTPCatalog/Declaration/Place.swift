package import WireText

/// A place in what a catalog answered, or a text that is the same for every product.
package indirect enum Place: Equatable, Sendable {
    /// Where a pointer starts.
    package enum Start: String, CaseIterable, Sendable {
        /// At the item at hand, which is the whole answer unless the declaration names `items`.
        case item = ""
        /// At the whole answer (the notation of RFC 6901, section 6, without its encoding).
        case answer = "#"
        /// At the whole answer to the first of two requests.
        case firstAnswer = "first#"
    }

    /// `EUR`: a text that is the same for every product.
    case constant(String)
    /// `/name`, `#/name` or `first#/name`.
    case at(Start, JSONPointer)
    /// `{each: /codes, take: /code}`: something of each element of a list.
    case each(of: Place, take: JSONPointer)
    /// `{each: /parts, where: /id, is: /part, take: /name}`: something of the one element of a list
    /// that has a value; without `is`, of the one that has the code that was asked.
    ///
    /// If none or several elements have the value, nothing is there, so that nothing is read of
    /// another item.
    case element(of: Place, where: JSONPointer, is: Place?, take: JSONPointer)

    /// Reads `/name`, `#/name` or `first#/name`; nil for any other text.
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

    /// Reads the source of a field: a text that starts like a place is one, any other a constant.
    ///
    /// Returns nil for an empty text, and for one that starts like a place and is none.
    package init?(source text: String) {
        if ["/", "#/", "first#/"].contains(where: text.hasPrefix) {
            self.init(text)
        } else {
            guard !text.isEmpty else { return nil }
            self = .constant(text)
        }
    }

    /// Whether it is the same for every product.
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
