import WireText

/// The codes of a product in an answer, held against the one that was asked; or what the second of
/// two answers repeats of the first.
package struct VerifyReading: Hashable, Sendable {
    /// Which product of the answer, from 1 on.
    package var item: Int
    /// The codes it says it has.
    package var codes: [String]
    /// The code that was asked.
    package var asked: String
    /// Whether it is among them.
    package var isVerified: Bool
}

extension VerifyReading: CustomStringConvertible {
    /// The codes and whether the one asked for is among them.
    package var description: String {
        let found =
            codes.isEmpty ? "no code" : codes.prefix(5).map { $0.quoted() }.joined(separator: ", ")
        let more = codes.count > 5 ? " and \(codes.count - 5) more" : ""
        let has = "product \(item) has \(found)\(more)"
        return isVerified ? "yes: \(has)" : "no: \(has), asked was \(asked.quoted())"
    }
}
