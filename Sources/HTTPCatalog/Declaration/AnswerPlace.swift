package import WireText

/// A place in what a catalog answered.
///
/// - `/name`: in the item at hand, which is the whole answer unless the declaration names `items`;
/// - `#/name`: in the whole answer (the notation of RFC 6901, section 6, without its encoding);
/// - `first#/name`: in the whole answer to the first of two requests.
package struct AnswerPlace: Hashable, Sendable {
    /// Where a pointer starts.
    package enum Start: String, CaseIterable, Hashable, Sendable {
        /// At the item at hand.
        case item = ""
        /// At the whole answer.
        case answer = "#"
        /// At the whole answer to the first request.
        case firstAnswer = "first#"
    }

    /// Where the pointer starts.
    package let start: Start
    /// The way from there.
    package let pointer: JSONPointer

    /// Makes a place.
    ///
    /// - Parameters:
    ///   - start: Where the pointer starts.
    ///   - pointer: The way from there.
    package init(_ start: Start = .item, _ pointer: JSONPointer) {
        self.start = start
        self.pointer = pointer
    }

    /// Reads a place; nil where the text is none.
    ///
    /// - Parameter text: For instance `/name` or `#/data/0/name`.
    package init?(_ text: String) {
        for start in Start.allCases.reversed() where text.hasPrefix(start.rawValue) {
            guard let pointer = JSONPointer(String(text.dropFirst(start.rawValue.count))) else {
                return nil
            }
            self.init(start, pointer)
            return
        }
        return nil
    }

    /// The place as it is written in a declaration.
    package var text: String { start.rawValue + pointer.description }
}
