package import Barcodes
package import WireText

extension Barcode {
    /// The fields of an event's `data` that say what was read, from `text` to `problems`.
    ///
    /// - Parameters:
    ///   - data: Where the fields are appended.
    ///   - year: The year that two-digit years are seen from; nil to leave dates as they stand.
    ///   - other: A problem that is not the code's own.
    package func append(
        to data: inout JSONObject, seenFrom year: Int? = nil, adding other: JSONObject? = nil
    ) {
        data.appendNew("text", .string(text))
        data.appendNew("aim", aim.map { .string($0.description) } ?? .null)
        data.appendNew("symbology", symbology.map { .string($0.rawValue) } ?? .null)
        data.appendNew("inferred", .bool(inferred))
        data.appendNew("kind", .string(kind.rawValue))
        data.appendNew("gtin", gtin.map { .string($0.text) } ?? .null)
        data.appendNew("check_digit", checkDigit.map { .string($0.rawValue) } ?? .null)
        if let addOn { data.appendNew("add_on", .string(addOn)) }
        if let inStore { data.appendNew("in_store", .object(inStore.data)) }
        if let gs1 { data.appendNew("gs1", .object(gs1.data(seenFrom: year))) }
        let all = problems.map(\.data) + (other.map { [$0] } ?? [])
        data.appendNew("problems", .array(all.map(JSONValue.object)))
    }
}

extension GS1Message {
    /// The message as the `gs1` field.
    func data(seenFrom year: Int?) -> JSONObject {
        var data = JSONObject(capacity: 2)
        data.appendNew("elements", .array(elements.map { .object($0.data(seenFrom: year)) }))
        if let digitalLink { data.appendNew("digital_link", .string(digitalLink)) }
        return data
    }
}

extension GS1Element {
    /// The element as an entry of `gs1.elements`.
    func data(seenFrom year: Int?) -> JSONObject {
        var data = JSONObject(capacity: 5)
        data.appendNew("ai", .string(ai))
        data.appendNew("title", .string(title))
        data.appendNew("value", .string(value))
        if let date = year.flatMap(date(currentYear:)) {
            data.appendNew("date", .string(date.description))
        }
        if let decimal { data.appendNew("decimal", .string(decimal.description)) }
        if let currency { data.appendNew("currency", .string(currency)) }
        return data
    }
}

extension InStoreCode {
    /// The code as the `in_store` field.
    var data: JSONObject {
        var data = JSONObject(capacity: 6)
        data.appendNew("scope", .string(scope.rawValue))
        if let item { data.appendNew("item", .string(item)) }
        if let price { data.appendNew("price", .string(price.description)) }
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
    /// The problem as an entry of `problems`.
    var data: JSONObject {
        var data = JSONObject(capacity: 4)
        data.appendNew("code", .string(code.rawValue))
        data.appendNew("severity", .string(severity.rawValue))
        data.appendNew("message", .string(message))
        data.appendNew("at", at.map { .integer(Int64($0)) } ?? .null)
        return data
    }
}
