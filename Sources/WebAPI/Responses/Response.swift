public import HTTPTypes
import WireText

/// What a server answered, whatever its status.
public struct Response: Hashable, Sendable {
    /// The status.
    public let status: HTTPResponse.Status

    /// The header fields, in order.
    public let headers: HTTPFields

    /// The content, decompressed.
    public let payload: [UInt8]

    /// Why the redirect that this response is was not followed; `nil` for any other response.
    public internal(set) var refusedRedirect: RefusedRedirect?

    /// Makes a response.
    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], payload: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.payload = payload
    }

    /// Whether the status is one of 200 to 299.
    public var isSuccess: Bool { status.kind == .successful }

    /// The content as UTF-8; other bytes become U+FFFD.
    public var text: String { String(decoding: payload, as: UTF8.self) }

    /// The media type without parameters, in small letters, such as `application/json`.
    public var mediaType: String? {
        headers[.contentType].map { type in
            let end = type.firstIndex(of: ";") ?? type.endIndex
            return type[..<end].filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status, type and size.
    public var description: String {
        "\(statusText), \(payload.count.counted("byte"))"
            + (mediaType.map { " of \(Escaping.line.escaped($0))" } ?? "")
    }

    /// Status, header fields and the beginning of the content, secrets left out.
    public var debugDescription: String {
        ([description] + headers.redactedLines + [text.quoted(upTo: 1000)])
            .joined(separator: "\n")
    }

    /// The same for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": statusText, "headers": headers.redactedLines,
                "payload": "\(payload.count.counted("byte"))",
            ], displayStyle: .struct)
    }

    /// The status's number and words, as `404 Not Found`; the words may be the server's own.
    var statusText: String {
        status.reasonPhrase.isEmpty
            ? "\(status.code)" : "\(status.code) \(Escaping.line.escaped(status.reasonPhrase))"
    }
}

/// What came of sending a request: there is a response, or there is none and a reason for it.
public enum Output: Hashable, Sendable {
    /// The server answered, whatever its status, and the whole answer is here.
    case response(Response)
    /// There is no whole answer.
    case noResponse(ConnectionError)

    /// The response, where there is one.
    public var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }

    /// Why there is none, where that is so.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = self { error } else { nil }
    }
}
