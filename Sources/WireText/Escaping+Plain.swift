extension Escaping {
    /// Says whether bytes are ASCII that leaves as it is in every notation, as most texts are.
    ///
    /// It looks at eight bytes at a time: events are made of short texts, and every one is asked.
    @inline(__always)
    static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= 8, let start = bytes.baseAddress.map(UnsafeRawPointer.init) else {
            return bytes.allSatisfy(isPlain)
        }
        let last = bytes.count - 8
        var index = 0
        while index < last {
            if !isPlain(start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
                return false
            }
            index += 8
        }
        return isPlain(start.loadUnaligned(fromByteOffset: last, as: UInt64.self))
    }

    /// True for a byte that is harmless in every notation.
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Whether all eight bytes of a word are harmless.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let control = (word &- 0x2020_2020_2020_2020) & ~word
        let quote = zeros(word ^ 0x2222_2222_2222_2222)
        let backslash = zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
        let delete = zeros(word ^ 0x7F7F_7F7F_7F7F_7F7F)
        let highest: UInt64 = 0x8080_8080_8080_8080
        return (word | control | quote | backslash | delete) & highest == 0
    }

    /// A word whose bytes have their highest bit set where a byte is 0, and perhaps above one.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word
    }
}
