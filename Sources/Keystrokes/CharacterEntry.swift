/// A character that takes several keys, while it is being typed.
enum CharacterEntry: Hashable, Sendable {
    /// A dead key waits for the next key.
    case dead(UInt32, key: UInt16)
    /// Alt is held, and digits are typed on the keypad.
    case alt(AltNumber)
    /// Ctrl+Shift+U was typed, and hexadecimal digits follow.
    case unicode(UnicodeNumber)
}

/// The number that is typed on the keypad while Alt is held.
package struct AltNumber: Hashable, Sendable {
    /// How many digits a number may have.
    static let maximumDigits = 4

    private(set) var value: UInt32 = 0
    private(set) var digits = 0
    /// The last digit's key.
    private(set) var key: UInt16 = 0
    private(set) var beginsWithZero = false

    mutating func append(_ digit: UInt32, key: UInt16) {
        if digits == 0 { beginsWithZero = digit == 0 }
        digits += 1
        if digits <= Self.maximumDigits { value = value * 10 + digit }
        self.key = key
    }

    /// The character of the number, or nil where it has none.
    ///
    /// Rule: below 128 the ASCII character, which is what scanners mean; from 128 on as Windows
    /// has it, in code page 1252 behind a leading zero and in code page 437 without one. What
    /// Windows makes of a number above 255 depends on the program; here it is nothing.
    ///
    /// - Parameter isByte: Whether the number is a byte of an encoding, and no character yet.
    /// - Returns: The character, or nil.
    func character(isByte: Bool) -> Unicode.Scalar? {
        guard (1...Self.maximumDigits).contains(digits), let byte = UInt8(exactly: value) else {
            return nil
        }
        guard byte >= 0x80, !isByte else { return Unicode.Scalar(byte) }
        return beginsWithZero ? CodePage.windows1252[byte] : CodePage.ibm437[byte]
    }

    /// The keys of the digits 0 to 9.
    package static let keys: [KeyCode] = [
        .kp0, .kp1, .kp2, .kp3, .kp4, .kp5, .kp6, .kp7, .kp8, .kp9,
    ]

    /// The digit a key of the keypad types, whatever Num Lock says.
    static func digit(of key: UInt16) -> UInt32? {
        keys.firstIndex(of: KeyCode(rawValue: key)).map(UInt32.init)
    }
}

/// How many digits the ALT numbers of a scan have that are ASCII characters with zeros in front.
///
/// A scanner may press Alt and all digits of a number in one report, in which a key stands once: the
/// second of two equal digits never comes, and 080 becomes 08. A scanner that puts zeros in front
/// gives its numbers one width, so that a narrower one has lost a digit.
struct AltNumberWidths: Hashable, Sendable {
    private var narrowest = Int.max
    private var widest = 0

    /// Takes one more number.
    ///
    /// - Returns: Whether a number lost a digit, this one or one before it.
    mutating func showLoss(with number: AltNumber) -> Bool {
        guard number.value < 0x80, number.beginsWithZero else { return false }
        narrowest = min(narrowest, number.digits)
        widest = max(widest, number.digits)
        return narrowest < widest
    }
}

/// The number that is typed in hexadecimal digits after Ctrl+Shift+U.
struct UnicodeNumber: Hashable, Sendable {
    /// How many digits a number may have.
    static let maximumDigits = 8

    private(set) var value: UInt64 = 0
    private(set) var digits = 0
    /// Whether Control and Shift have been held since the U, so that letting go ends the number.
    var isHeld = true

    mutating func append(_ digit: UInt64) {
        digits += 1
        if digits <= Self.maximumDigits { value = value << 4 | digit }
    }

    /// The character of the number, or nil where it has none.
    var character: Unicode.Scalar? {
        guard (1...Self.maximumDigits).contains(digits) else { return nil }
        return UInt32(exactly: value).flatMap(Unicode.Scalar.init)
    }

    /// Whether a key ends a number: Space or Enter.
    static func isEnded(by key: UInt16) -> Bool {
        [.space, .enter, .kpenter].contains(KeyCode(rawValue: key))
    }

    /// The digit a character is, or nil.
    static func digit(of character: UInt32) -> UInt64? {
        switch character {
        case 0x30...0x39: UInt64(character - 0x30)
        case 0x41...0x46: UInt64(character - 0x41 + 10)
        case 0x61...0x66: UInt64(character - 0x61 + 10)
        default: nil
        }
    }
}
