/// The tracks of a payment card's magnetic stripe.
///
/// Rule: ISO/IEC 7813 (tracks 1 and 2).
enum MagneticStripe {
    /// Whether the text contains a track.
    ///
    /// Track 1 is `%B` and 12 or more digits, followed by `^` or nothing. Track 2 is `;` or `+`, 8 or more digits, `=`,
    /// and 4 or more digits. The end sentinel may be missing, and other characters may surround the track.
    static func isTrack(_ look: Look) -> Bool {
        numbers(look.bytes).contains { mark, digits, rest in
            switch mark {
            case "%B": digits >= 12 && (rest.isEmpty || rest.first == "^")
            case "%": false
            default:
                digits >= 8 && rest.first == "="
                    && Self.digits(rest.dropFirst()).count >= 4
            }
        } || isGarbled(look)
    }

    /// Whether an incomplete scan contains the start of a track with at least eight digits.
    static func isFragment(_ look: Look) -> Bool {
        numbers(look.bytes).contains { $0.digits >= 8 }
    }

    /// Finds every possible start of a track: its start mark (`%B`, `%`, `;` or `+`), the number of digits and spaces
    /// after the mark, and the remaining bytes.
    private static func numbers(
        _ bytes: [UInt8]
    ) -> [(mark: String, digits: Int, rest: ArraySlice<UInt8>)] {
        bytes.indices.compactMap { start in
            let text = bytes[start...]
            let mark = ["%B", "%b", "%", ";", "+"].first { text.starts(with: $0.utf8) }
            guard let mark else { return nil }
            let number = digits(text.dropFirst(mark.utf8.count))
            return (mark.uppercased(), number.count, bytes[number.endIndex...])
        }
    }

    /// Whether the text is a track whose marks, such as `%` and `=`, were typed with the wrong keyboard layout.
    ///
    /// At most two characters precede the card number, and at least one follows it. In addition, either `B` directly
    /// precedes the card number, or at least seven digits or spaces follow the first character after the number.
    private static func isGarbled(_ look: Look) -> Bool {
        let text = look.folded
        guard let start = text.firstIndex(where: \.isDigit), start <= 2 else { return false }
        let number = text[start...].prefix(while: \.isDigit)
        guard number.endIndex < text.count, PaymentCard.isNumber(Array(number)) else {
            return false
        }
        return start > 0 && text[start - 1] == "B"
            || digits(text[number.endIndex...].dropFirst()).count >= 7
    }

    private static func digits(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.prefix { $0.isDigit || $0 == 0x20 }
    }
}
