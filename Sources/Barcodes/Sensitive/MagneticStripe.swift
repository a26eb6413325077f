/// The tracks of a magnetic stripe.
///
/// Rule: ISO/IEC 7813 (tracks 1 and 2), AAMVA Card Design Standard, annex F (licences).
enum MagneticStripe {
    /// Whether the bytes hold a track: between `%` and `?` with `^` in it, or digits behind `;`
    /// with `=` among them.
    ///
    /// The end sentinel may be missing, and other characters may surround the track.
    static func isTrack(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "%"):
                if isCardTrack(bytes, behind: index) { return true }
            case UInt8(ascii: ";"), UInt8(ascii: "+"):
                if isSecondTrack(bytes, behind: index) { return true }
            default: break
            }
        }
        return isFirstTrack(bytes) || isGarbled(bytes)
    }

    /// `B` with 12 or more digits, and `^` or nothing more.
    private static func isCardTrack(_ bytes: Span<UInt8>, behind start: Int) -> Bool {
        guard start + 2 < bytes.count, bytes[start + 1] | 0x20 == UInt8(ascii: "b") else {
            return false
        }
        let end = digitsEnd(bytes, from: start + 2)
        return end - start - 2 >= 12 && (end == bytes.count || bytes[end] == UInt8(ascii: "^"))
    }

    /// Two letters behind `%`, two fields ended by `^`, then `?`, and no small letter among them:
    /// the first track of a licence.
    private static func isFirstTrack(_ bytes: Span<UInt8>) -> Bool {
        let start = bytes.firstIndex(of: UInt8(ascii: "%"), from: 0)
        guard start <= 2, start + 2 < bytes.count, bytes[start + 1].isUpper,
            bytes[start + 2].isUpper, !bytes.indices.contains(where: { bytes[$0].isLower })
        else { return false }
        let first = bytes.firstIndex(of: UInt8(ascii: "^"), from: start)
        let second = bytes.firstIndex(of: UInt8(ascii: "^"), from: first + 1)
        return bytes.firstIndex(of: UInt8(ascii: "?"), from: second) < bytes.count
    }

    /// A card's number behind at most two other characters, and behind it either another
    /// character and seven digits, or, where a `B` is ahead of it, another character.
    ///
    /// So a track looks when the keyboard layout is not the reader's.
    private static func isGarbled(_ bytes: Span<UInt8>) -> Bool {
        guard let start = bytes.firstIndex(where: { $0.isDigit }),
            bytes.scalarCount(before: start) <= 2
        else { return false }
        var end = start
        while end < bytes.count, bytes[end].isDigit { end += 1 }
        guard end < bytes.count, PaymentCard.isNumber(bytes.extracting(start..<end)) else {
            return false
        }
        if start > 0, bytes[start - 1] | 0x20 == UInt8(ascii: "b") { return true }
        let next = bytes.scalarEnd(end + 1)
        return digitsEnd(bytes, from: next) - next >= 7
    }

    /// 8 or more digits, `=`, and 4 or more digits.
    private static func isSecondTrack(_ bytes: Span<UInt8>, behind start: Int) -> Bool {
        let end = digitsEnd(bytes, from: start + 1)
        guard end - start > 8, end < bytes.count, bytes[end] == UInt8(ascii: "=") else {
            return false
        }
        return digitsEnd(bytes, from: end + 1) - end > 4
    }

    /// Where the run of digits (spaces among them allowed) from an offset on ends.
    private static func digitsEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end].isDigit || bytes[end] == 0x20 { end += 1 }
        return end
    }
}
