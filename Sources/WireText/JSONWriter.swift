/// Writes JSON values as bytes, without spaces, on one line.
///
/// The same value always gives the same bytes. What leaves unescaped is decided by ``Escaping``.
public enum JSONWriter {
    /// Appends a value.
    public static func append(_ value: JSONValue, to output: inout [UInt8]) {
        switch value {
        case .null: output.append("null")
        case .bool(true): output.append("true")
        case .bool(false): output.append("false")
        case .integer(let number): append(number, to: &output)
        case .number(let number): output.append(contentsOf: number.literal.utf8)
        case .string(let text): append(text, to: &output)
        case .array(let elements): append(elements, to: &output)
        case .object(let object): append(object, to: &output)
        }
    }

    /// Appends an object.
    public static func append(_ object: JSONObject, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            append(member.key, to: &output)
            output.append(UInt8(ascii: ":"))
            append(member.value, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Appends a text in quotes.
    public static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        Escaping.json.append(text, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// Writes a value as a text of its own.
    public static func text(of value: JSONValue) -> String {
        var output: [UInt8] = []
        append(value, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ elements: [JSONValue], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            append(element, to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    private static func append(_ number: Int64, to output: inout [UInt8]) {
        if number < 0 { output.append(UInt8(ascii: "-")) }
        output.appendDecimal(number.magnitude)
    }
}

extension JSONWriter {
    /// Writes a value for people to read: a line for each member and each element.
    public static func indentedText(of value: JSONValue) -> String {
        var output: [UInt8] = []
        append(value, depth: 0, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ value: JSONValue, depth: Int, to output: inout [UInt8]) {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            append(elements, in: ("[", "]"), depth, to: &output) { element, output in
                append(element, depth: depth + 1, to: &output)
            }
        case .object(let object) where !object.members.isEmpty:
            append(object.members, in: ("{", "}"), depth, to: &output) { member, output in
                append(member.key, to: &output)
                output.append(contentsOf: ": ".utf8)
                append(member.value, depth: depth + 1, to: &output)
            }
        default: append(value, to: &output)
        }
    }

    private static func append<Item>(
        _ items: [Item], in brackets: (open: String, close: String), _ depth: Int,
        to output: inout [UInt8], _ append: (Item, inout [UInt8]) -> Void
    ) {
        output.append(contentsOf: brackets.open.utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            newLine(depth + 1, &output)
            append(item, &output)
        }
        newLine(depth, &output)
        output.append(contentsOf: brackets.close.utf8)
    }

    private static func newLine(_ depth: Int, _ output: inout [UInt8]) {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}
