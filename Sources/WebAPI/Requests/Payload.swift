import WireText

/// The content of a request, and its type.
///
/// No description of it shows more than type and size, for it may hold secrets.
public struct Payload: Hashable, Sendable {
    /// The content.
    public let bytes: [UInt8]

    /// What goes into `Content-Type`; `nil` for no such header.
    public let contentType: String?

    /// Content of any type.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - contentType: What goes into `Content-Type`, for example `application/octet-stream`.
    public init(_ bytes: [UInt8], contentType: String?) {
        self.bytes = bytes
        self.contentType = contentType
    }

    /// Plain text in UTF-8.
    ///
    /// - Parameter text: The text.
    /// - Returns: The content, as `text/plain`.
    public static func text(_ text: String) -> Payload {
        Payload(Array(text.utf8), contentType: "text/plain; charset=utf-8")
    }

    /// No content at all, for a `POST` that needs none.
    public static let empty = Payload([], contentType: nil)
}

extension Payload: CustomStringConvertible, CustomReflectable {
    /// Size and type.
    public var description: String {
        "\(bytes.count.counted("byte"))" + (contentType.map { " of \($0)" } ?? "")
    }

    /// The same for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["content": description], displayStyle: .struct)
    }
}
