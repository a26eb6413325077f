import WebAPI

/// A body of `application/x-www-form-urlencoded`.
enum FormText {
    /// Writes names and values; everything but unreserved characters is percent-encoded.
    static func payload(_ fields: [(name: String, value: String)]) -> Payload {
        let pairs = fields.map { Query($0.name, $0.value) }.map {
            $0.encodedName + "=" + ($0.encodedValue ?? "")
        }
        return Payload(
            Array(pairs.joined(separator: "&").utf8),
            contentType: "application/x-www-form-urlencoded")
    }
}
