public import Keystrokes
public import WireText

extension Rejection {
    /// The fields of a rejection's `data`, after the scanner.
    ///
    /// - Parameters:
    ///   - data: Where the fields are appended.
    ///   - problem: What may be the cause.
    public func append(to data: inout JSONObject, adding problem: JSONObject? = nil) {
        data.append("reason", .string(reason.rawValue))
        if !text.isEmpty { data.append("text", .string(text)) }
        data.append("position", .integer(Int64(position)))
        if let key { data.append("key", .string(key.description)) }
        if let problem { data.append("problems", [.object(problem)]) }
        data.append("keystrokes", keystrokes)
    }

    /// The `keystrokes` field.
    var keystrokes: JSONValue {
        KeystrokeSpan(count: keyCount, from: startMicroseconds, to: endMicroseconds).data
    }
}
