package import Events
import Journal
import NIOCore

enum StreamFormat: Equatable, Sendable {
    /// One JSON object per line.
    case lines
    /// Server-sent events, each with its cursor as the ID.
    ///
    /// Rule: WHATWG HTML, section 9.2.5.
    case serverSentEvents

    var mediaType: String {
        self == .lines ? "application/x-ndjson" : "text/event-stream"
    }

    /// The first line of a stream, which sets a random retry delay; nil for ``lines``.
    var preamble: ByteBuffer? {
        self == .lines ? nil : ByteBuffer(string: "retry: \(Int.random(in: 1500...2500))\n\n")
    }

    /// A comment that shows the client that the connection is alive; nil for the format ``lines``.
    var comment: ByteBuffer? { self == .lines ? nil : ByteBuffer(string: ":\n\n") }
}

/// An event that is encoded only once, for all streams.
///
/// Its JSON is a single line, because the encoder escapes all line breaks.
struct StreamedEvent: Sendable {
    let type: EventType
    let source: String
    /// The event's number; nil if a client cannot resume after it.
    let sequence: UInt64?
    private let text: ByteBuffer
    private let prefix: Int

    init(_ entry: JournalEntry, cursor: Cursor?) {
        (type, source, sequence) = (entry.type, entry.source, cursor?.sequence)
        var text = ByteBuffer()
        text.reserveCapacity(entry.line.count + 60)
        if let cursor { text.writeString("id: \(cursor)\n") }
        text.writeString("data: ")
        prefix = text.writerIndex
        text.writeBytes(entry.line)
        text.writeString("\n\n")
        self.text = text
    }

    var line: [UInt8] {
        Array(text.viewBytes(at: prefix, length: text.writerIndex - prefix - 2) ?? ByteBufferView())
    }

    var size: Int { text.readableBytes }

    /// Returns the event's bytes in a stream's format, without copying them.
    func bytes(_ format: StreamFormat) -> ByteBuffer {
        switch format {
        case .serverSentEvents: text
        case .lines:
            // Include only the first of the two line feeds.
            text.getSlice(at: prefix, length: text.writerIndex - prefix - 1) ?? ByteBuffer()
        }
    }
}

extension EventFilter {
    package static let allKinds = [
        "gtin", "gs1", "isbn", "book-details", "issn", "in-store", "coupon", "hibc",
        "pzn", "mh10", "library", "url", "text",
    ]
}
