import Events
import Journal
import NIOCore
import WireText

/// How the events of a stream are written.
enum StreamFormat: Equatable, Sendable {
    /// One JSON object a line.
    case lines
    /// Server-sent events, with a cursor as the id of each.
    ///
    /// Rule: WHATWG HTML, section 9.2.5.
    case serverSentEvents

    /// The media type.
    var mediaType: String {
        switch self {
        case .lines: "application/x-ndjson"
        case .serverSentEvents: "text/event-stream"
        }
    }

    /// What a stream begins with: after how many milliseconds its client reconnects, not all at once.
    var preamble: ByteBuffer? {
        self == .lines ? nil : ByteBuffer(string: "retry: \(Int.random(in: 1500...2500))\n\n")
    }

    /// What shows that a stream is still there; nil where its form has no room for that.
    var comment: ByteBuffer? { self == .lines ? nil : ByteBuffer(string: ":\n\n") }
}

/// An event as streams send it, written once for all of them.
///
/// Its line has no line end: JSON as keywedge writes it escapes all of them.
struct StreamedEvent: Sendable {
    /// What it tells.
    let type: EventType
    /// Its `source`.
    let source: String
    /// Its number; nil where a client cannot go on behind it.
    let sequence: UInt64?
    private let text: ByteBuffer
    private let prefix: Int

    /// Writes an event.
    ///
    /// - Parameters:
    ///   - type: What it tells.
    ///   - source: Its `source`.
    ///   - cursor: Where a client goes on behind it.
    ///   - line: The event as one JSON object.
    init(type: EventType, source: String, cursor: Cursor?, line: [UInt8]) {
        self.type = type
        self.source = source
        sequence = cursor?.sequence
        var text = ByteBuffer()
        text.reserveCapacity(line.count + 60)
        if let cursor { text.writeString("id: \(cursor)\n") }
        text.writeString("data: ")
        prefix = text.writerIndex
        text.writeBytes(line)
        text.writeString("\n\n")
        self.text = text
    }

    /// Writes an event of the journal.
    init(_ entry: JournalEntry, epoch: Epoch) {
        self.init(
            type: entry.type, source: entry.source,
            cursor: Cursor(epoch: epoch, sequence: entry.sequence), line: entry.line)
    }

    /// Tells a client that events are missing behind its cursor.
    ///
    /// - Parameters:
    ///   - gap: What is missing.
    ///   - cursor: The cursor that the client came with.
    ///   - epoch: The present life of the journal.
    ///   - source: The `source` of the daemon's events.
    ///   - time: Now.
    init(_ gap: JournalGap, behind cursor: Cursor, epoch: Epoch, source: String, time: EventTime) {
        let event = Event(
            id: "gap-\(cursor)-\(epoch)-\(gap.last)", source: source, type: .gap, time: time,
            sequence: gap.last,
            data: [
                "reason": .string(gap.reason.rawValue), "after": .string("\(cursor)"),
                "first": .string(Event.text(ofSequence: gap.first)),
                "last": .string(Event.text(ofSequence: gap.last)),
                "epoch": .string("\(epoch)"),
            ])
        self.init(
            type: .gap, source: source, cursor: Cursor(epoch: epoch, sequence: gap.last),
            line: event.line)
    }

    /// The event as one JSON object.
    var line: [UInt8] {
        Array(text.viewBytes(at: prefix, length: text.writerIndex - prefix - 2) ?? ByteBufferView())
    }

    /// How many bytes it takes.
    var size: Int { text.readableBytes }

    /// The bytes for a stream; they are shared, not copied.
    func bytes(_ format: StreamFormat) -> ByteBuffer {
        switch format {
        case .serverSentEvents: text
        case .lines:
            // One of the two line ends.
            text.getSlice(at: prefix, length: text.writerIndex - prefix - 1) ?? ByteBuffer()
        }
    }
}
