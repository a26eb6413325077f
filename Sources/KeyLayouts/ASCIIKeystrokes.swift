internal import Keystrokes

/// How a layout types ASCII; two layouts for which that is the same do for the same scanner.
///
/// Compared are the keystrokes of a typist, not the cells of the tables: what AltGr and Q type,
/// where Q alone types the same, is of no matter to a scanner.
struct ASCIIKeystrokes: Hashable, Sendable {
    private let keystrokes: [[Typist.Keystroke]?]

    init(_ table: KeyTable) {
        let typist = Typist(table: table)
        keystrokes = (UInt8(0x00)...0x7F).map { typist.keystrokes(for: Unicode.Scalar($0)) }
    }
}
