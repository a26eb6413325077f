/// A JSON value.
///
/// Integers and other numbers are separate cases, so that sequence numbers and prices are never converted to floating
/// point. Strings are compared byte for byte.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// An integer that fits into 64 bits and is written without a fraction or exponent.
    case integer(Int64)
    /// A number other than an ``integer(_:)``, such as `1.10`, with its digits as written.
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The string; nil if the value is not a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The object; nil if the value is not an object.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements; nil if the value is not a list.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}

extension JSONValue: Equatable {
    /// Whether two values are equal; if so, ``JSONWriter`` writes the same bytes for both.
    ///
    /// An ``integer(_:)`` never equals a ``number(_:)``: `1` and `1.0` are different values.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isIdentical(to: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a JSON string, so that a string literal can be used as a JSON value.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an ``integer(_:)`` from a literal, for example in `let value: JSONValue = 1`.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates the JSON value `true` or `false`, for example in `let value: JSONValue = true`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an ``array(_:)`` from a literal, for example in `let value: JSONValue = [1, 2]`.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object from a literal; if a key is repeated, the last value is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}
