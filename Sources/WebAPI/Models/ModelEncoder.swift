import WireText

/// Makes JSON of models.
enum ModelEncoder {
    /// Makes JSON of a model.
    ///
    /// - Parameter model: The model.
    /// - Returns: The value; members in the order in which the model gives them.
    /// - Throws: ``RequestError/unencodable(at:reason:)``.
    static func encode(_ model: some Encodable) throws(RequestError) -> JSONValue {
        let node = ValueEncoder(codingPath: [])
        do {
            try model.encode(to: node)
        } catch EncodingError.invalidValue(let value, let context) {
            throw .unencodable(
                at: node.pointer(to: context.codingPath),
                reason: "\(value): \(context.debugDescription)")
        } catch let error as RequestError {
            throw error
        } catch {
            throw .unencodable(at: JSONPointer(), reason: "\(error)")
        }
        return node.value
    }
}
