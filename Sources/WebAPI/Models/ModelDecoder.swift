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
