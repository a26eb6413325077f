public import Barcodes
public import WireText

extension Barcode {
    /// The fields of an event's `data` that say what was read, from `text` to `problems`.
    ///
    /// - Parameters:
    ///   - data: Where the fields are appended.
    ///   - year: The year that two-digit years are seen from; nil to leave dates as they stand.
    ///   - other: A problem that is not the code's own.
    public func append(
        to data: inout JSONObject, seenFrom year: Int? = nil, adding other: JSONObject? = nil
    ) {
        data.append("text", .string(text))
        data.append("aim", aim.map { .string($0.description) } ?? .null)
        data.append("symbology", symbology.map { .string($0.rawValue) } ?? .null)
        data.append("inferred", .bool(inferred))
        data.append("kind", .string(kind.rawValue))
        data.append("gtin", gtin.map { .string($0.text) } ?? .null)
        data.append("check_digit", checkDigit.map { .string($0.rawValue) } ?? .null)
        if let addOn { data.append("add_on", .string(addOn)) }
        if let inStore { data.append("in_store", .object(inStore.data)) }
        if let gs1 { data.append("gs1", .object(gs1.data(seenFrom: year))) }
        let all = problems.map(\.data) + (other.map { [$0] } ?? [])
        data.append("problems", .array(all.map(JSONValue.object)))
    }
}

extension GS1Message {
    /// The message as the `gs1` field.
    func data(seenFrom year: Int?) -> JSONObject {
        var data = JSONObject(capacity: 2)
        data.append("elements", .array(elements.map { .object($0.data(seenFrom: year)) }))
        if let digitalLink { data.append("digital_link", .string(digitalLink)) }
        return data
    }
}

extension GS1Element {
    /// The element as an entry of `gs1.elements`.
    func data(seenFrom year: Int?) -> JSONObject {
        var data = JSONObject(capacity: 5)
        data.append("ai", .string(ai))
        data.append("title", .string(title))
        data.append("value", .string(value))
        if let date = year.flatMap(date(currentYear:)) {
            data.append("date", .string(date.description))
        }
        if let decimal { data.append("decimal", .string(decimal.description)) }
        if let currency { data.append("currency", .string(currency)) }
        return data
    }
}

extension InStoreCode {
    /// The code as the `in_store` field.
    var data: JSONObject {
        var data = JSONObject(capacity: 6)
        data.append("scope", .string(scope.rawValue))
        if let item { data.append("item", .string(item)) }
        if let price { data.append("price", .string(price.description)) }
        if let currency { data.append("currency", .string(currency)) }
        if let weight { data.append("weight_kg", .string(weight.description)) }
        if let count { data.append("count", .integer(Int64(count))) }
        if let valueCheckDigit {
            data.append("value_check_digit", .string(valueCheckDigit.rawValue))
        }
        return data
    }
}

extension Problem {
    /// The problem as an entry of `problems`.
    var data: JSONObject {
        var data = JSONObject(capacity: 4)
        data.append("code", .string(code.rawValue))
        data.append("severity", .string(severity.rawValue))
        data.append("message", .string(message))
        data.append("at", at.map { .integer(Int64($0)) } ?? .null)
        return data
    }
}
