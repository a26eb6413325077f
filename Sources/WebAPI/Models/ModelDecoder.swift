import FoundationEssentials
import WireText

/// Makes models of JSON, and says of what does not fit where it stands.
///
/// Numbers never go through a floating-point type unless the model's property is one. A property of
/// type `JSONNumber` or `JSONValue` takes what stands there digit for digit.
enum ModelDecoder {
    /// Makes a model.
    ///
    /// - Parameters:
    ///   - type: The model's type.
    ///   - value: The JSON.
    ///   - start: Where in the JSON the model starts.
    /// - Returns: The model.
    /// - Throws: ``TransformError``, its pointers counted from the top of `value`.
    static func decode<Model: Decodable>(
        _ type: Model.Type, from value: JSONValue, at start: JSONPointer
    ) throws(TransformError) -> Model {
        let part = try descend(into: value, to: start)
        return try ValueDecoder(value: part, codingPath: [], start: start).unbox(type)
    }

    /// Goes down to where the model starts, and says what is missing on the way.
    private static func descend(
        into value: JSONValue, to pointer: JSONPointer
    ) throws(TransformError) -> JSONValue {
        var part = value
        var here = JSONPointer()
        for token in pointer.tokens {
            guard let next = part[JSONPointer([token])] else {
                switch part {
                case .object: throw .missingKey(token, at: here)
                case .array: throw .missingElement(Int(token) ?? -1, at: here)
                default:
                    throw .unexpectedType(
                        at: here, expected: "an object", found: part)
                }
            }
            part = next
            here = here.appending(token)
        }
        return part
    }
}

extension TransformError {
    /// The error of a model's own code for a value that is of the right type and means nothing.
    ///
    /// - Parameters:
    ///   - decoder: What the model is made of, at the value.
    ///   - expected: What was expected there, as it stands behind "expected".
    /// - Returns: The error to throw, with the value and its place.
    public static func unexpectedValue(
        in decoder: any Decoder, expected: String
    ) -> TransformError {
        let decoder = decoder as? ValueDecoder
        return .unexpectedValue(
            at: decoder?.pointer ?? JSONPointer(), expected: expected, found: decoder?.value)
    }
}

/// Decodes one JSON value.
struct ValueDecoder: Decoder, JSONValueHolder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    let start: JSONPointer
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var heldValue: JSONValue { value }

    /// Where the value stands.
    var pointer: JSONPointer { pointer(to: codingPath) }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw unexpected("an object") }
        return KeyedDecodingContainer(ObjectContainer(object: object, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw unexpected("a list") }
        return ListContainer(elements: elements, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        ValueContainer(decoder: self)
    }

    /// The decoder of what stands under a key.
    func child(_ value: JSONValue, _ key: any CodingKey) -> ValueDecoder {
        ValueDecoder(value: value, codingPath: codingPath + [key], start: start)
    }

    /// Makes a value of any type; what goes wrong becomes a ``TransformError``.
    func unbox<T: Decodable>(_ type: T.Type) throws(TransformError) -> T {
        if T.self == Date.self, let date = try date() as? T { return date }
        do {
            return try T(from: self)
        } catch let error as TransformError {
            throw error
        } catch let error as DecodingError {
            throw transformError(error, making: type)
        } catch {
            throw .unexpectedValue(
                at: pointer, expected: "a value of \(type): \(error)", found: value)
        }
    }

    /// A date, which services write as ISO 8601 has it.
    private func date() throws(TransformError) -> Date {
        let expected = "a time such as 2026-11-21T08:00:00Z"
        guard case .string(let text) = value else { throw unexpected(expected) }
        guard let microseconds = RFC3339.microseconds(text) else {
            throw .unexpectedValue(at: pointer, expected: expected, found: value)
        }
        return Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }

    /// The error for a value of another type.
    func unexpected(_ expected: String) -> TransformError {
        .unexpectedType(at: pointer, expected: expected, found: value)
    }

    func pointer(to path: [any CodingKey]) -> JSONPointer {
        JSONPointer(start.tokens + path.map { $0.intValue.map(String.init) ?? $0.stringValue })
    }

    /// What a model's own code threw, in our terms.
    private func transformError(_ error: DecodingError, making type: Any.Type) -> TransformError {
        switch error {
        case .keyNotFound(let key, let context):
            .missingKey(key.stringValue, at: pointer(to: context.codingPath))
        case .typeMismatch(let wanted, let context):
            .unexpectedType(
                at: pointer(to: context.codingPath), expected: Self.name(of: wanted),
                found: value(at: context.codingPath))
        case .valueNotFound(let wanted, let context):
            .unexpectedType(
                at: pointer(to: context.codingPath), expected: Self.name(of: wanted),
                found: .null)
        case .dataCorrupted(let context):
            .unexpectedValue(
                at: pointer(to: context.codingPath),
                expected: Self.choices(of: type) ?? "a value of \(type)",
                found: value(at: context.codingPath))
        @unknown default:
            .unexpectedValue(
                at: pointer, expected: "a value of \(type)", found: value)
        }
    }

    /// What stands at a path at or below this decoder.
    private func value(at path: [any CodingKey]) -> JSONValue? {
        let below = pointer(to: Array(path.dropFirst(codingPath.count)))
        let rest = JSONPointer(Array(below.tokens.dropFirst(start.tokens.count)))
        return value[rest]
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is JSONNumber.Type: "a number"
        case is String.Type: "a text"
        default: "a value of \(type)"
        }
    }

    /// The raw values of an enumeration that lists its cases.
    private static func choices(of type: Any.Type) -> String? {
        guard let cases = (type as? any CaseIterable.Type)?.rawValues else { return nil }
        return "one of " + cases.joined(separator: ", ")
    }
}

extension CaseIterable {
    /// The raw values of all cases; `nil` where the cases have none.
    fileprivate static var rawValues: [String]? {
        let values = allCases.compactMap { ($0 as? any RawRepresentable)?.rawText }
        return values.isEmpty ? nil : values
    }
}

extension RawRepresentable {
    fileprivate var rawText: String { "\(rawValue)" }
}

/// A key that is any name or any position.
struct NameKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init(stringValue: String) { self.init(stringValue) }

    init(intValue: Int) { self.init(intValue) }
}
