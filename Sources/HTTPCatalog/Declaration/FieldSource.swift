/// Where a field of a product comes from.
package enum FieldSource: Hashable, Sendable {
    /// A place in the answer.
    case place(AnswerPlace)
    /// A place in that element of a list which belongs to the item at hand.
    case joined(JoinedPlace)
    /// The same for every product.
    case constant(String)

    /// Reads a source: what starts with `/`, `#/` or `first#/` is a place, all else a constant.
    ///
    /// It is nil where the text starts like a place and is none, and where it is empty.
    ///
    /// - Parameter text: The source as it is written in a declaration.
    package init?(_ text: String) {
        let isPlace = ["/", "#/", "first#/"].contains { text.hasPrefix($0) }
        if isPlace {
            guard let place = AnswerPlace(text) else { return nil }
            self = .place(place)
        } else {
            guard !text.isEmpty else { return nil }
            self = .constant(text)
        }
    }

    /// Whether it is the same for every product.
    package var isConstant: Bool {
        if case .constant = self { true } else { false }
    }

    /// The source for messages: a place or a constant as a declaration has it.
    package var text: String {
        switch self {
        case .place(let place): place.text
        case .joined(let place): place.text
        case .constant(let text): text
        }
    }
}
