import Events
import HummingbirdCore
import Journal
import NIOCore
import WireText

/// One stream of events: at first from the journal up to what is new, then from the feed.
///
/// At the seam nothing is missing and nothing comes twice: the feed knows behind which number it has
/// everything, and the journal is read up to there.
struct EventStream {
    /// How many events are read from the journal at once.
    private static let pageLimit = 200
    /// How many bytes are put together into one piece.
    private static let pieceSize = 16 << 10

    let router: EventRouter
    /// The consumer that it reads as; nil for none.
    let consumer: ConsumerReader?
    let filter: EventFilter
    let format: StreamFormat
    let channel: any Channel

    /// Sends events until the client goes, another stream reads as its consumer, or the daemon ends.
    ///
    /// - Parameters:
    ///   - position: Behind which event it begins; nil for the oldest there is.
    ///   - writer: The content of the answer.
    /// - Throws: Where the connection is closed while something is written.
    func run(
        from position: inout Cursor?, into writer: consuming some ResponseBodyWriter
    ) async throws {
        let signal = consumer?.signal ?? StreamSignal()
        if let consumer, router.consumers.admit(consumer) {
            let name = consumer.name.quoted(upTo: .max)
            router.record("takes over from another that read as consumer \(name)", channel)
        }
        let number = router.feed.add(signal)
        if format.comment != nil { router.comments.add(signal) }
        defer {
            router.feed.remove(number)
            router.comments.remove(signal)
            if let consumer { router.consumers.remove(consumer) }
        }
        channel.closeFuture.whenComplete { _ in signal.set(.end) }
        // The head of the answer leaves with the first of its content, so there is some at once.
        try await writer.write(format.preamble ?? ByteBuffer())
        try await send(from: &position, signal, &writer)
        try await writer.finish(nil)
    }

    private func send(
        from position: inout Cursor?, _ signal: StreamSignal,
        _ writer: inout some ResponseBodyWriter
    ) async throws {
        while !signal.isEnded {
            if let consumer, signal.isDisplaced {
                return try await writer.write(displacement(of: consumer, at: position))
            }
            switch step(behind: position) {
            case .events(let events):
                try await write(events, to: &writer)
                position = Cursor(
                    epoch: router.journal.epoch,
                    sequence: events.last?.sequence ?? router.feed.newest)
            case .behind: try await catchUp(from: &position, signal, &writer)
            case .ahead(let newest): try await goBack(to: newest, from: &position, &writer)
            case .nothing:
                let reasons = await news(signal)
                if reasons.contains(.comment), let comment = format.comment {
                    try await writer.write(comment)
                }
            case .end: return
            }
        }
    }

    /// What the feed has; a cursor of another epoch, or none, is the journal's to read.
    private func step(behind position: Cursor?) -> LiveFeed.Step {
        guard let position, position.epoch == router.journal.epoch else { return .behind }
        return router.feed.step(after: position.sequence)
    }

    /// Waits for something new; a consumer's cursor follows what its filter leaves out.
    private func news(_ signal: StreamSignal) async -> StreamSignal.Reasons {
        consumer?.moveCursor()
        guard consumer?.waitsForCommit == true else { return await signal.wait() }
        return await untilMore(than: router.journal.end.sequence, signal)
    }

    /// Sends a page of the journal, or waits for one.
    private func catchUp(
        from position: inout Cursor?, _ signal: StreamSignal,
        _ writer: inout some ResponseBodyWriter
    ) async throws {
        let page = try await router.journal.page(after: position, limit: Self.pageLimit)
        let epoch = page.next.epoch
        let gap = page.gap.flatMap { gap in position.map { event(gap, behind: $0, epoch) } }
        let events = page.entries.map { StreamedEvent($0, epoch: epoch) }
        try await write([gap].compactMap(\.self) + events, to: &writer)
        let isStill = position == page.next
        position = page.next
        // The feed has let go of what the journal has not written yet.
        if isStill { _ = await untilMore(than: page.next.sequence, signal) }
    }

    /// Tells a client whose cursor is ahead of all events where they end, and resumes there.
    private func goBack(
        to newest: UInt64, from position: inout Cursor?, _ writer: inout some ResponseBodyWriter
    ) async throws {
        let epoch = router.journal.epoch
        if let position {
            try await write([event(.ahead(of: newest), behind: position, epoch)], to: &writer)
        }
        position = Cursor(epoch: epoch, sequence: newest)
    }

    private func event(_ gap: JournalGap, behind cursor: Cursor, _ epoch: Epoch) -> StreamedEvent {
        StreamedEvent(gap, behind: cursor, epoch: epoch, source: router.source, time: router.now())
    }

    private func displacement(of consumer: ConsumerReader, at position: Cursor?) -> ByteBuffer {
        let event = Event(
            id: "displaced-\(consumer.name)-\(position?.description ?? "oldest")",
            source: router.source, type: .displaced, time: router.now(),
            sequence: position?.sequence ?? 0, data: ["consumer": .string(consumer.name)])
        return StreamedEvent(type: .displaced, source: router.source, cursor: nil, line: event.line)
            .bytes(format)
    }

    private func untilMore(
        than sequence: UInt64, _ signal: StreamSignal
    ) async -> StreamSignal.Reasons {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await router.journal.more(after: sequence)
                signal.set()
            }
            defer { group.cancelAll() }
            return await signal.wait()
        }
    }

    /// Writes what the filter lets through, small events together.
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

    /// What the filter lets through; the consumer's cursor may follow what it does not.
    private func wanted(of events: [StreamedEvent]) -> [StreamedEvent] {
        guard let consumer else { return events.filter(isWanted) }
        defer { consumer.moveCursor() }
        return events.filter { event in
            let isWanted = isWanted(event)
            if let sequence = event.sequence { consumer.pass(sequence, isSent: isWanted) }
            return isWanted
        }
    }

    private func isWanted(_ event: StreamedEvent) -> Bool {
        event.type == .gap || filter.isEmpty || filter.takes(event)
    }
}
