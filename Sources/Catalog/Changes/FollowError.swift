import WireText

/// Why the changes of another catalog were not taken over; the catalog is as it was.
package enum FollowError: Error, Equatable, Sendable {
    /// Another process has taken over changes meanwhile: it is at this revision now.
    case overtaken(by: String?)
    /// All products that came from the other catalog would go.
    case emptied
}

extension FollowError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String {
        switch self {
        case .emptied:
            "The other catalog has no products any more; expected some."
        case .overtaken(let revision):
            "Another process has synchronised the catalog meanwhile, to revision "
                + "\((revision ?? "none").quoted()); expected it left alone."
        }
    }
}
