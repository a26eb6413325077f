import Crypto
import HTTPService
import HTTPTypes

/// What tells one content of a resource from another.
///
/// Rule: RFC 9110, section 8.8.3.
struct EntityTag: Equatable, CustomStringConvertible {
    /// The tag with its quotation marks.
    let description: String

    /// The tag of a content: the first half of its SHA-256.
    init(of body: [UInt8]) {
        let digits = SHA256.hash(data: body).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        description = "\"" + digits.joined() + "\""
    }

    /// Whether a client has this content already.
    ///
    /// - Parameter list: The value of `If-None-Match`; weak tags count (section 13.1.2).
    /// - Returns: Whether one of the tags in the list is this one, or the list is `*`.
    func isNamed(in list: String?) -> Bool {
        guard let list else { return false }
        var rest = list[...]
        if rest.drop(while: Self.isSpace).prefix(while: { !Self.isSpace($0) }) == "*" {
            return true
        }
        while let open = rest.firstIndex(of: "\"") {
            let behind = rest[rest.index(after: open)...]
            guard let close = behind.firstIndex(of: "\"") else { return false }
            if rest[open...close] == description { return true }
            rest = rest[rest.index(after: close)...]
        }
        return false
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\t"
    }
}

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
