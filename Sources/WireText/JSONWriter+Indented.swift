extension JSONWriter {
    /// Writes a value for people to read: a line for each member and each element.
    ///
    /// - Parameter value: What to write.
    /// - Returns: The JSON text, without a newline at its end.
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
