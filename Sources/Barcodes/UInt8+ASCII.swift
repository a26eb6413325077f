extension UInt8 {
    /// Whether the byte is an ASCII digit.
    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    /// The value of an ASCII digit; meaningless for any other byte.
    @inline(__always)
    var digitValue: Int { Int(self &- 0x30) }

    /// Whether the byte is an ASCII capital letter.
    @inline(__always)
    var isUpper: Bool { self &- 0x41 < 26 }

    /// Whether the byte is an ASCII small letter.
    @inline(__always)
    var isLower: Bool { self &- 0x61 < 26 }
}

extension UInt8 {
    /// The value of a hexadecimal digit, or nil for any other byte.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
