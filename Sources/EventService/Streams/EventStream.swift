import Events
import HummingbirdCore
import Journal
import NIOCore
import Synchronization
import WireText

/// A stream of events to one client: first older events from the journal, then new ones from the feed.
///
/// The feed contains all events after a certain number, and the stream reads the journal up to that number, so the
/// stream neither skips nor repeats an event.
struct EventStream {
    private static let pageLimit = 200
    /// The total size, in bytes, at which the stream writes the small events that it has collected.
    private static let pieceSize = 16 << 10

    let router: EventRouter
    private var server: EventServer { router.server }
    /// The cursor of the last event that the stream sent or excluded; nil at the beginning of the journal.
    var position: Cursor?
    let consumer: ConsumerReader?
    let filter: EventFilter
    let format: StreamFormat
    let channel: any Channel
    let signal: StreamSignal

    /// Sends events until the client disconnects, another stream takes over, or the daemon stops.
    mutating func run(into writer: consuming some ResponseBodyWriter) async throws {
        if let consumer, server.consumers.admit(consumer) {
            let name = consumer.name.quoted(upTo: .max)
            router.record("takes over from another that read as consumer \(name)", channel)
        }
        server.feed.add(signal, hasComments: format.comment != nil)
        defer {
            server.feed.remove(signal)
            if let consumer { server.consumers.remove(consumer) }
        }
        channel.closeFuture.whenComplete { [signal] _ in signal.end() }
        // The response's head is sent with the first part of the body, so write a part now, even an empty one.
        try await writer.write(format.preamble ?? ByteBuffer())
        try await send(to: &writer)
        try await writer.finish(nil)
    }

    private mutating func send(to writer: inout some ResponseBodyWriter) async throws {
        while channel.isActive {
            if let consumer, consumer.progress.withLock(\.hasEnded) {
                let id = "displaced-\(consumer.name)-\(position?.description ?? "oldest")"
                let displaced = made(
                    .displaced, id, position?.sequence ?? 0, nil,
                    ["consumer": .string(consumer.name)])
                return try await writer.write(displaced.bytes(format))
            }
            switch nextStep {
            case .events(let events):
                try await write(events, to: &writer)
                position = Cursor(
                    epoch: server.journal.epoch,
                    sequence: events.last?.sequence ?? server.feed.newest)
            case .behind: try await catchUp(&writer)
            case .ahead(let newest):
                let epoch = server.journal.epoch
                try await write(notice(of: .ahead(of: newest), epoch), to: &writer)
                position = Cursor(epoch: epoch, sequence: newest)
            case .nothing:
                guard let reason = await signal.wait() else { return }
                if reason == .comment, let comment = format.comment {
                    try await writer.write(comment)
                }
            case .end: return
            }
        }
    }

    /// The feed's next step for this stream; `behind` if the stream has no cursor from the current epoch.
    private var nextStep: LiveFeed.Step {
        guard let position, position.epoch == server.journal.epoch else { return .behind }
        return server.feed.step(after: position.sequence)
    }

    /// Sends the next page of events from the journal, or waits until the journal has more.
    private mutating func catchUp(_ writer: inout some ResponseBodyWriter) async throws {
        let page = try await server.journal.page(after: position, limit: Self.pageLimit)
        let epoch = page.next.epoch
        let events = page.entries.map {
            StreamedEvent($0, cursor: Cursor(epoch: epoch, sequence: $0.sequence))
        }
        try await write(notice(of: page.gap, epoch) + events, to: &writer)
        let isStill = position == page.next
        position = page.next
        guard isStill else { return }
        // The journal has not yet written events that the feed already dropped.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [journal = server.journal, signal] in
                if (try? await journal.more(after: page.next.sequence)) != nil { signal.set() }
            }
            _ = await signal.wait()
            group.cancelAll()
        }
    }

    /// Returns an array with the event that reports `gap`; empty if `gap` or the stream's position is nil.
    private func notice(of gap: JournalGap?, _ epoch: Epoch) -> [StreamedEvent] {
        guard let gap, let position else { return [] }
        return [
            made(
                .gap, "gap-\(position)-\(epoch)-\(gap.last)", gap.last,
                Cursor(epoch: epoch, sequence: gap.last),
                [
                    "reason": .string(gap.reason.rawValue), "after": .string("\(position)"),
                    "first": .string(Event.text(ofSequence: gap.first)),
                    "last": .string(Event.text(ofSequence: gap.last)),
                    "epoch": .string("\(epoch)"),
                ])
        ]
    }

    /// Creates an event that the daemon adds to this stream only; the journal does not contain it.
    private func made(
        _ type: EventType, _ id: String, _ sequence: UInt64, _ cursor: Cursor?, _ data: JSONObject
    ) -> StreamedEvent {
        let event = Event(
            id: id, source: server.source, type: type, time: server.now(), sequence: sequence,
            data: data)
        return StreamedEvent(JournalEntry(event), cursor: cursor)
    }

    /// Writes the events that pass the filter; small events are written together.
    private func write(
        _ events: [StreamedEvent], to writer: inout some ResponseBodyWriter
    ) async throws {
        let wanted = wanted(of: events)
        var piece = ByteBuffer()
        for event in wanted {
            var bytes = event.bytes(format)
            guard wanted.count > 1 else { return try await writer.write(bytes) }
            piece.writeBuffer(&bytes)
            guard piece.readableBytes >= Self.pieceSize else { continue }
            try await writer.write(piece)
            piece = ByteBuffer()
        }
        if piece.readableBytes > 0 { try await writer.write(piece) }
    }

    /// Returns the events that pass the filter; the consumer's cursor may move past the others.
    private func wanted(of events: [StreamedEvent]) -> [StreamedEvent] {
        defer { consumer?.moveCursor() }
        return events.filter { event in
            let isWanted =
                event.type == .gap
                || filter.takes(type: event.type, source: event.source, line: event.line)
            if let sequence = event.sequence {
                consumer?.progress.withLock { $0.pass(sequence, isSent: isWanted) }
            }
            return isWanted
        }
    }
}
