public import HTTPTypes
import WireText

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and URL, secrets left out.
    public var description: String { "\(methodAndPayload.method) \(location)" }

    /// Method, URL, header fields and the size of the content, secrets left out.
    public var debugDescription: String {
        ([description] + headerLines + [methodAndPayload.payload?.description].compactMap(\.self))
            .joined(separator: "\n")
    }

    /// The same for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "request": description, "headers": headerLines,
                "payload": methodAndPayload.payload?.description ?? "none",
            ], displayStyle: .struct)
    }

    private var headerLines: [String] { fieldsToSend.redactedLines }
}

extension HTTPFields {
    /// One line a field, escaped, secrets left out.
    ///
    /// Secret are the names that tell, such as `Authorization`, `Cookie` and `X-API-Key`, and every
    /// field whose indexing strategy is `.disallow`, which is how RFC 7541, section 7.1.3, marks a
    /// sensitive one.
    public var redactedLines: [String] {
        map { field in
            "\(field.name): "
                + (field.isSecret ? SecretNames.mark : Escaping.line.escaped(field.value))
        }
    }
}
