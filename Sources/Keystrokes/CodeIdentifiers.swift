/// A maker's code identifiers: characters such as `A` or `P01` that scanners send before the data.
///
/// If a code identifier can stand for several AIM identifiers, and the length of the data does not tell them apart,
/// ``meanings`` maps it to an empty string.
public struct CodeIdentifiers: Hashable, Sendable {
    /// The AIM identifier of each code identifier, or an empty string if none is certain.
    public var meanings: [String: String]

    /// Creates code identifiers; `meanings` maps each to an AIM identifier, or `""` if uncertain.
    public init(_ meanings: [String: String]) {
        self.meanings = meanings
    }

    /// No code identifiers, for scanners that send none.
    public static let none = CodeIdentifiers([:])

    /// The identifiers that Zebra (formerly Symbol) scanners send.
    ///
    /// Source: Zebra, SP72 Series Product Reference Guide, "Symbol Code Identifiers" and "AIM Code Identifiers".
    public static let zebra = CodeIdentifiers([
        "A": "]E0", "B": "]A0", "C": "]F0", "D": "]C0", "E": "]G0", "F": "]I0", "G": "", "H": "",
        "J": "]M0", "K": "]C1", "L": "", "M": "", "N": "", "R": "]e0", "S": "", "T": "", "U": "",
        "X": "", "z": "]z0", "P00": "]d1", "P01": "]Q1", "P02": "", "P08": "", "P0A": "",
        "P0C": "", "P0D": "", "P0G": "]d2", "P0H": "", "P0Q": "]Q3", "P0X": "",
    ])

    /// The identifiers that Datalogic scanners send with factory settings.
    ///
    /// Source: Datalogic, PowerScan D8330 Reference Manual, "Code Identifier Table".
    public static let datalogic = CodeIdentifiers([
        "A": "]E4", "B": "]E0", "C": "]E0", "D": "]E0", "F": "", "G": "", "H": "", "I": "",
        "J": "", "K": "", "L": "", "M": "", "N": "]I0", "O": "", "P": "", "Q": "", "R": "]F0",
        "S": "", "T": "]C0", "U": "]G0", "V": "]A0", "W": "]A4", "X": "", "Y": "", "Z": "]M0",
        "b": "", "e": "", "f": "]C4", "k": "]C1", "p": "", "q": "", "t": "]e0", "u": "]e0",
        "v": "]e0",
    ])

    var isEmpty: Bool { meanings.isEmpty }

    /// The length of the longest code identifier, in characters.
    var longest: Int { meanings.keys.map(\.unicodeScalars.count).max() ?? 0 }

    /// Finds the longest code identifier at the start of `text`, and its AIM identifier (nil if uncertain).
    ///
    /// Returns nil if the text does not start with a code identifier, or if no data follows it.
    func identifier(at text: Substring) -> (identifier: String, aim: String?)? {
        for length in stride(from: longest, through: 1, by: -1) {
            let start = String(text.unicodeScalars.prefix(length))
            guard let aim = meanings[start], text.unicodeScalars.count > length else { continue }
            let data = text.unicodeScalars.count - length
            return (start, Self.isCertain(aim, length: data) ? aim : nil)
        }
        return nil
    }

    /// Whether a code identifier's meaning, `aim`, is certain if the data has `length` characters.
    ///
    /// `]E0` (EAN-13, UPC-A) needs 12 or 13 digits, because its code identifier may also precede an 8-digit UPC-E.
    private static func isCertain(_ aim: String, length: Int) -> Bool {
        !aim.isEmpty && (aim != "]E0" || length == 12 || length == 13)
    }
}
