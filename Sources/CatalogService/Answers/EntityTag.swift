import Catalog
import HTTPService
import HTTPTypes

/// What tells one content of a resource from another.
///
/// Rule: RFC 9110, section 8.8.3.
struct EntityTag: Equatable, CustomStringConvertible {
    /// How the service writes contents; another number is another tag for the same revision.
    static let notation = 1

    /// The tag with its quotation marks.
    let description: String

    /// The tag of what is read off one revision of the catalog.
    ///
    /// - Parameters:
    ///   - revision: The revision.
    ///   - rereadings: How often products were changed while the revision stayed, before it was read.
    init(_ revision: CatalogRevision, rereadings: Int64) {
        let suffix = rereadings == 0 ? "" : "-\(rereadings)"
        description = "\"\(Self.notation)-\(revision)\(suffix)\""
    }

    /// A tag as it is written, with its quotation marks.
    init(quoted text: String) {
        description = text
    }

    /// The tag of a content, by the content itself.
    init(of body: [UInt8]) {
        let sum = ContentSum.of(body)
        let high = UInt64(truncatingIfNeeded: sum >> 64)
        let low = String(UInt64(truncatingIfNeeded: sum), radix: 16)
        let zeros = String(repeating: "0", count: 16 - low.utf8.count)
        description = "\"" + String(high, radix: 16) + zeros + low + "\""
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
