package struct Damage: Error, Equatable, CustomStringConvertible {
    /// The damage, as a clause without a full stop, such as `its header has changed`.
    let reason: String
    package var description: String { reason.prefix(1).uppercased() + reason.dropFirst() + "." }

    static let ofLog = Damage("its log has changed before its end")

    init(_ reason: String) { self.reason = reason }
}
