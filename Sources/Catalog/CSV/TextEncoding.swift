/// How a CSV file writes its letters.
package enum TextEncoding: String, Hashable, Sendable, CaseIterable {
    /// UTF-8.
    case utf8 = "utf-8"
    /// Windows-1252, which is Latin 1 (ISO 8859-1) with further letters, the euro sign among them.
    case windows1252 = "windows-1252"

    /// Finds an encoding by one of its names; nil for an unknown one.
    ///
    /// - Parameter name: A name, in either case.
    package init?(named name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "windows-1252", "cp1252", "latin1", "latin-1", "iso-8859-1": self = .windows1252
        default: return nil
        }
    }
}

extension TextEncoding {
    /// The characters of 0x80…0x9F in Windows-1252; what it leaves open stays a control character.
    private static let extras: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013,
        0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]

    /// The most bytes of UTF-8 that one byte of this becomes.
    var growth: Int { self == .utf8 ? 1 : 3 }

    /// Writes bytes of this encoding as UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - target: Where they go; `growth` times as large.
    /// - Returns: How many bytes were written.
    func convert(_ bytes: ArraySlice<UInt8>, into target: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        for byte in bytes {
            let value =
                (0x80...0x9F).contains(byte) ? Self.extras[Int(byte) - 0x80] : UInt16(byte)
            for unit in UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}")
                ?? UTF8.encodedReplacementCharacter
            {
                target[count] = unit
                count += 1
            }
        }
        return count
    }
}
