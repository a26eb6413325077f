public import WireText

extension Payload {
    /// A JSON value.
    ///
    /// - Parameter value: The value.
    /// - Returns: The content, as `application/json`.
    public static func json(_ value: JSONValue) -> Payload {
        var bytes: [UInt8] = []
        JSONWriter.append(value, to: &bytes)
        return Payload(bytes, contentType: "application/json")
    }

    /// A model as JSON; members in the order in which the model gives them.
    ///
    /// - Parameter model: The model.
    /// - Returns: The content, as `application/json`.
    /// - Throws: ``RequestError/unencodable(at:reason:)``, for `NaN` and what the model refuses.
    public static func json(_ model: some Encodable) throws(RequestError) -> Payload {
        json(try ModelEncoder.encode(model))
    }
}
