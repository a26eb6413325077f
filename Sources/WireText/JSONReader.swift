/// Reads one JSON text, strictly.
///
/// Beyond the grammar it asks that no key stands twice in an object and that nesting stays within
/// a limit. A byte order mark is no JSON. Rule: RFC 8259.
public struct JSONReader {
    /// How deep lists and objects may be nested where nothing else is said.
    public static let maximumDepth = 64

    var bytes: [UInt8]
    var index = 0
    private let depthLimit: Int

    /// Reads a text that holds one value and, around it, nothing but white space.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - depth: How deep lists and objects may be nested; each level takes stack.
    /// - Returns: The value.
    /// - Throws: ``JSONSyntaxError``, at the first byte that cannot stand where it stands.
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

    /// Reads a text that holds one value and, around it, nothing but white space.
    ///
    /// - Parameter text: The text.
    /// - Returns: The value.
    /// - Throws: ``JSONSyntaxError``, at the first byte that cannot stand where it stands.
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
        if skip(UInt8(ascii: "}")) { return object }
        repeat {
            skipSpace()
            let start = index
            guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
            let key = try string()
            guard object[key] == nil else { throw error(.repeatedKey(key), at: start) }
            guard skip(UInt8(ascii: ":")) else { throw unexpected("':'") }
            skipSpace()
            object.appendNew(key, try value(depth: depth))
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

    /// Goes over the bracket, if nesting allows one more.
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
    /// The byte that comes next; `nil` at the end.
    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Goes over white space, as RFC 8259 section 2 has it.
    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
            index += 1
        }
    }

    /// Goes over white space and one byte, where it is that byte.
    mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard peek == byte else { return false }
        index += 1
        return true
    }

    /// Makes the error for what stands here.
    func unexpected(_ expected: String) -> JSONSyntaxError {
        error(.unexpected(found: peek, expected: expected), at: index)
    }

    /// Makes an error, counting the lines only now.
    func error(_ problem: JSONSyntaxError.Problem, at offset: Int) -> JSONSyntaxError {
        let line = bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
        return JSONSyntaxError(problem: problem, line: line, offset: offset)
    }
}
