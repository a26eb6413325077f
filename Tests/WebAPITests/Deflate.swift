/// Writes gzip by hand, as small or as large as a test wants.
///
/// Rule: RFC 1951, section 3.2.6 (fixed codes); RFC 1952.
struct Deflate {
    private var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    private var bits: UInt32 = 0
    private var count: UInt32 = 0

    /// A text compressed with literals alone.
    static func gzip(_ text: String) -> [UInt8] {
        var writer = Deflate()
        writer.beginBlock()
        for byte in text.utf8 { writer.literal(byte) }
        writer.code(0, 7)
        return writer.bytes(trailing: Array(text.utf8))
    }

    /// The beginning of a stream of blanks, and what goes on with it for ever: 13 bytes for each
    /// 2064 blanks.
    static var bomb: (beginning: [UInt8], period: [UInt8]) {
        var writer = Deflate()
        writer.beginBlock()
        writer.literal(0x20)
        for _ in 0..<8 { writer.match() }
        let beginning = writer.bytes
        for _ in 0..<8 { writer.match() }
        return (beginning, Array(writer.bytes[beginning.count...]))
    }

    private mutating func beginBlock() {
        bit(1)
        bit(1)
        bit(0)
    }

    private mutating func literal(_ byte: UInt8) {
        byte < 144 ? code(0x30 + UInt32(byte), 8) : code(0x190 + UInt32(byte) - 144, 9)
    }

    /// Repeats the last byte 258 times: length code 285, distance code 0.
    private mutating func match() {
        code(0b1100_0101, 8)
        code(0, 5)
    }

    /// Huffman codes start with their highest bit.
    private mutating func code(_ value: UInt32, _ length: UInt32) {
        for index in (0..<length).reversed() { bit(value >> index & 1) }
    }

    private mutating func bit(_ value: UInt32) {
        bits |= value << count
        count += 1
        if count == 8 {
            bytes.append(UInt8(bits))
            (bits, count) = (0, 0)
        }
    }

    private mutating func bytes(trailing content: [UInt8]) -> [UInt8] {
        while count != 0 { bit(0) }
        for value in [Self.checksum(content), UInt32(content.count)] {
            for shift in stride(from: 0, to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
            }
        }
        return bytes
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }
}
