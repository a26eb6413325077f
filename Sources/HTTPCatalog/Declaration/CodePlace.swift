package import WireText

/// Where codes of a product are: a text or number, a list of them, or a list of objects that have
/// one each.
package struct CodePlace: Hashable, Sendable {
    /// The text, number or list.
    package var place: AnswerPlace
    /// Where the code is in each element of the list; nil where the elements are codes.
    package var element: JSONPointer?

    /// Makes a place.
    ///
    /// - Parameters:
    ///   - place: The text, number or list.
    ///   - element: Where the code is in each element of the list.
    package init(_ place: AnswerPlace, element: JSONPointer? = nil) {
        self.place = place
        self.element = element
    }

    /// The place for messages: `/codes`, or `/codes/*/code` for a list of objects.
    var text: String {
        place.text + (element.map { "/*" + $0.description } ?? "")
    }
}
