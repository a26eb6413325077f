/// Puts the pieces of a stream together to server-sent events.
///
/// Rule: WHATWG HTML, section 9.2.6.
struct ServerSentEventReader {
    /// An event of a stream.
    struct Message: Equatable {
        /// Its id; nil where none has come.
        var id: String?
        /// What it says: its lines with a line feed between them.
        var data: [UInt8]
    }

    /// An event is too large: nobody shall have to hold what has no end.
    struct TooLarge: Error, Equatable, CustomStringConvertible {
        let description = "An event of the stream has more than 1 MiB."
    }

    private static let limit = 1 << 20

    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var id: String?

    /// Takes a piece of the stream.
    ///
    /// - Parameter piece: Its bytes.
    /// - Returns: The events that end in it.
    /// - Throws: ``TooLarge``.
    mutating func take(_ piece: some Sequence<UInt8>) throws(TooLarge) -> [Message] {
        var messages: [Message] = []
        for byte in piece {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if let message = endLine() { messages.append(message) }
        }
        guard line.count + data.count <= Self.limit else { throw TooLarge() }
        return messages
    }

    private mutating func endLine() -> Message? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else {
            defer {
                data = []
                hasData = false
            }
            return hasData ? Message(id: id, data: data) : nil
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line[name.endIndex...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if name.elementsEqual("data".utf8) {
            if hasData { data.append(UInt8(ascii: "\n")) }
            data += value
            hasData = true
        } else if name.elementsEqual("id".utf8), !value.contains(0) {
            id = String(decoding: value, as: UTF8.self)
        }
        return nil
    }
}
