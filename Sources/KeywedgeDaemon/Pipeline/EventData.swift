package import Barcodes
package import Catalog
import Events
package import Keystrokes
package import WireText

// The functions in this file make the `data` of an event, in the order of its fields.

extension Barcode {
    /// Appends the event fields that describe the code, from `text` to `problems`.
    ///
    /// `year` is the current year, which determines the century of two-digit years; if it is nil, `date` fields are
    /// omitted. `others` are additional `problems` entries, which are not about the code itself.
    package func append(
        to data: inout JSONObject, seenFrom year: Int? = nil, adding others: [JSONObject] = []
    ) {
        data.appendNew("text", .string(text))
        data.appendNew("aim", aim.map { .string($0.description) } ?? .null)
        data.appendNew("symbology", reading.symbology.map { .string($0.rawValue) } ?? .null)
        data.appendNew("inferred", .bool(inferred))
        data.appendNew("kind", .string(reading.kind.rawValue))
        data.appendNew("gtin", reading.gtin.map { .string($0.text) } ?? .null)
        if let number = reading.number { data.appendNew("number", .string(number)) }
        data.appendNew("check_digit", reading.checkDigit.map { .string($0.rawValue) } ?? .null)
        reading.appendParts(to: &data, seenFrom: year)
        if !reading.alternatives.isEmpty {
            let readings = reading.alternatives.map { JSONValue.object($0.data(seenFrom: year)) }
            data.appendNew("alternatives", .array(readings))
        }
        let all = reading.problems.map(\.data) + others
        data.appendNew("problems", .array(all.map(JSONValue.object)))
    }
}

extension Reading {
    /// Returns an entry for an event's `alternatives`, without dates if the current `year` is nil.
    func data(seenFrom year: Int?) -> JSONObject {
        var data = JSONObject(capacity: 6)
        data.appendNew("symbology", symbology.map { .string($0.rawValue) } ?? .null)
        data.appendNew("kind", .string(kind.rawValue))
        data.appendNew("gtin", gtin.map { .string($0.text) } ?? .null)
        if let number = self.number { data.appendNew("number", .string(number)) }
        appendParts(to: &data, seenFrom: year)
        return data
    }

    /// Appends the fields `add_on`, `in_store`, `gs1` and `fields` if the code has them.
    fileprivate func appendParts(to data: inout JSONObject, seenFrom year: Int?) {
        if let addOn = self.addOn { data.appendNew("add_on", .string(addOn)) }
        if let inStore = self.inStore { data.appendNew("in_store", .object(inStore.data)) }
        if let gs1 { data.appendNew("gs1", .object(gs1.data(seenFrom: year))) }
        guard !self.fields.isEmpty else { return }
        let fields = self.fields.map { JSONValue.object($0.data(seenFrom: year)) }
        data.appendNew("fields", .array(fields))
    }
}

extension DataField {
    /// Returns an entry for an event's `fields` list, without a date if the current `year` is nil.
    func data(seenFrom year: Int?) -> JSONObject {
        var data = JSONObject(capacity: 4)
        if let identifier { data.appendNew("di", .string(identifier)) }
        if let title { data.appendNew("title", .string(title)) }
        data.appendNew("value", .string(value))
        if let date = year.flatMap(date(currentYear:)) { data.appendNew("date", .string(date)) }
        return data
    }
}

extension GS1Message {
    /// Returns the value of an event's `gs1` field, without dates if the current `year` is nil.
    func data(seenFrom year: Int?) -> JSONObject {
        var data = JSONObject(capacity: 2)
        data.appendNew("elements", .array(elements.map { .object($0.data(seenFrom: year)) }))
        if let digitalLink { data.appendNew("digital_link", .string(digitalLink)) }
        return data
    }
}

extension GS1Element {
    /// Returns an entry for an event's `gs1.elements`, without a date if the current `year` is nil.
    func data(seenFrom year: Int?) -> JSONObject {
        var data = JSONObject(capacity: 5)
        data.appendNew("ai", .string(ai))
        data.appendNew("title", .string(title))
        data.appendNew("value", .string(value))
        if let date = year.flatMap(date(currentYear:)) {
            data.appendNew("date", .string(date))
        }
        if let decimal { data.appendNew("decimal", .string(decimal.description)) }
        if let currency { data.appendNew("currency", .string(currency)) }
        return data
    }
}

