/// Writes JSON values as bytes, without spaces, on one line.
///
/// The same value always gives the same bytes. What leaves unescaped is decided by ``Escaping``.
public enum JSONWriter {
    /// Appends a value.
    ///
    /// - Parameters:
    ///   - value: What to write.
    ///   - output: Where the bytes go.
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
    ///
    /// - Parameters:
    ///   - object: Its members are written in their order.
    ///   - output: Where the bytes go.
    public static func append(_ object: JSONObject, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members {
            append(
                member.key, to: &output, behind: isFirst ? nil : UInt8(ascii: ","),
                ahead: UInt8(ascii: ":"))
            isFirst = false
            append(member.value, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Appends a text in quotes.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - output: Where the bytes go.
    public static func append(_ text: String, to output: inout [UInt8]) {
        append(text, to: &output, behind: nil, ahead: nil)
    }

    /// Appends a text in quotes, behind one byte and ahead of another, where there are any.
    @inline(__always)
    private static func append(
        _ text: String, to output: inout [UInt8], behind first: UInt8?, ahead last: UInt8?
    ) {
        var text = text
        let isWritten = text.withUTF8 { bytes in
            guard Escaping.isPlain(bytes) else { return false }
            output.append(addingCapacity: bytes.count + 4) { span in
                if let first { span.append(first) }
                span.append(UInt8(ascii: "\""))
                span.append(bytes)
                span.append(UInt8(ascii: "\""))
                if let last { span.append(last) }
            }
            return true
        }
        guard !isWritten else { return }
        if let first { output.append(first) }
        output.append(UInt8(ascii: "\""))
        Escaping.json.append(text, to: &output)
        output.append(UInt8(ascii: "\""))
        if let last { output.append(last) }
    }

    /// Writes a value as a text of its own.
    ///
    /// - Parameter value: What to write.
    /// - Returns: The JSON text.
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

extension OutputSpan<UInt8> {
    /// Appends bytes, which there is room for.
    @inline(__always)
    fileprivate mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { buffer, count in
            let room = UnsafeMutableBufferPointer(rebasing: buffer[count...])
            _ = room.initialize(fromContentsOf: bytes)
            count += bytes.count
        }
    }
}
