package import WireText

/// A JSON value that is no list and no object, to compare others with.
package enum JSONScalar: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, digit for digit: `1` and `1.0` are two.
    case number(JSONNumber)
    /// A text.
    case text(String)

    /// Says whether a value is this one.
    func isSame(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null): true
        case (.bool(let mine), .bool(let other)): mine == other
        case (.number(let mine), .integer(let other)): mine.literal == String(other)
        case (.number(let mine), .number(let other)): mine == other
        case (.text(let mine), .string(let other)): mine.utf8.elementsEqual(other.utf8)
        default: false
        }
    }
}