extension InStoreCode {
    /// The value of an event's `in_store` field.
    var data: JSONObject {
        var data = JSONObject(capacity: 6)
        data.appendNew("scope", .string(scope.rawValue))
        if let item { data.appendNew("item", .string(item)) }
        if price != nil || valueCheckDigit == .invalid {
            data.appendNew("price", price.map { .string($0.description) } ?? .null)
        }
        if let currency { data.appendNew("currency", .string(currency)) }
        if let weight { data.appendNew("weight_kg", .string(weight.description)) }
        if let count { data.appendNew("count", .integer(Int64(count))) }
        if let valueCheckDigit {
            data.appendNew("value_check_digit", .string(valueCheckDigit.rawValue))
        }
        return data
    }
}

extension Problem {
    /// The problem as an entry of an event's `problems` list.
    var data: JSONObject {
        var data = JSONObject(capacity: 4)
        data.appendNew("code", .string(code.rawValue))
        data.appendNew("severity", .string(severity.rawValue))
        data.appendNew("message", .string(message))
        data.appendNew("at", at.map { .integer(Int64($0)) } ?? .null)
        return data
    }
}

extension LookupResult {
    /// Appends the `lookup` field with the duration `took`, and `product` if one was found.
    package func append(to data: inout JSONObject, took: Duration?) {
        var lookup = JSONObject(capacity: 6)
        lookup.appendNew("status", .string(status.rawValue))
        if let origin { append(origin, to: &lookup) }
        if let match, match.isAmbiguous {
            let ids = match.candidates.map { JSONValue.string($0.id) }
            lookup.appendNew("candidates", .array(ids))
        }
        if let failure {
            lookup.appendNew("catalog", .string(failure.catalog))
            lookup.appendNew("code", .string(failure.failure.code.rawValue))
            lookup.appendNew("reason", .string(failure.failure.reason.description))
        }
        if failures.count > (failure == nil ? 0 : 1) {
            lookup.appendNew("failures", .array(failures.map { .object($0.data) }))
        }
        if attempts > 0 { lookup.appendNew("attempts", .integer(Int64(attempts))) }
        if let milliseconds = took?.milliseconds { lookup.appendNew("took_ms", milliseconds) }
        data.appendNew("lookup", .object(lookup))
        guard let match else { return }
        let isStale = if case .stale = origin { true } else { false }
        data.appendNew("product", match.product.data(isStale: isStale))
    }

    private func append(_ origin: LookupOrigin, to lookup: inout JSONObject) {
        lookup.appendNew("origin", .string(origin.name))
        guard origin != .embedded else { return }
        if let catalog { lookup.appendNew("catalog", .string(catalog)) }
        if let age = origin.age { lookup.appendNew("age_s", .integer(age.components.seconds)) }
    }
}

extension LookupResult.Failure {
    /// The failure as an entry of an event's `lookup.failures` list.
    var data: JSONObject {
        [
            "catalog": .string(catalog), "code": .string(failure.code.rawValue),
            "reason": .string(failure.reason.description),
        ]
    }
}

extension Duration {
    /// The duration in milliseconds with three decimals; nil if the duration is out of range.
    var milliseconds: JSONValue? {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0, seconds < 1_000_000_000 else { return nil }
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return .number(JSONNumber(thousandths: UInt64(microseconds)))
    }
}

