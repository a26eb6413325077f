/// Which of a key's characters is meant: the modifiers and locks in effect, as a set.
///
/// A set rather than a number, because every combination can have a character of its own.
/// ``altGr`` and ``level5`` are XKB's third and fifth level.
public struct KeyLevel: OptionSet, Hashable, Sendable {
    /// The set as bits; also the column of a ``KeyTable``.
    public var rawValue: UInt8

    /// The set with these bits.
    ///
    /// - Parameter rawValue: The bits.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Either Shift key is held.
    public static let shift = KeyLevel(rawValue: 1 << 0)
    /// Caps Lock is on.
    public static let caps = KeyLevel(rawValue: 1 << 1)
    /// AltGr is held.
    public static let altGr = KeyLevel(rawValue: 1 << 2)
    /// The chooser of XKB's fifth level is held.
    public static let level5 = KeyLevel(rawValue: 1 << 3)
    /// Num Lock is on.
    public static let num = KeyLevel(rawValue: 1 << 4)
    /// Either Control key is held.
    public static let control = KeyLevel(rawValue: 1 << 5)

    /// The number of different sets.
    public static let count = 64

    /// Every set there is.
    public static var all: [KeyLevel] {
        (0..<UInt8(count)).map(KeyLevel.init(rawValue:))
    }
}
