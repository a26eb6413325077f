import WireText

/// One line of events, read back.
struct EventLine {
    let number: Int
    let bytes: [UInt8]

    /// The value, or why it is none.
    let content: Result<JSONValue, JSONSyntaxError>

    init(number: Int, bytes: [UInt8]) {
        self.number = number
        self.bytes = bytes
        do throws(JSONSyntaxError) {
            content = .success(try JSONReader.read(bytes))
        } catch {
            content = .failure(error)
        }
    }

    /// The value; a line that is no JSON counts as a text.
    var value: JSONValue {
        switch content {
        case .success(let value): value
        case .failure: .string(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Which event it is, in words and escaped: `keywedge.scan "4006381333931" of counter`.
    var summary: String {
        let type = text("type").map(Escaping.line.escaped) ?? "an event without a type"
        let text = text("data", "text").map { " " + $0.quoted(upTo: .max) } ?? ""
        let scanner = self.text("data", "scanner", "name").map(Escaping.line.escaped)
        return type + text + (scanner.map { " of " + $0 } ?? "")
    }

    /// Says whether two lines tell of the same happening, even if not in the same words.
    ///
    /// Either they have the same id, or the same type, scanner, text and reason.
    func isSameEvent(as other: EventLine) -> Bool {
        if bytes == other.bytes { return true }
        guard let type = text("type"), type == other.text("type") else { return false }
        if let id = text("id"), id == other.text("id"), text("source") == other.text("source") {
            return true
        }
        return text("data", "text") == other.text("data", "text")
            && text("data", "scanner", "name") == other.text("data", "scanner", "name")
            && text("data", "reason") == other.text("data", "reason")
    }

    private func text(_ path: String...) -> String? {
        guard case .success(let value) = content else { return nil }
        return path.reduce(value) { $0?.object?[$1] }?.string
    }
}
