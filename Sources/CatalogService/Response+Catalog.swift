import Crypto
import Glibc
import HTTPService
import HTTPTypes
import Hummingbird
import NIOCore
import WireText

extension Response {
    /// Answers with JSON, or that what the client has still holds.
    ///
    /// Rules: RFC 9110, sections 8.8.3 and 13.1.2.
    init(json: [UInt8], _ caching: Caching, to request: Request) {
        let tag = EntityTag(of: json)
        var fields: HTTPFields = [.cacheControl: caching.rawValue, .eTag: tag.text]
        if tag.isNamed(in: request.headers[.ifNoneMatch]) {
            self.init(Answer(.notModified, fields: fields, body: nil))
        } else {
            fields[.contentType] = "application/json"
            self.init(Answer(.ok, fields: fields, body: json))
        }
    }

    /// Answers with JSON, or that what the client has still holds.
    init(json: JSONValue, _ caching: Caching, to request: Request) {
        var text: [UInt8] = []
        JSONWriter.append(json, to: &text)
        self.init(json: text, caching, to: request)
    }

    init(_ answer: Answer) {
        self.init(
            status: answer.status, headers: answer.head.headerFields,
            body: answer.body.map { ResponseBody(byteBuffer: ByteBuffer(bytes: $0)) }
                ?? ResponseBody())
    }
}

/// What tells one content of a resource from another.
struct EntityTag: Equatable {
    /// The tag with its quotation marks.
    let text: String

    /// The tag of a content: the first half of its SHA-256.
    init(of body: [UInt8]) {
        let digits = SHA256.hash(data: body).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        text = "\"\(digits.joined())\""
    }

    /// The tag of a file that is replaced and never rewritten.
    init(device: UInt64, inode: UInt64, size: Int64, changed: timespec) {
        let parts = [device, inode, UInt64(size), UInt64(changed.tv_sec), UInt64(changed.tv_nsec)]
        text = "\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\""
    }

    /// Whether a client has this content already.
    ///
    /// - Parameter list: The value of `If-None-Match`; weak tags count (section 13.1.2).
    /// - Returns: Whether one of the tags in the list is this one, or the list is `*`.
    func isNamed(in list: String?) -> Bool {
        guard let list else { return false }
        if list.filter({ $0 != " " && $0 != "\t" }) == "*" { return true }
        // Between the quotation marks of a tag stands no other.
        let parts = list.split(separator: "\"", omittingEmptySubsequences: false)
        return stride(from: 1, to: parts.count - 1, by: 2).contains { "\"\(parts[$0])\"" == text }
    }
}
