/// Evidence that a journal is damaged; its description is a sentence.
package struct Damage: Error, Equatable, CustomStringConvertible {
    /// A description that continues "it is damaged:".
    let reason: String
    package var description: String { reason.prefix(1).uppercased() + reason.dropFirst() + "." }

    static let ofLog = Damage("its log has changed before its end")

    init(_ reason: String) { self.reason = reason }
}
