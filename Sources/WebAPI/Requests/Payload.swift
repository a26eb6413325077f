public import WireText

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

extension Payload {
    /// Fields as a web form sends them.
    ///
    /// - Parameter fields: Names and values, in order; any texts.
    /// - Returns: The content, as `application/x-www-form-urlencoded`.
    ///
    /// Rule: the URL Standard, section 5.2.
    public static func form(_ fields: KeyValuePairs<String, String>) -> Payload {
        form(fields.map { ($0.key, $0.value) })
    }

    /// Fields as a web form sends them.
    ///
    /// - Parameter fields: Names and values, in order; any texts.
    /// - Returns: The content, as `application/x-www-form-urlencoded`.
    public static func form(_ fields: [(name: String, value: String)]) -> Payload {
        let text = fields.map { "\(encoded($0.name))=\(encoded($0.value))" }
            .joined(separator: "&")
        return Payload(Array(text.utf8), contentType: "application/x-www-form-urlencoded")
    }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encoded(text).replacing("%20", with: "+").replacing("~", with: "%7E")
    }
}
