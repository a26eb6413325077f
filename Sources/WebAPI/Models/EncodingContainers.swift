import WireText

/// Encodes the members of an object.
struct ObjectEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws { encoder.member(key).take(.null) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try value.encode(to: encoder.member(key))
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder.member(key).container(keyedBy: keyType) }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.member(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder.member(NameKey("super")) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
}

/// Encodes the elements of a list.
struct ListEncodingContainer: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    mutating func encodeNil() throws { encoder.element().take(.null) }

    mutating func encode<T: Encodable>(_ value: T) throws {
        try value.encode(to: encoder.element())
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { encoder.element().container(keyedBy: keyType) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.element().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder.element() }
}

/// Encodes a value that is neither object nor list.
struct ValueEncodingContainer: SingleValueEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws { encoder.take(.null) }
    mutating func encode(_ value: Bool) throws { encoder.take(.bool(value)) }
    mutating func encode(_ value: String) throws { encoder.take(.string(value)) }
    mutating func encode(_ value: Double) throws { try take(value) }
    mutating func encode(_ value: Float) throws { try take(value) }
    mutating func encode(_ value: Int) throws { take(value) }
    mutating func encode(_ value: Int8) throws { take(value) }
    mutating func encode(_ value: Int16) throws { take(value) }
    mutating func encode(_ value: Int32) throws { take(value) }
    mutating func encode(_ value: Int64) throws { take(value) }
    mutating func encode(_ value: UInt) throws { take(value) }
    mutating func encode(_ value: UInt8) throws { take(value) }
    mutating func encode(_ value: UInt16) throws { take(value) }
    mutating func encode(_ value: UInt32) throws { take(value) }
    mutating func encode(_ value: UInt64) throws { take(value) }
    mutating func encode<T: Encodable>(_ value: T) throws { try value.encode(to: encoder) }

    private func take(_ value: some FixedWidthInteger) {
        encoder.take(Int64(exactly: value).map { .integer($0) } ?? .number(JSONNumber(value)))
    }

    /// Takes the shortest digits that read back as the same number.
    private func take(_ value: some BinaryFloatingPoint & LosslessStringConvertible) throws {
        guard value.isFinite, let number = JSONNumber(String(value)) else {
            throw RequestError.unencodable(
                at: encoder.pointer(to: codingPath), reason: "JSON has no \(value)")
        }
        encoder.take(.number(number))
    }
}
