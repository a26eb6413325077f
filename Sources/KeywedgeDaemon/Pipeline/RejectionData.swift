public import Keystrokes
public import WireText

extension Rejection {
    /// The fields of a rejection's `data`, after the scanner.
    ///
    /// - Parameters:
    ///   - data: Where the fields are appended.
    ///   - problem: What may be the cause.
    public func append(to data: inout JSONObject, adding problem: JSONObject? = nil) {
        data.appendNew("reason", .string(reason.rawValue))
        if !text.isEmpty { data.appendNew("text", .string(text)) }
        data.appendNew("position", .integer(Int64(position)))
        if let key { data.appendNew("key", .string(key.description)) }
        if let problem { data.appendNew("problems", [.object(problem)]) }
        data.appendNew("keystrokes", keystrokes)
    }

    /// The `keystrokes` field.
    var keystrokes: JSONValue {
        .keystrokes(count: keyCount, from: startMicroseconds, to: endMicroseconds)
    }
}

extension Scan {
    /// The `keystrokes` field.
    var keystrokes: JSONValue {
        .keystrokes(count: keyCount, from: startMicroseconds, to: endMicroseconds)
    }
}

extension JSONValue {
    /// How many keys, and how long from the first to the last; a clock that stepped back counts 0.
    fileprivate static func keystrokes(
        count: Int, from start: Int64, to end: Int64
    ) -> JSONValue {
        let span = end.subtractingReportingOverflow(start)
        let microseconds = span.overflow ? 0 : max(0, span.partialValue)
        var data = JSONObject(capacity: 2)
        data.appendNew("count", .integer(Int64(count)))
        data.appendNew("duration_ms", .integer(microseconds / 1_000))
        return .object(data)
    }
}
