/// A strict JSON parser.
///
/// Besides malformed text, it rejects a byte order mark, a key repeated within an object, and values nested too deeply.
///
/// Rule: RFC 8259.
public struct JSONReader {
    /// How deeply lists and objects may be nested by default.
    public static let maximumDepth = 64

    var bytes: [UInt8]
    var index = 0
    private let depthLimit: Int
    private static let searchedMembers = 16

    /// Parses UTF-8 text that contains exactly one value; white space around it is allowed.
    public static func read(
        _ bytes: [UInt8], maximumDepth depth: Int = maximumDepth
    ) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONReader(bytes: bytes, depthLimit: depth)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.unexpected("the end") }
        return value
    }

    /// Parses text that contains exactly one value; white space around it is allowed.
    public static func read(_ text: String) throws(JSONSyntaxError) -> JSONValue {
        try read(Array(text.utf8))
    }

    private init(bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        switch peek {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONObject {
        try open(depth: depth)
        var object = JSONObject()
        // A set, because searching the members for each key would take too long for a hostile object.
        var keys: Set<[UInt8]> = []
        if skip(UInt8(ascii: "}")) { return object }
        repeat {
            skipSpace()
            let start = index
            guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
            let key = try string()
            let isNew =
                object.members.count < Self.searchedMembers
                ? object[key] == nil : keys.insert(Array(key.utf8)).inserted
            guard isNew else { throw error(.repeatedKey(key), at: start) }
            guard skip(UInt8(ascii: ":")) else { throw unexpected("':'") }
            skipSpace()
            object.appendNew(key, try value(depth: depth))
            if object.members.count == Self.searchedMembers {
                keys = Set(object.members.map { Array($0.key.utf8) })
            }
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw unexpected("',' or '}'") }
        return object
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
        try open(depth: depth)
        var elements: [JSONValue] = []
        if skip(UInt8(ascii: "]")) { return elements }
        repeat {
            skipSpace()
            elements.append(try value(depth: depth))
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw unexpected("',' or ']'") }
        return elements
    }

    /// Skips an opening bracket; throws if lists and objects are nested too deeply.
    private mutating func open(depth: Int) throws(JSONSyntaxError) {
        guard depth <= depthLimit else {
            throw error(.tooDeep(limit: depthLimit), at: index)
        }
        index += 1
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        for position in 0..<word.utf8CodeUnitCount {
            guard peek == word.utf8Start[position] else { throw unexpected("\"\(word)\"") }
            index += 1
        }
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        guard let length = JSONNumber.length(of: bytes, from: index) else {
            throw unexpected("a value")
        }
        let literal = String(decoding: bytes[index..<index + length], as: UTF8.self)
        index += length
        if literal != "-0", let integer = Int64(literal) { return .integer(integer) }
        guard let number = JSONNumber(literal) else { throw unexpected("a value") }
        return .number(number)
    }
}

extension JSONReader {
    /// The next byte; nil at the end.
    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Skips white space (RFC 8259, section 2).
    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
            index += 1
        }
    }

    /// Skips white space and the given byte; returns false if that byte does not come next.
    mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard peek == byte else { return false }
        index += 1
        return true
    }

    func unexpected(_ expected: String) -> JSONSyntaxError {
        error(.unexpected(found: peek, expected: expected), at: index)
    }

    /// Returns an error for a problem at an offset, with the number of the line that contains the offset.
    func error(_ problem: JSONSyntaxError.Problem, at offset: Int) -> JSONSyntaxError {
        let line = bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
        return JSONSyntaxError(problem: problem, line: line, offset: offset)
    }
}

extension JSONReader {
    /// Parses a string; the next byte is its opening quotation mark (RFC 8259, section 7).
    mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        let start = index
        skipPlain()
        if peek == UInt8(ascii: "\"") {
            guard let string = String(validating: bytes[start..<index], as: UTF8.self) else {
                throw error(.notUTF8, at: start)
            }
            index += 1
            return string
        }
        var text = Array(bytes[start..<index])
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw unexpected("a character, '\\' or '\"'") }
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            text.append(contentsOf: String(try escape()).utf8)
        }
        guard peek != nil else { throw unexpected("'\"'") }
        index += 1
        guard let string = String(validating: text, as: UTF8.self) else {
            throw error(.notUTF8, at: start)
        }
        return string
    }

    /// Skips to the next quotation mark, backslash or control character.
    private mutating func skipPlain() {
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            index += 1
        }
    }

    /// Parses the rest of an escape, after its backslash.
    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = index - 1
        guard let byte = peek else { throw unexpected("an escape") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default: throw error(.wrongEscape, at: start)
        }
    }

    /// Parses the digits of a `\u` escape, and a second escape for a surrogate pair.
    private mutating func unicodeEscape(
        from start: Int
    ) throws(JSONSyntaxError) -> Unicode.Scalar {
        let unit = try fourDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), peek == UInt8(ascii: "\\"), index + 1 < bytes.count,
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw error(.loneSurrogate, at: start) }
        index += 2
        let trail = try fourDigits()
        guard UTF16.isTrailSurrogate(trail) else { throw error(.loneSurrogate, at: start) }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private mutating func fourDigits() throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = peek?.hexadecimalValue else {
                throw unexpected("a hexadecimal digit")
            }
            index += 1
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
