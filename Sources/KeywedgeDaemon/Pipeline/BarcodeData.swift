public import Barcodes
public import Events

extension Barcode {
    /// The fields of an event's `data` that say what was read, from `text` to `problems`.
    ///
    /// - Parameter data: Where the fields are appended.
    public func append(to data: inout JSONObject) {
        data.append("text", .string(text))
        data.append("aim", aim.map { .string($0.description) } ?? .null)
        data.append("symbology", symbology.map { .string($0.rawValue) } ?? .null)
        data.append("inferred", .bool(inferred))
        data.append("kind", .string(kind.rawValue))
        data.append("gtin", gtin.map { .string($0.text) } ?? .null)
        data.append("check_digit", checkDigit.map { .string($0.rawValue) } ?? .null)
        data.append("problems", .array(problems.map { .object($0.data) }))
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
