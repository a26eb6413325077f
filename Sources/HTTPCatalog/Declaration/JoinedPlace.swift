package import WireText

/// A place in that element of a list which belongs to the item at hand: in an answer that lists
/// variations, and their articles beside them, the article of this variation.
///
/// Nothing is there where no element belongs to the item, or several do, so that what is read is
/// never another item's.
package struct JoinedPlace: Hashable, Sendable {
    /// The list.
    package var list: AnswerPlace
    /// Where each element says who it is.
    package var key: JSONPointer
    /// Where the item at hand says which element is its own.
    package var reference: AnswerPlace
    /// What is read of that element.
    package var taken: JSONPointer

    /// Makes a place.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - key: Where each element says who it is.
    ///   - reference: Where the item at hand says which element is its own.
    ///   - taken: What is read of that element.
    package init(
        in list: AnswerPlace, where key: JSONPointer, is reference: AnswerPlace,
        take taken: JSONPointer
    ) {
        self.list = list
        self.key = key
        self.reference = reference
        self.taken = taken
    }

    /// The place for messages.
    var text: String {
        "\(taken.description) of \(list.text) where \(key.description) is \(reference.text)"
    }
}
