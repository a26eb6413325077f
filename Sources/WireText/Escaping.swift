/// A notation that escapes unsafe characters in output.
///
/// Some unsafe characters end a line, control a terminal, or change the direction of the text around them. Others are
/// invisible, so different codes or prices could look the same:
///
/// | characters | why |
/// |---|---|
/// | U+0000–001F, U+007F, U+0080–009F | control characters (C0, DEL, C1) |
/// | U+2028, U+2029 | line and paragraph separator |
/// | U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069 | bidirectional controls (UAX #9) |
/// | U+FFF9–FFFB | interlinear annotation hides the text between them |
/// | all others with the property Default_Ignorable_Code_Point | invisible: joiners, selectors, fillers, tags |
///
/// Joiners and variation selectors also occur in Persian words and emoji. Escaping them loses no information: in JSON,
/// an escape is another spelling of the same character, and ``unescaped(_:)`` undoes the escapes of ``line``.
///
/// Sources: Unicode 17.0, chapters 23.1–23.9; `DerivedCoreProperties.txt`; UAX #9; UTR #36.
public enum Escaping: Equatable, Sendable {
    /// The escapes of JSON strings: `\"`, `\\` and `\uXXXX`, with a surrogate pair for a character above U+FFFF.
    ///
    /// The caller adds the quotation marks around the string. Rule: RFC 8259, section 7.
    case json

    /// The escapes for one-line text; ``unescaped(_:)``, bash's `printf '%b'` and Python string literals decode them.
    ///
    /// They are `\\`, `\t`, `\n`, `\r`, `\xHH` up to U+007F, `\uHHHH` up to U+FFFF, and `\UHHHHHHHH` above. The
    /// hexadecimal digits are lower-case.
    case line

    /// Like ``line``, but also escapes quotation marks; use it for text that a sentence quotes.
    case quoted

    /// Like ``line``, but does not escape backslashes; use it for sentences just before output.
    ///
    /// Texts quoted in a sentence are already escaped, so their backslashes must stay. This step only escapes unsafe
    /// characters that were overlooked, and cannot be undone.
    case sentence

    /// Whether a character is invisible or a control character; if so, every notation escapes it.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x2029: true
        case 0xAD, 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
            0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF,
            0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    /// Returns text with its special characters escaped in this notation.
    public func escaped(_ text: String) -> String {
        var output: [UInt8] = []
        append(text, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends text as UTF-8, with its special characters escaped.
    public func append(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &output) }
    }

    // Most bytes need no escaping, so runs of them are copied in one step.
    private func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        var start = 0
        var index = 0
        while index < bytes.count {
            if Self.isPlain(bytes[index]) {
                index += 1
                continue
            }
            let (scalar, length) = Self.scalar(in: bytes, at: index)
            if needsEscape(scalar) {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                append(escapeOf: scalar, to: &output)
                start = index + length
            }
            index += length
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }

    /// Decodes the character at an offset in valid UTF-8.
    private static func scalar(
        in bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (scalar: Unicode.Scalar, length: Int) {
        var decoder = UTF8()
        var iterator = bytes[index...].prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
            return ("\u{FFFD}", 1)
        }
        return (scalar, UTF8.width(scalar))
    }

    /// Whether a byte is an ASCII character that no notation escapes.
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\\": self != .sentence
        case "\"": self == .json || self == .quoted
        default: Self.isUnsafe(scalar)
        }
    }

    private func append(escapeOf scalar: Unicode.Scalar, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch (self, scalar.value) {
        case (_, 0x22), (_, 0x5C): output.append(UInt8(truncatingIfNeeded: scalar.value))
        case (.json, ...0xFFFF): output.appendHexadecimal(scalar.value, digits: 4, marked: "u")
        case (.json, _):
            output.appendHexadecimal(UInt32(UTF16.leadSurrogate(scalar)), digits: 4, marked: "u")
            output.append(UInt8(ascii: "\\"))
            output.appendHexadecimal(UInt32(UTF16.trailSurrogate(scalar)), digits: 4, marked: "u")
        case (_, 0x09): output.append(UInt8(ascii: "t"))
        case (_, 0x0A): output.append(UInt8(ascii: "n"))
        case (_, 0x0D): output.append(UInt8(ascii: "r"))
        case (_, ..<0x80): output.appendHexadecimal(scalar.value, digits: 2, marked: "x")
        case (_, ..<0x10000): output.appendHexadecimal(scalar.value, digits: 4, marked: "u")
        default: output.appendHexadecimal(scalar.value, digits: 8, marked: "U")
        }
    }
}

extension Escaping {
    /// Examples of all escapes that ``unescaped(_:)`` accepts, for error messages.
    package static let forms = #"\\ \" \t \n \r \0 \x1d \u001d \U0000001d \u{1d}"#

    /// Undoes the escapes in text; nil if one of them is incomplete or unknown, or denotes no character.
    ///
    /// It accepts the output of ``line`` and ``quoted``, and also `\0` and `\u{H…}`.
    public static func unescaped(_ text: String) -> String? {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            guard let meant = popEscaped(from: &rest) else { return nil }
            result.append(meant)
        }
        return String(result)
    }

    /// Parses the rest of an escape after the backslash; nil if the escape is invalid.
    package static func popEscaped(
        from rest: inout Substring.UnicodeScalarView
    ) -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "\\": "\\"
        case "\"": "\""
        case "t": "\t"
        case "n": "\n"
        case "r": "\r"
        case "0": "\0"
        case "x": popHexadecimal(2, from: &rest)
        case "u": rest.first == "{" ? popBraced(from: &rest) : popHexadecimal(4, from: &rest)
        case "U": popHexadecimal(8, from: &rest)
        default: nil
        }
    }

    private static func popBraced(
        from rest: inout Substring.UnicodeScalarView
    ) -> Unicode.Scalar? {
        rest.removeFirst()
        let digits = rest.prefix(9).prefix { $0 != "}" }.count
        guard digits > 0, let scalar = popHexadecimal(digits, from: &rest),
            rest.popFirst() == "}"
        else { return nil }
        return scalar
    }

    private static func popHexadecimal(
        _ digits: Int, from rest: inout Substring.UnicodeScalarView
    ) -> Unicode.Scalar? {
        var value: UInt64 = 0
        for _ in 0..<digits {
            guard let scalar = rest.popFirst(),
                let digit = UInt8(exactly: scalar.value)?.hexadecimalValue
            else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return UInt32(exactly: value).flatMap(Unicode.Scalar.init)
    }
}
