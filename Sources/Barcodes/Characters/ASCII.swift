extension Span where Element == UInt8 {
    /// The value of 1 to 18 ASCII digits; nil for any other bytes.
    var number: Int? {
        guard count > 0, count <= 18 else { return nil }
        var number = 0
        for index in indices {
            guard self[index].isDigit else { return nil }
            number = number &* 10 &+ self[index].digitValue
        }
        return number
    }

    func string(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the first offset of `character` from `start` on, or else `max(start, count)`.
    func firstIndex(of character: Unicode.Scalar, from start: Int = 0) -> Int {
        (start..<max(start, count)).first { self[$0] == character } ?? max(start, count)
    }

    @inline(__always)
    func firstIndex(where condition: (UInt8) -> Bool) -> Int? {
        indices.first { condition(self[$0]) }
    }

    /// Whether the bytes from `start` on begin with `text`, which must be in lower case if `ignoringCase` is true.
    func hasPrefix(
        _ text: StaticString, at start: Int = 0, ignoringCase: Bool = false
    ) -> Bool {
        text.withUTF8Buffer { wanted in
            start + wanted.count <= count
                && wanted.indices.allSatisfy { index in
                    let byte = self[start + index]
                    return byte == wanted[index]
                        || ignoringCase && byte.isUpper && byte | 0x20 == wanted[index]
                }
        }
    }

    /// Rounds an offset up to the next boundary between Unicode scalars.
    func scalarEnd(_ end: Int) -> Int {
        var end = end
        while end < count, self[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// Returns the number of Unicode scalars that start before the offset `end`, plus one if `end` exceeds `count`.
    func scalarCount(before end: Int) -> Int {
        indices.count { $0 < end && self[$0] & 0xC0 != 0x80 } + (end > count ? 1 : 0)
    }
}

/// Comparisons of bytes with ASCII characters: `byte == "/"`.
extension UInt8? {
    @inline(__always)
    static func == (byte: UInt8?, character: Unicode.Scalar) -> Bool {
        byte == UInt8(ascii: character)
    }

    @inline(__always)
    static func != (byte: UInt8?, character: Unicode.Scalar) -> Bool { !(byte == character) }
}

extension UInt8 {
    @inline(__always)
    static func ~= (character: Unicode.Scalar, byte: UInt8) -> Bool { byte == character }

    @inline(__always) var isDigit: Bool { self &- 0x30 < 10 }

    /// The value of an ASCII digit; undefined for any other byte.
    @inline(__always) var digitValue: Int { Int(self &- 0x30) }

    @inline(__always) var isUpper: Bool { self &- 0x41 < 26 }

    @inline(__always) var isLower: Bool { self &- 0x61 < 26 }

    @inline(__always) var isLetterOrDigit: Bool { isDigit || isUpper || isLower }
}