extension Product {
    /// Returns the value of an event's `product` field; `isStale` marks a price that may be out of date.
    package func data(isStale: Bool = false) -> JSONValue {
        var data = JSONObject(capacity: 8)
        data.appendNew("id", .string(id))
        if let name { data.appendNew("name", .string(name)) }
        if let price {
            data.appendNew("price", .string(price.amount))
            data.appendNew("currency", .string(price.currency.description))
            if isStale { data.appendNew("price_stale", true) }
        }
        if let unit { data.appendNew("unit", .string(unit)) }
        if !codes.isEmpty { data.appendNew("codes", .array(codes.map(JSONValue.string))) }
        if !attributes.isEmpty {
            var object = JSONObject(capacity: attributes.count)
            for (name, value) in sortedAttributes { object.appendNew(name, .string(value)) }
            data.appendNew("attributes", .object(object))
        }
        return .object(data)
    }
}

extension Rejection {
    /// Appends the event fields of a rejection, from `reason` to `keystrokes`; fields without a value are omitted.
    ///
    /// `problem`, if any, describes the likely cause, and becomes the only entry of `problems`.
    package func append(to data: inout JSONObject, adding problem: JSONObject? = nil) {
        data.appendNew("reason", .string(reason.rawValue))
        if !text.isEmpty { data.appendNew("text", .string(text)) }
        data.appendNew("position", .integer(Int64(position)))
        if let key { data.appendNew("key", .string(key.description)) }
        if let problem { data.appendNew("problems", [.object(problem)]) }
        data.appendNew("keystrokes", keystrokes)
    }

    /// The value of an event's `keystrokes` field.
    var keystrokes: JSONValue {
        .keystrokes(count: keyCount, from: startMicroseconds, to: endMicroseconds)
    }
}

extension UnmappedKey.AltNumber {
    var data: JSONObject { .warning("alt-number", advice) }

    /// Advice on the settings for a scanner that types each character as Alt plus a number on the keypad.
    package var advice: String {
        let mode =
            "set the scanner to Unicode for Linux (Ctrl+Shift+U and a hexadecimal number) and write "
            + "unicode_entry: true; or to UTF-8, and write encoding: utf-8"
        return switch self {
        case .unexpected:
            "The scanner types characters as numbers on the keypad, with Alt held: expected "
                + "alt_numpad: true, got numbers. If they have five digits, which are characters "
                + "beyond those of Western Europe, for instance Chinese, \(mode)."
        case .noCharacter(let digits):
            "\"Alt+\(digits)\" stands for no character here: expected a number up to 255, got "
                + "\(digits). Numbers of five digits are characters beyond those of Western Europe, "
                + "for instance Chinese, in Unicode or GBK; keywedge does not know which: \(mode)."
        }
    }
}

extension Scan {
    /// A warning that the scan may be only one line of a larger symbol; nil if a pause preceded the scan.
    var rapidLineWarning: String? {
        guard features.contains(.rapidLine) else { return nil }
        return "It followed the scan before within milliseconds. If both are lines of one symbol,"
            + " set terminator_pause: 80ms for this scanner, which keeps them together; a scanner"
            + " that sends stored codes does the same."
    }

    var rapidLines: JSONObject? { rapidLineWarning.map { .warning("rapid-lines", $0) } }

    /// The value of an event's `keystrokes` field.
    var keystrokes: JSONValue {
        .keystrokes(count: keyCount, from: startMicroseconds, to: endMicroseconds)
    }
}

extension JSONObject {
    /// Makes a warning for an event's `problems` list.
    static func warning(_ code: String, _ message: String) -> JSONObject {
        [
            "code": .string(code), "severity": "warning", "message": .string(message), "at": .null,
        ]
    }
}

extension JSONValue {
    /// Makes the value of a `keystrokes` field; its duration is 0 if the clock stepped back.
    fileprivate static func keystrokes(count: Int, from start: Int64, to end: Int64) -> JSONValue {
        [
            "count": .integer(Int64(count)),
            "duration_ms": .integer(end.span(since: start) / 1_000),
        ]
    }
}

extension SensitiveContent {
    /// Returns the data of a `keywedge.scan.redacted` event, which does not contain the text.
    func data(from scanner: ScannerLabel, keystrokes: JSONValue) -> JSONObject {
        [
            "scanner": .object(scanner.data), "content": .string(kind.rawValue),
            "length": .integer(Int64(length)), "keystrokes": keystrokes,
        ]
    }
}
