import Barcodes
import Events
package import Keystrokes
package import WireText

extension Rejection {
    /// The fields of a rejection's `data`, after the scanner.
    ///
    /// - Parameters:
    ///   - data: Where the fields are appended.
    ///   - problem: What may be the cause.
    package func append(to data: inout JSONObject, adding problem: JSONObject? = nil) {
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

extension SensitiveContent {
    /// The data of a `keywedge.scan.redacted` event: what kind of content, and how long.
    func data(from scanner: ScannerLabel, keystrokes: JSONValue) -> JSONObject {
        [
            "scanner": .object(scanner.data), "content": .string(kind.rawValue),
            "length": .integer(Int64(length)), "keystrokes": keystrokes,
        ]
    }
}

/// Who an event is about: a scanner's configured name, and its identity where that is known.
package struct ScannerLabel: Hashable, Sendable {
    /// The name in the configuration; unique.
    package var name: String
    /// What the device says of itself; nil where a recording does not tell.
    package var identity: DeviceIdentity?

    package init(name: String, identity: DeviceIdentity? = nil) {
        self.name = name
        self.identity = identity
    }

    /// The label as the `scanner` field of an event.
    package var data: JSONObject {
        var data = JSONObject(capacity: 3)
        data.appendNew("name", .string(name))
        if let identity {
            data.appendNew("vendor", .string(identity.vendor.fourHexDigits))
            data.appendNew("product", .string(identity.product.fourHexDigits))
        }
        return data
    }
}
