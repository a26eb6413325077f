import Events
import Journal
import WireText

@testable import EventService

/// Reads a stream in either format as a client does: assembles whole events from the received bytes.
struct StreamReading {
    let format: StreamFormat
    private(set) var events: [Event] = []
    /// The cursor after which the client resumes; with lines, its epoch comes from the response's head.
    private(set) var last: Cursor?

    private var head: [UInt8]? = []
    private var chunks: [UInt8] = []
    private var line: [UInt8] = []
    private var epoch: Epoch?
    private var reader = ServerSentEventReader()

    init(_ format: StreamFormat) { self.format = format }

    /// Returns the request for a stream.
    func request(_ target: String, after cursor: Cursor? = nil) -> String {
        let accepted = format == .serverSentEvents ? "Accept: text/event-stream\r\n" : ""
        let behind = cursor.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        return "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(accepted)\(behind)\r\n"
    }

    /// Reads received bytes; an incomplete event at the end waits for more bytes.
    mutating func take(_ bytes: [UInt8]) throws {
        chunks += bytes
        if head != nil {
            guard let end = chunks.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            let text = String(decoding: chunks[..<end.lowerBound], as: UTF8.self)
            let field = text.split(separator: "\r\n").first {
                $0.lowercased().hasPrefix("keywedge-epoch:")
            }
            epoch = field.flatMap { Epoch(String($0.dropFirst(15).drop { $0 == " " })) }
            head = nil
            chunks.removeSubrange(..<end.upperBound)
        }
        while let content = nextChunk() {
            switch format {
            case .serverSentEvents:
                for message in try reader.take(content) {
                    last = message.id.flatMap { Cursor($0) }
                    if let event = Event(line: message.data) { events.append(event) }
                }
            case .lines: takeLines(content)
            }
        }
    }

    private mutating func takeLines(_ content: [UInt8]) {
        for byte in content {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if let event = Event(line: line), let epoch {
                events.append(event)
                last = Cursor(epoch: epoch, sequence: event.sequence)
            }
            line = []
        }
    }

    /// Removes and returns the next whole chunk of the content (RFC 9112, section 7.1).
    private mutating func nextChunk() -> [UInt8]? {
        guard let end = chunks.firstRange(of: Array("\r\n".utf8)),
            let size = Int(String(decoding: chunks[..<end.lowerBound], as: UTF8.self), radix: 16),
            chunks.count >= end.upperBound + size + 2
        else { return nil }
        let content = Array(chunks[end.upperBound..<end.upperBound + size])
        chunks.removeSubrange(..<(end.upperBound + size + 2))
        return content.isEmpty ? nil : content
    }

    /// The texts of the events that have one.
    var texts: [String] { events.compactMap { $0.data["text"]?.string } }
}
