import Events
import HummingbirdCore
import Journal
import NIOCore
import Synchronization
import WireText

/// A stream of events to one client: first older events from the journal, then new ones from the feed.
///
/// The feed contains all events after a certain number, and the stream reads the journal up to that number. It
/// therefore neither skips nor repeats an event.
struct EventStream {
    /// The maximum number of events to read from the journal in one step.
    private static let pageLimit = 200
    /// Small events are collected, and written together when they have this many bytes.
    private static let pieceSize = 16 << 10

    let router: EventRouter
    private var server: EventServer { router.server }
    /// The cursor of the last event that the stream sent or left out; nil at the beginning of the journal.
    var position: Cursor?
    let consumer: ConsumerReader?
    let filter: EventFilter
    let format: StreamFormat
    let channel: any Channel
    private var signal: StreamSignal { consumer?.signal ?? ownSignal }
    private let ownSignal = StreamSignal()

    /// Sends events until the client disconnects, another stream reads as the consumer, or the daemon shuts down.
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
        channel.closeFuture.whenComplete { [signal] _ in signal.set(.end) }
        // The response's head is sent with the first part of the body, so write a part now, even an empty one.
        try await writer.write(format.preamble ?? ByteBuffer())
        try await send(to: &writer)
        try await writer.finish(nil)
    }

    private mutating func send(to writer: inout some ResponseBodyWriter) async throws {
        while !signal.isEnd {
            if let consumer, consumer.progress.withLock(\.hasEnded) {
                return try await writer.write(displacement(of: consumer))
            }
            switch nextStep {
            case .events(let events):
                try await write(events, to: &writer)
                position = Cursor(
                    epoch: server.journal.epoch,
                    sequence: events.last?.sequence ?? server.feed.newest)
            case .behind: try await catchUp(&writer)
            case .ahead(let newest): try await goBack(to: newest, &writer)
            case .nothing:
                let reasons = await news()
                if reasons.contains(.comment), let comment = format.comment {
                    try await writer.write(comment)
                }
            case .end: return
            }
        }
    }

    /// The feed's next step, or `behind` if the stream's cursor is not from the current epoch.
    private var nextStep: LiveFeed.Step {
        guard let position, position.epoch == server.journal.epoch else { return .behind }
        return server.feed.step(after: position.sequence)
    }

    /// Waits for new events, and moves the consumer's cursor past events that the filter left out.
    private func news() async -> StreamSignal.Reasons {
        consumer?.moveCursor()
        guard consumer?.waitsForCommit == true else { return await signal.wait() }
        return await untilMore(than: server.journal.end.sequence)
    }

    /// Sends the next page of events from the journal, or waits until the journal has more.
    private mutating func catchUp(_ writer: inout some ResponseBodyWriter) async throws {
        let page = try await server.journal.page(after: position, limit: Self.pageLimit)
        let epoch = page.next.epoch
        let gap = page.gap.flatMap { gap in position.map { event(gap, behind: $0, epoch) } }
        let events = page.entries.map {
            StreamedEvent($0, cursor: Cursor(epoch: epoch, sequence: $0.sequence))
        }
        try await write([gap].compactMap(\.self) + events, to: &writer)
        let isStill = position == page.next
        position = page.next
        // If the page is empty, the journal has not yet written events that the feed already dropped.
        if isStill { _ = await untilMore(than: page.next.sequence) }
    }

    /// Sends a gap event to a client whose cursor is beyond the newest event, and resumes after the newest event.
    private mutating func goBack(
        to newest: UInt64, _ writer: inout some ResponseBodyWriter
    ) async throws {
        let epoch = server.journal.epoch
        if let position {
            try await write([event(.ahead(of: newest), behind: position, epoch)], to: &writer)
        }
        position = Cursor(epoch: epoch, sequence: newest)
    }

    /// A gap event, which tells a client which of the events after its cursor are missing.
    private func event(_ gap: JournalGap, behind cursor: Cursor, _ epoch: Epoch) -> StreamedEvent {
        made(
            .gap, "gap-\(cursor)-\(epoch)-\(gap.last)", gap.last,
            Cursor(epoch: epoch, sequence: gap.last),
            [
                "reason": .string(gap.reason.rawValue), "after": .string("\(cursor)"),
                "first": .string(Event.text(ofSequence: gap.first)),
                "last": .string(Event.text(ofSequence: gap.last)),
                "epoch": .string("\(epoch)"),
            ])
    }

    private func displacement(of consumer: ConsumerReader) -> ByteBuffer {
        made(
            .displaced, "displaced-\(consumer.name)-\(position?.description ?? "oldest")",
            position?.sequence ?? 0, nil, ["consumer": .string(consumer.name)]
        ).bytes(format)
    }

    /// Makes an event that the daemon adds to this stream only; it is not in the journal.
    private func made(
        _ type: EventType, _ id: String, _ sequence: UInt64, _ cursor: Cursor?, _ data: JSONObject
    ) -> StreamedEvent {
        let event = Event(
            id: id, source: server.source, type: type, time: server.now(), sequence: sequence,
            data: data)
        return StreamedEvent(JournalEntry(event), cursor: cursor)
    }

    private func untilMore(than sequence: UInt64) async -> StreamSignal.Reasons {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await server.journal.more(after: sequence)
                signal.set()
            }
            defer { group.cancelAll() }
            return await signal.wait()
        }
    }

    /// Writes the events that pass the filter, small ones together.
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

    /// The events that pass the filter; the consumer's cursor may move past the others.
    private func wanted(of events: [StreamedEvent]) -> [StreamedEvent] {
        guard let consumer else { return events.filter(isWanted) }
        defer { consumer.moveCursor() }
        return events.filter { event in
            let isWanted = isWanted(event)
            if let sequence = event.sequence {
                consumer.progress.withLock { $0.pass(sequence, isSent: isWanted) }
            }
            return isWanted
        }
    }

    private func isWanted(_ event: StreamedEvent) -> Bool {
        event.type == .gap
            || filter.takes(type: event.type, source: event.source, line: event.line)
    }
}
