import HTTPService
import HTTPTypes

extension Answer {
    /// Answers with JSON.
    ///
    /// - Parameters:
    ///   - body: The JSON text.
    ///   - tag: What tells this content from others; nil where it is not to be kept.
    ///   - caching: How long it may be kept.
    init(json body: [UInt8], tag: EntityTag, caching: Caching) {
        self.init(
            .ok,
            fields: [
                .contentType: "application/json", .cacheControl: caching.rawValue,
                .eTag: "\(tag)",
            ], body: body)
    }

    /// Answers that what the client has still holds.
    init(unchanged tag: EntityTag, caching: Caching) {
        self.init(
            .notModified, fields: [.cacheControl: caching.rawValue, .eTag: "\(tag)"], body: nil)
    }
}
