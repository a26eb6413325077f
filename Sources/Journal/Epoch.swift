/// One life of a journal: it ends where a damaged journal is put aside, and another begins.
///
/// Twelve characters `a`…`z` and `0`…`9`.
package struct Epoch: Hashable, Sendable, LosslessStringConvertible {
    private static let length = 12
    private static let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789")

    /// The characters.
    package let description: String

    /// Reads an epoch.
    ///
    /// - Parameter text: Twelve characters `a`…`z` and `0`…`9`; nil for others.
    package init?(_ text: String) {
        guard text.utf8.count == Self.length,
            text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
        else { return nil }
        description = text
    }

    /// An epoch that no journal has had.
    static func new() -> Epoch {
        Epoch(random: (0..<length).map { _ in characters[Int.random(in: characters.indices)] })
    }

    private init(random characters: [Character]) {
        description = String(characters)
    }
}
