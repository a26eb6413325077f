import Events
import WireText

/// Why no device could be found for a word on the command line.
public enum ScannerChoiceError: Error, Equatable, Sendable {
    /// No scanner of that name is configured; the names there are.
    case unknown(String, known: [String])
    /// It is not attached; so many devices could not be looked at.
    case notAttached(String, forbidden: Int)
    /// More than one device is meant.
    case ambiguous(String, nodes: [String])
}

extension ScannerChoiceError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unknown(let word, let known):
            let names = known.map { $0.quoted(upTo: .max) }.joined(separator: ", ")
            return
                "no scanner \(word.quoted(upTo: .max)) is configured; expected one of \(names), a node"
                + " such as /dev/input/event3, or vendor:product such as 0c2e:0b61"
        case .notAttached(let word, let forbidden):
            let hidden =
                forbidden == 0 ? "" : "; \(forbidden) devices may not be opened by this user"
            return
                "\(word.quoted(upTo: .max)) is not attached (keywedge devices lists what is)\(hidden)"
        case .ambiguous(let word, let nodes):
            return "\(word.quoted(upTo: .max)) is more than one device; expected one of"
                + " \(nodes.joined(separator: ", "))"
        }
    }

}
