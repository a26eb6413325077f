/// What had a part in how the keys of a scan became its text.
public struct ScanFeatures: OptionSet, Hashable, Sendable {
    /// The set as bits.
    public var rawValue: UInt16

    /// The set with these bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Caps Lock was switched.
    public static let capsLock = ScanFeatures(rawValue: 1 << 0)
    /// A character was typed with a dead key.
    public static let deadKey = ScanFeatures(rawValue: 1 << 1)
    /// A character was typed as a number on the keypad, with Alt held.
    public static let altNumpad = ScanFeatures(rawValue: 1 << 2)
    /// A character was typed as a number after Ctrl+Shift+U.
    public static let unicodeEntry = ScanFeatures(rawValue: 1 << 3)
    /// A start was in front, and taken off.
    public static let start = ScanFeatures(rawValue: 1 << 4)
    /// A terminator stood inside the data.
    public static let innerTerminator = ScanFeatures(rawValue: 1 << 5)
    /// The characters were bytes of an encoding.
    public static let encoding = ScanFeatures(rawValue: 1 << 6)
    /// The prefix was there, and taken off.
    public static let prefix = ScanFeatures(rawValue: 1 << 7)
    /// The suffix was there, and taken off.
    public static let suffix = ScanFeatures(rawValue: 1 << 8)
    /// A maker's code identifier was in front, and split off.
    public static let codeIdentifier = ScanFeatures(rawValue: 1 << 9)
    /// A control character was spelled out.
    public static let controlName = ScanFeatures(rawValue: 1 << 10)
    /// A character stood for another.
    public static let substitute = ScanFeatures(rawValue: 1 << 11)
}
