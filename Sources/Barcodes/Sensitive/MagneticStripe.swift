/// The tracks of a payment card's magnetic stripe.
///
/// Rule: ISO/IEC 7813 (tracks 1 and 2).
enum MagneticStripe {
    /// Whether the text holds a track: after `%B` 12 or more digits, and `^` or nothing more; after
    /// `;` or `+` 8 or more digits, `=`, and 4 or more digits.
    ///
    /// The end sentinel may be missing, and other characters may surround the track.
    static func isTrack(_ look: Look) -> Bool {
        let bytes = look.bytes
        return bytes.indices.contains { start in
            let isFirst = hasPrefix(bytes, "%B", at: start)
            guard isFirst || isSecondSentinel(bytes[start]) else { return false }
            let number = digits(bytes, from: start + (isFirst ? 2 : 1))
            let next = number.endIndex < bytes.count ? bytes[number.endIndex] : nil
            if isFirst { return number.count >= 12 && (next == nil || next == 0x5E) }
            return number.count >= 8 && next == UInt8(ascii: "=")
                && digits(bytes, from: number.endIndex + 1).count >= 4
        } || isGarbled(look)
    }

    /// Whether a text that broke off holds the start of a track, and eight digits: enough to name
    /// the issuer.
    static func isFragment(_ look: Look) -> Bool {
        let bytes = look.bytes
        return bytes.indices.contains { start in
            guard bytes[start] == UInt8(ascii: "%") || isSecondSentinel(bytes[start]) else {
                return false
            }
            let skipped = hasPrefix(bytes, "%B", at: start) ? 2 : 1
            return digits(bytes, from: start + skipped).count >= 8
        }
    }

    /// A card's number after at most two other characters, and after it either another character
    /// and seven digits, or, if there is a `B` before it, another character.
    ///
    /// A track looks so if the keyboard layout is not the reader's.
    private static func isGarbled(_ look: Look) -> Bool {
        let text = look.folded
        guard let start = text.firstIndex(where: \.isDigit), start <= 2 else { return false }
        let number = text[start...].prefix(while: \.isDigit)
        guard number.endIndex < text.count, PaymentCard.isNumber(Array(number)) else {
            return false
        }
        return start > 0 && text[start - 1] == UInt8(ascii: "B")
            || digits(text, from: number.endIndex + 1).count >= 7
    }

    private static func isSecondSentinel(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: "+")
    }

    private static func hasPrefix(_ bytes: [UInt8], _ word: String, at start: Int) -> Bool {
        bytes[start...].prefix(2).elementsEqual(word.utf8) { $0 == $1 || $0 == $1 | 0x20 }
    }

    /// The run of digits (spaces among them allowed) from an offset on.
    private static func digits(_ bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
        bytes[min(start, bytes.count)...].prefix { $0.isDigit || $0 == 0x20 }
    }
}
