/// What the characters a scanner types stand for.
public enum TypedEncoding: String, Hashable, Sendable, CaseIterable {
    /// Themselves.
    case characters
    /// Each for one byte of UTF-8.
    case utf8 = "utf-8"
    /// Each for one byte of Windows-1252.
    case windows1252 = "windows-1252"
    /// Each for one byte of Shift_JIS, as Microsoft's code page 932 has it.
    case shiftJIS = "shift_jis"
}

/// What became of bytes that should be a text.
enum DecodedBytes: Equatable {
    /// The text.
    case text(String)
    /// The 0-based offset of the first byte that belongs to no character.
    case invalid(at: Int)
}

extension TypedEncoding {
    /// The text that typed characters stand for.
    ///
    /// A character stands for the byte of its number, or for the byte Windows-1252 has it at: a
    /// layout has no key for U+0080, but may have one for the euro sign.
    ///
    /// - Parameter typed: The characters as typed.
    /// - Returns: The text, or where it is none.
    func decoded(_ typed: String) -> DecodedBytes {
        guard self != .characters else { return .text(typed) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(typed.utf8.count)
        for scalar in typed.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) ?? CodePage.windows1252.byte(of: scalar)
            else { return .invalid(at: bytes.count) }
            bytes.append(byte)
        }
        return decoded(bytes)
    }

    private func decoded(_ bytes: [UInt8]) -> DecodedBytes {
        switch self {
        case .characters, .utf8: Self.decodedUTF8(bytes)
        case .windows1252: Self.decodedWindows1252(bytes)
        case .shiftJIS: ShiftJIS.decoded(bytes)
        }
    }

    /// The bytes of a character, or nil where the encoding does not have it.
    ///
    /// - Parameter scalar: The character.
    /// - Returns: The bytes, or nil.
    func bytes(of scalar: Unicode.Scalar) -> [UInt8]? {
        switch self {
        case .characters, .utf8: Array(String(scalar).utf8)
        case .windows1252: CodePage.windows1252.byte(of: scalar).map { [$0] }
        case .shiftJIS: ShiftJIS.bytes(of: scalar)
        }
    }

    /// How many bytes a character can take.
    var longestCharacter: Int {
        switch self {
        case .characters, .windows1252: 1
        case .utf8: 4
        case .shiftJIS: 2
        }
    }

    private static func decodedUTF8(_ bytes: [UInt8]) -> DecodedBytes {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var text = String.UnicodeScalarView()
        var length = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                text.append(scalar)
                length += UTF8.width(scalar)
            case .emptyInput: return .text(String(text))
            case .error: return .invalid(at: length)
            }
        }
    }

    private static func decodedWindows1252(_ bytes: [UInt8]) -> DecodedBytes {
        var text = String.UnicodeScalarView()
        for (offset, byte) in bytes.enumerated() {
            guard let scalar = CodePage.windows1252[byte] else { return .invalid(at: offset) }
            text.append(scalar)
        }
        return .text(String(text))
    }
}
