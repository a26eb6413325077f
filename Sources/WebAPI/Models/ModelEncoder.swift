import WireText

/// Makes JSON of models.
enum ModelEncoder {
    /// Makes JSON of a model.
    ///
    /// - Parameter model: The model.
    /// - Returns: The value; members in the order in which the model gives them.
    /// - Throws: ``RequestError/unencodable(at:reason:)``.
    static func encode(_ model: some Encodable) throws(RequestError) -> JSONValue {
        let node = ValueEncoder(codingPath: [])
        do {
            try model.encode(to: node)
        } catch EncodingError.invalidValue(let value, let context) {
            throw .unencodable(
                at: node.pointer(to: context.codingPath),
                reason: "\(value): \(context.debugDescription)")
        } catch let error as RequestError {
            throw error
        } catch {
            throw .unencodable(at: JSONPointer(), reason: "\(error)")
        }
        return node.value
    }
}

/// Encodes one value; the values inside are encoders of their own until all are there.
final class ValueEncoder: Encoder, JSONValueTaker {
    private enum Content {
        case single(JSONValue)
        case list([ValueEncoder])
        case object([(key: String, value: ValueEncoder)])
    }

    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    private var content: Content?

    init(codingPath: [any CodingKey]) {
        self.codingPath = codingPath
    }

    /// What was encoded; an empty object for a model without anything.
    var value: JSONValue {
        switch content {
        case nil: return .object([:])
        case .single(let value): return value
        case .list(let elements): return .array(elements.map(\.value))
        case .object(let members):
            var object = JSONObject(capacity: members.count)
            for (key, value) in members { object.append(key, value.value) }
            return .object(object)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object = content {} else { content = .object([]) }
        return KeyedEncodingContainer(ObjectEncodingContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .list = content {} else { content = .list([]) }
        return ListEncodingContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ValueEncodingContainer(encoder: self)
    }

    func take(_ value: JSONValue) {
        content = .single(value)
    }

    /// The encoder of a new member.
    func member(_ key: any CodingKey) -> ValueEncoder {
        let member = ValueEncoder(codingPath: codingPath + [key])
        guard case .object(var members) = content else { return member }
        content = nil
        members.append((key.stringValue, member))
        content = .object(members)
        return member
    }

    /// The encoder of a new element.
    func element() -> ValueEncoder {
        let element = ValueEncoder(codingPath: codingPath + [NameKey(count)])
        guard case .list(var elements) = content else { return element }
        content = nil
        elements.append(element)
        content = .list(elements)
        return element
    }

    /// How many elements there are.
    var count: Int {
        if case .list(let elements) = content { elements.count } else { 0 }
    }

    func pointer(to path: [any CodingKey]) -> JSONPointer {
        JSONPointer(path.map { $0.intValue.map(String.init) ?? $0.stringValue })
    }
}
