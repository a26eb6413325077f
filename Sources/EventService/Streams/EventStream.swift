import Events
import HummingbirdCore
import Journal
import NIOCore

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
    let filter: EventFilter
    let format: StreamFormat
    let channel: any Channel

    /// Sends events until the client goes or the daemon ends.
    ///
    /// - Parameters:
    ///   - position: Behind which event it begins; nil for the oldest there is.
    ///   - writer: The content of the answer.
    /// - Throws: Where the connection is closed while something is written.
    func run(
        from position: inout Cursor?, into writer: consuming some ResponseBodyWriter
    ) async throws {
        let signal = StreamSignal()
        let number = router.feed.add(signal)
        if format.comment != nil { router.comments.add(signal) }
        defer {
            router.feed.remove(number)
            router.comments.remove(signal)
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
            switch step(behind: position) {
            case .events(let events):
                try await write(events, to: &writer)
                position = Cursor(
                    epoch: router.journal.epoch,
                    sequence: events.last?.sequence ?? router.feed.newest)
            case .behind: try await catchUp(from: &position, signal, &writer)
            case .nothing:
                let reasons = await signal.wait()
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

    /// Sends a page of the journal, or waits for one.
    private func catchUp(
        from position: inout Cursor?, _ signal: StreamSignal,
        _ writer: inout some ResponseBodyWriter
    ) async throws {
        let page = try await router.journal.page(after: position, limit: Self.pageLimit)
        let epoch = page.next.epoch
        var events: [StreamedEvent] = []
        if let gap = page.gap, let position {
            events.append(
                StreamedEvent(
                    gap, behind: position, epoch: epoch, source: router.source, time: router.now()))
        }
        events += page.entries.map { StreamedEvent($0, epoch: epoch) }
        try await write(events, to: &writer)
        let isStill = position == page.next
        position = page.next
        // The feed has let go of what the journal has not written yet.
        if isStill { await untilMore(than: page.next.sequence, signal) }
    }

    private func untilMore(than sequence: UInt64, _ signal: StreamSignal) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await router.journal.more(after: sequence)
                signal.set()
            }
            _ = await signal.wait()
            group.cancelAll()
        }
    }

    /// Writes what the filter lets through, small events together.
    private func write(
        _ events: [StreamedEvent], to writer: inout some ResponseBodyWriter
    ) async throws {
        var piece = ByteBuffer()
        for event in events where isWanted(event) {
            var bytes = event.bytes(format)
            guard events.count > 1 else { return try await writer.write(bytes) }
            piece.writeBuffer(&bytes)
            guard piece.readableBytes >= Self.pieceSize else { continue }
            try await writer.write(piece)
            piece = ByteBuffer()
        }
        if piece.readableBytes > 0 { try await writer.write(piece) }
    }

    private func isWanted(_ event: StreamedEvent) -> Bool {
        event.type == .gap || filter.isEmpty || filter.takes(event)
    }
}
