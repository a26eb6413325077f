/// A JSON value.
///
/// Integers and other numbers are kept apart, so that neither a sequence number nor a price ever
/// goes through a floating-point type. Texts are compared byte for byte.
public enum JSONValue: Sendable {
    /// `null`.
    case null

    /// `true` or `false`.
    case bool(Bool)

    /// A whole number without fraction and exponent.
    case integer(Int64)

    /// Any other number, digit for digit.
    case number(JSONNumber)

    /// A text.
    case string(String)

    /// A list.
    case array([JSONValue])

    /// An object whose members keep their order.
    case object(JSONObject)

    /// The text, where the value is one.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The members, where the value is an object.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements, where the value is a list.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}

extension JSONValue: Equatable {
    /// Says whether two values would be written the same.
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
    /// Makes a text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Makes a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Makes a list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Makes an object, in the literal's order; the last value of a repeated key counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject(capacity: elements.count)
        for (key, value) in elements { object.append(key, value) }
        self = .object(object)
    }
}
