/// Universally unique identifiers as text (RFC 9562).
enum UUIDText {
    /// A random identifier, version 4.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()]
        return words.withUnsafeBytes { text($0, version: 4) }
    }

    /// An identifier made of the first 16 bytes of a digest, version 8.
    static func version8(_ digest: UnsafeRawBufferPointer) -> String {
        text(digest, version: 8)
    }

    private static func text(_ source: UnsafeRawBufferPointer, version: UInt8) -> String {
        var bytes = Array(source.prefix(16))
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return String(unsafeUninitializedCapacity: 36) { buffer in
            var end = 0
            for (index, byte) in bytes.enumerated() {
                if [4, 6, 8, 10].contains(index) {
                    buffer[end] = UInt8(ascii: "-")
                    end += 1
                }
                buffer[end] = hexDigit(byte >> 4)
                buffer[end + 1] = hexDigit(byte & 0xF)
                end += 2
            }
            return end
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
