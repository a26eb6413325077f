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
