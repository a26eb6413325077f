import WireText

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
