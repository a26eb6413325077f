public import Keystrokes

/// Which keys a device has, as far as it matters for a scanner.
public struct KeyCapabilities: Hashable, Sendable {
    /// Whether it has all ten digits, on the main keys or on the keypad.
    public var hasDigits: Bool
    /// Whether it has an Enter key, on the main keys or on the keypad.
    public var hasEnter: Bool
    /// Whether it moves a pointer.
    public var movesPointer: Bool

    /// Makes capabilities.
    ///
    /// - Parameters:
    ///   - hasDigits: Whether it has all ten digits.
    ///   - hasEnter: Whether it has an Enter key.
    ///   - movesPointer: Whether it moves a pointer.
    public init(hasDigits: Bool, hasEnter: Bool, movesPointer: Bool = false) {
        self.hasDigits = hasDigits
        self.hasEnter = hasEnter
        self.movesPointer = movesPointer
    }

    /// Finds out what a device has.
    ///
    /// - Parameters:
    ///   - movesPointer: Whether it moves a pointer.
    ///   - hasKey: Whether the device has a key.
    public init(movesPointer: Bool, hasKey: (KeyCode) -> Bool) {
        let digits: ClosedRange<UInt16> = 0x02...0x0B
        let keypad: [UInt16] = [0x47, 0x48, 0x49, 0x4B, 0x4C, 0x4D, 0x4F, 0x50, 0x51, 0x52]
        let enter: [UInt16] = [0x1C, 0x60]
        hasDigits =
            digits.allSatisfy { hasKey(KeyCode(rawValue: $0)) }
            || keypad.allSatisfy { hasKey(KeyCode(rawValue: $0)) }
        hasEnter = enter.contains { hasKey(KeyCode(rawValue: $0)) }
        self.movesPointer = movesPointer
    }

    /// Whether it can type a number and end it, as every keyboard scanner does.
    public var canTypeAScan: Bool { hasDigits && hasEnter }
}
