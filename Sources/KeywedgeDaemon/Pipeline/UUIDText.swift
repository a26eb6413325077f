/// Universally unique identifiers as text (RFC 9562).
enum UUIDText {
    /// An identifier made of 16 random bytes, version 4.
    static func version4(_ random: UnsafeRawBufferPointer) -> String {
        text(random, version: 4)
    }

    /// An identifier made of the first 16 bytes of a digest, version 8.
    static func version8(_ digest: UnsafeRawBufferPointer) -> String {
        text(digest, version: 8)
    }

    private static func text(_ source: UnsafeRawBufferPointer, version: UInt8) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var end = 0
            for index in 0..<16 {
                var byte = source[index]
                switch index {
                case 6: byte = byte & 0x0F | version << 4
                case 8: byte = byte & 0x3F | 0x80
                default: break
                }
                if index == 4 || index == 6 || index == 8 || index == 10 {
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
