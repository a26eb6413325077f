/// Functions that recognise the PDF417 symbols of North American driving licences and identity cards.
///
/// Rule: AAMVA DL/ID Card Design Standard, annex D.
enum DrivingLicence {
    /// Whether the text contains a licence's header or a line with a date of birth, or is the first track of a
    /// licence's magnetic stripe.
    static func isDocument(_ look: Look) -> Bool {
        look.folded.indices.contains {
            isHeader(look, at: $0) || isBirthday(look.folded.span, at: $0)
        } || isFirstTrack(look.bytes.span)
    }

    static func isFragment(_ look: Look) -> Bool {
        look.contains("ANSI ") || look.contains("AAMVA")
    }

    /// Whether a licence's header starts at an offset.
    ///
    /// A header is `ANSI` (`AAMVA` in old licences), up to two other characters, and the issuer's number of six
    /// digits. After `ANSI`, two more digits must follow the number, unless the number starts with 636 or 604, or was
    /// typed with the Shift key held down.
    ///
    /// Scanners drop or replace the control characters before the header, and sometimes drop the space in it.
    private static func isHeader(_ look: Look, at start: Int) -> Bool {
        let isOld = look.hasPrefix("AAMVA", at: start)
        guard isOld || look.hasPrefix("ANSI", at: start) else { return false }
        let end = start + (isOld ? 5 : 4)
        return (end...end + 2).contains { start in
            let digits = look.folded.dropFirst(start).prefix { $0.isDigit || shifted.contains($0) }
            return digits.count >= 8
                || digits.count >= 6
                    && (isOld || digits.allSatisfy { !$0.isDigit }
                        || look.hasPrefix("636", at: start) || look.hasPrefix("604", at: start))
        }
    }

    /// The characters that a US layout reads if a scanner with a Czech layout types the digits 1 to 9 and 0.
    private static let shifted = Array("!@#$%^&*()".utf8)

    /// Whether a line that consists of `DBB` and a date of birth starts at an offset.
    private static func isBirthday(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        guard start + 11 <= bytes.count, bytes.hasPrefix("DBB", at: start),
            start == 0 || bytes[start - 1] < 0x20,
            let date = bytes.extracting(start + 3..<start + 11).number,
            start + 11 == bytes.count || bytes[start + 11] < 0x20
        else { return false }
        // MMDDYYYY in the United States, YYYYMMDD in Canada.
        return [date, date % 10_000 * 10_000 + date / 10_000].contains { (date: Int) -> Bool in
            let (month, day, year) = (date / 1_000_000, date / 10_000 % 100, date % 10_000)
            return 1...12 ~= month && 1...31 ~= day && 1900...2099 ~= year
        }
    }

    /// Whether the text is the first track of a licence's magnetic stripe (AAMVA, annex F).
    ///
    /// The track starts with `%` and two capital letters. It has two `^` and a later `?`, but no lower-case letters.
    /// A German, Spanish, Italian or Swedish layout types `&` for `^` and `_` for `?`.
    private static func isFirstTrack(_ bytes: Span<UInt8>) -> Bool {
        let start = bytes.firstIndex(of: "%")
        guard start <= 2, start + 2 < bytes.count, bytes[start + 1].isUpper,
            bytes[start + 2].isUpper, !bytes.indices.contains(where: { bytes[$0].isLower })
        else { return false }
        return [("^", "?"), ("&", "_")].contains { (mark: Unicode.Scalar, end: Unicode.Scalar) in
            let first = bytes.firstIndex(of: mark, from: start)
            let second = bytes.firstIndex(of: mark, from: first + 1)
            return bytes.firstIndex(of: end, from: second) < bytes.count
        }
    }

    /// The identifiers of the elements of a licence that contain personal data.
    private static let personal = "DAA DAB DAC DAD DAG DAH DAI DAJ DAK DAL DAQ DBB DCS DCT"
        .utf8.split(separator: 0x20).map(Array.init)

    /// Whether a line starts with the identifier of a licence element.
    ///
    /// If `ofPerson` is true, only personal elements count. Elements start with `DAA` to `DDL`, or with `Z` and two
    /// letters. In the first line of a subfile, `DL` or `ID` comes before the element.
    static func isElement(_ look: Look, ofPerson: Bool) -> Bool {
        let isFirst = look.hasPrefix("DLD", at: 0) || look.hasPrefix("IDD", at: 0)
        let start = Array(look.folded.dropFirst(isFirst ? 2 : 0).prefix(3))
        guard start.count == 3, start.allSatisfy(\.isUpper) else { return false }
        if ofPerson { return personal.contains(start) }
        return start[0] == "Z"
            || start[0] == "D" && start[1] <= UInt8(ascii: "D")
    }
}
