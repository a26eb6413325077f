/// A character that takes several keys and is not finished yet.
enum CharacterEntry: Hashable, Sendable {
    case dead(DeadKey, key: KeyCode)
    case alt(AltNumber)
    case unicode(UnicodeNumber)
}

/// A number typed on the keypad while Alt is held.
package struct AltNumber: Hashable, Sendable {
    static let maximumDigits = 4
    private static let longestText = 8
    private(set) var value: UInt32 = 0
    private(set) var digits = 0
    /// The typed digits, for display; at most the first eight.
    private(set) var text = ""
    /// The key that typed the last digit.
    private(set) var key = KeyCode.kp0
    private(set) var beginsWithZero = false

    mutating func append(_ digit: UInt32, key: KeyCode) {
        if digits == 0 { beginsWithZero = digit == 0 }
        digits += 1
        if digits <= Self.maximumDigits { value = value * 10 + digit }
        if digits <= Self.longestText { text += String(digit) }
        self.key = key
    }

    /// Returns the character that the typed number stands for; nil if it stands for none.
    ///
    /// If `isByte` is true, the number is a byte in the scanner's encoding, and the result is U+0000 to U+00FF.
    ///
    /// Rule: if `isByte` is false, Windows' rules apply. Numbers below 128 are ASCII. From 128 to 255, a number with a
    /// leading zero is in code page 1252, and one without is in code page 437. Higher numbers have no character here,
    /// because Windows programs disagree on them.
    func character(isByte: Bool) -> Unicode.Scalar? {
        guard (1...Self.maximumDigits).contains(digits), let byte = UInt8(exactly: value) else {
            return nil
        }
        guard byte >= 0x80, !isByte else { return Unicode.Scalar(byte) }
        return beginsWithZero ? CodePage.windows1252[byte] : CodePage.ibm437[byte]
    }

    package static let keys: [KeyCode] = [
        .kp0, .kp1, .kp2, .kp3, .kp4, .kp5, .kp6, .kp7, .kp8, .kp9,
    ]

    /// Returns the digit on a keypad key, regardless of Num Lock; nil for any other key.
    static func digit(of key: KeyCode) -> UInt32? {
        keys.firstIndex(of: key).map(UInt32.init)
    }
}

/// The lengths of a scan's ALT-mode numbers below 128 with a leading zero; if they differ, a digit was lost.
///
/// A scanner may report Alt and all digits of a number in one USB report, which lists each key only once. The second
/// of two equal digits is then lost: 080 becomes 08. A scanner that pads numbers with zeros pads them to one length.
struct AltNumberWidths: Hashable, Sendable {
    private var narrowest = Int.max
    private var widest = 0

    /// Records how many digits an Alt+number has; returns whether the counts differ, which shows that a digit was lost.
    ///
    /// A number above 127 or without a leading zero is not recorded, and the result is false.
    mutating func showLoss(with number: AltNumber) -> Bool {
        guard number.value < 0x80, number.beginsWithZero else { return false }
        narrowest = min(narrowest, number.digits)
        widest = max(widest, number.digits)
        return narrowest < widest
    }
}

/// A hexadecimal number typed after Ctrl+Shift+U.
struct UnicodeNumber: Hashable, Sendable {
    static let maximumDigits = 8
    private(set) var value: UInt64 = 0
    private(set) var digits = 0
    /// Whether Ctrl or Shift has been held since Ctrl+Shift+U was pressed.
    ///
    /// If so, the number ends once neither is held, unless it has no digits yet. Space or Enter ends it in any case.
    var isHeld = true

    mutating func append(_ digit: UInt64) {
        digits += 1
        if digits <= Self.maximumDigits { value = value << 4 | digit }
    }

    var character: Unicode.Scalar? {
        guard (1...Self.maximumDigits).contains(digits) else { return nil }
        return UInt32(exactly: value).flatMap(Unicode.Scalar.init)
    }

    static func isEnded(by key: KeyCode) -> Bool {
        key == .space || key == .enter || key == .kpenter
    }

    static func digit(of character: Unicode.Scalar) -> UInt64? {
        switch character {
        case "0"..."9": UInt64(character.value - 0x30)
        case "A"..."F": UInt64(character.value - 0x41 + 10)
        case "a"..."f": UInt64(character.value - 0x61 + 10)
        default: nil
        }
    }
}
