import WireText

extension Response {
    /// What the server itself says of the response: the message in its JSON, the title of its page,
    /// or the first line of its text; nil if it says nothing.
    ///
    /// Members that are looked for, in this order: `message`, `error_description`, `detail`, `title`
    /// (RFC 9457), `error`, and the same in `error`, in `errors` and in their first elements.
    public var serverMessage: String? {
        guard !payload.isEmpty else { return nil }
        let content = contentInUTF8
        let head = content.count > 65536 ? Array(content.prefix(65536)) : content
        let message =
            if let json = try? JSONReader.read(head) {
                Self.message(in: json, depth: 0)
            } else if mediaType == "text/html" || Self.beginsWithMarkup(head) {
                Self.title(of: String(decoding: head, as: UTF8.self))
            } else if mediaType == nil || mediaType?.hasPrefix("text/") == true {
                Self.firstLine(of: String(decoding: head, as: UTF8.self))
            } else {
                String?.none
            }
        return message.flatMap { $0.isEmpty ? nil : String($0.prefix(400)) }
    }

    private static func beginsWithMarkup(_ content: [UInt8]) -> Bool {
        content.first { $0 > 0x20 } == UInt8(ascii: "<")
    }

    private static func message(in json: JSONValue, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        switch json {
        case .string(let text): return text
        case .array(let elements):
            return elements.first.flatMap { message(in: $0, depth: depth + 1) }
        case .object(let object):
            for key in ["message", "error_description", "detail", "title"] {
                if let text = object[key]?.string, !text.isEmpty { return text }
            }
            for key in ["error", "errors"] {
                if let inner = object[key], let text = message(in: inner, depth: depth + 1) {
                    return text
                }
            }
            return nil
        default: return nil
        }
    }

    private static func title(of page: String) -> String? {
        for (start, end) in [("<title", "</title"), ("<h1", "</h1")] {
            if let text = text(between: start, and: end, in: page) { return text }
        }
        return nil
    }

    private static func text(between start: String, and end: String, in page: String) -> String? {
        let bytes = Array(page.utf8)
        let small = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard let open = small.firstRange(of: Array(start.utf8)),
            let close = small[open.upperBound...].firstRange(of: Array(end.utf8)),
            let inner = small[open.upperBound..<close.lowerBound].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let text = String(decoding: bytes[(inner + 1)..<close.lowerBound], as: UTF8.self)
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        return words.isEmpty ? nil : words
    }

    private static func firstLine(of text: String) -> String? {
        text.split { $0.isNewline }.lazy.map { line in
            line.split { $0.isWhitespace }.joined(separator: " ")
        }.first { !$0.isEmpty }
    }
}
