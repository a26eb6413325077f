/// Functions that write JSON values, by default on one line and without spaces.
///
/// Equal values always produce the same bytes. ``Escaping/json`` defines which characters are escaped.
public enum JSONWriter {
    /// Appends a value as JSON, on one line.
    public static func append(_ value: JSONValue, to output: inout [UInt8]) {
        append(value, depth: nil, to: &output)
    }

    /// Appends an object as JSON, on one line.
    public static func append(_ object: JSONObject, to output: inout [UInt8]) {
        append(object, depth: nil, to: &output)
    }

    /// Appends a string as JSON, in quotation marks.
    public static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        Escaping.json.append(text, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// Returns a value as JSON text, on one line.
    public static func text(of value: JSONValue) -> String {
        text(of: value, depth: nil)
    }

    /// Returns a value as indented text, with one line for each member and element.
    public static func indentedText(of value: JSONValue) -> String {
        text(of: value, depth: 0)
    }

    private static func text(of value: JSONValue, depth: Int?) -> String {
        var output: [UInt8] = []
        append(value, depth: depth, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends a value, either indented by `depth` levels or, if `depth` is nil, on a single line.
    private static func append(_ value: JSONValue, depth: Int?, to output: inout [UInt8]) {
        switch value {
        case .null: output.append("null")
        case .bool(true): output.append("true")
        case .bool(false): output.append("false")
        case .integer(let number):
            if number < 0 { output.append(UInt8(ascii: "-")) }
            output.appendDecimal(number.magnitude)
        case .number(let number): output.append(contentsOf: number.literal.utf8)
        case .string(let text): append(text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            let inner = depth.map { $0 + 1 }
            for (index, element) in elements.enumerated() {
                begin(index, depth: inner, &output)
                append(element, depth: inner, to: &output)
            }
            if !elements.isEmpty { newLine(depth, &output) }
            output.append(UInt8(ascii: "]"))
        case .object(let object): append(object, depth: depth, to: &output)
        }
    }

    private static func append(_ object: JSONObject, depth: Int?, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        let inner = depth.map { $0 + 1 }
        for (index, member) in object.members.enumerated() {
            begin(index, depth: inner, &output)
            append(member.key, to: &output)
            output.append(UInt8(ascii: ":"))
            if depth != nil { output.append(UInt8(ascii: " ")) }
            append(member.value, depth: inner, to: &output)
        }
        if !object.members.isEmpty { newLine(depth, &output) }
        output.append(UInt8(ascii: "}"))
    }

    /// Appends a comma unless `index` is 0, and an indented new line if `depth` is set.
    private static func begin(_ index: Int, depth: Int?, _ output: inout [UInt8]) {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        newLine(depth, &output)
    }

    private static func newLine(_ depth: Int?, _ output: inout [UInt8]) {
        guard let depth else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}
