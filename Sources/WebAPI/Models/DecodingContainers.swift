import WireText

/// Decodes the members of an object.
struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONObject
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        if case .null = try value(key) { true } else { false }
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder.child(value(key), key).unbox(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.child(value(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.child(value(key), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        guard let value = object["super"] else {
            throw TransformError.missingKey("super", at: decoder.pointer)
        }
        return decoder.child(value, NameKey("super"))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.child(try value(key), key)
    }

    private func value(_ key: Key) throws(TransformError) -> JSONValue {
        guard let value = object[key.stringValue] else {
            throw .missingKey(key.stringValue, at: decoder.pointer)
        }
        return value
    }
}

/// Decodes the elements of a list.
struct ListContainer: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let decoder: ValueDecoder
    private(set) var currentIndex = 0

    init(elements: [JSONValue], decoder: ValueDecoder) {
        self.elements = elements
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard case .null = try current().value else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let result = try current().unbox(type)
        currentIndex += 1
        return result
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try current().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try current().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try current()
        currentIndex += 1
        return decoder
    }

    private func current() throws(TransformError) -> ValueDecoder {
        guard !isAtEnd else { throw .missingElement(currentIndex, at: decoder.pointer) }
        return decoder.child(elements[currentIndex], NameKey(currentIndex))
    }
}

/// Decodes a value that is neither object nor list.
struct ValueContainer: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        if case .null = decoder.value { true } else { false }
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let value) = decoder.value else {
            throw decoder.unexpected("true or false")
        }
        return value
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = decoder.value else { throw decoder.unexpected("a text") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double { try floatingPoint(type) }
    func decode(_ type: Float.Type) throws -> Float { try floatingPoint(type) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.unbox(type) }

    private func integer<T: FixedWidthInteger>(_ type: T.Type) throws(TransformError) -> T {
        let literal: String
        switch decoder.value {
        case .integer(let number):
            if let result = T(exactly: number) { return result }
            literal = String(number)
        case .number(let number): literal = number.literal
        default: throw decoder.unexpected("an integer")
        }
        if let result = T(literal) { return result }
        guard literal.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
        else { throw decoder.unexpected("an integer") }
        throw outOfRange("an integer from \(T.min) to \(T.max)")
    }

    private func floatingPoint<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: T.Type
    ) throws(TransformError) -> T {
        let result: T?
        switch decoder.value {
        case .integer(let number): result = T(number)
        case .number(let number): result = T(number.literal)
        default: throw decoder.unexpected("a number")
        }
        guard let result, result.isFinite else {
            throw outOfRange("a number up to \(T.greatestFiniteMagnitude)")
        }
        return result
    }

    private func outOfRange(_ expected: String) -> TransformError {
        .outOfRange(at: decoder.pointer, expected: expected, found: decoder.value)
    }
}
