package import Events
package import Journal
import WebAPI
import WireText

/// Delivers a journal's events to an outlet, strictly in order, and moves the sink's cursor past those
/// that are settled.
///
/// An event that the outlet does not take now is given again, after a wait, before anything else. A sink in
/// trouble harms no other: it reports the trouble once, and the journal keeps its events.
package struct SinkRunner: Sendable {
    /// Where a sink begins that the journal has never seen.
    package enum Start: String, CaseIterable, Sendable {
        /// After the newest event.
        case end
        /// With the oldest event there is.
        case oldest
    }

    /// How many events, or dead letters, are read at once.
    static let pageLimit = 500

    private struct Delivery {
        /// After the last event that is settled; nil if none is, and for dead letters.
        var reached: Cursor?
        var outcome: TakeOutcome
        var count: Int
        /// Whether at least one event is settled.
        var hasProgress: Bool
    }

    private let name: String
    private let outlet: any DurableOutlet
    private let journal: EventJournal
    private let start: Start
    /// The end of the journal when the runner was made: a new sink gets what comes after it.
    private let end: Cursor
    private let filter: EventFilter
    private let rate: CatchUpRate?
    private let reporter: SinkStatusReporter
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> EventTime

    /// Makes a runner for the sink whose cursor the journal has under `name`.
    ///
    /// The cursor passes over events that `filter` leaves out. `catchUp` limits how fast a backlog goes out;
    /// nil for no limit.
    package init(
        name: String, outlet: any DurableOutlet, journal: EventJournal, start: Start,
        filter: EventFilter, catchUp: CatchUpRate? = nil, reporter: SinkStatusReporter,
        clock: some Clock<Duration>, now: @escaping @Sendable () -> EventTime
    ) {
        self.name = name
        self.outlet = outlet
        self.journal = journal
        self.start = start
        end = journal.end
        self.reporter = reporter
        self.clock = clock
        self.now = now
        self.filter = filter
        rate = catchUp
    }

    /// Delivers events until the task is cancelled or the journal is closed, and then ends the outlet.
    ///
    /// After a cancellation nothing new goes out, and what the outlet has accepted is recorded.
    package func run() async {
        do {
            try outlet.begin(reporter)
            let requests = journal.requests.join(name)
            defer { journal.requests.leave(name) }
            while true {
                try await deliver(until: requests)
                for request in journal.requests.take(from: name) { await move(request) }
            }
        } catch {
            if !Task.isCancelled { reporter.report(.trouble("\(error)")) }
        }
        await outlet.end()
    }

    /// Delivers until a request to move the cursor; nothing is under way any more when this returns.
    private func deliver(until requests: AsyncStream<Void>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await deliver() }
            group.addTask { for await _ in requests { return } }
            try await group.next()
            group.cancelAll()
            while await group.nextResult() != nil {}
        }
        try Task.checkCancellation()
    }

    private func move(_ request: CursorRequests.Request) async {
        await withCheckedContinuation { continuation in
            journal.move(.sink(name), to: request.cursor) { result in
                request.isDone(result)
                continuation.resume()
            }
        }
    }

    private func deliver() async throws {
        var cursor = try await beginning(start)
        var catchUp = CatchUp(rate)
        var backoff = Backoff.ofSink
        while true {
            do {
                cursor = try await deliverNext(after: cursor, &catchUp, &backoff)
            } catch JournalError.unknownEpoch {
                // The journal was replaced meanwhile; it has kept the sink's cursor, if it could.
                warn(
                    "the journal was replaced (its epoch is now \(journal.epoch)); "
                        + "events may come again")
                cursor = try await beginning(.oldest)
            }
        }
    }

    /// Where the sink resumes; a new sink gets its cursor at once.
    private func beginning(_ start: Start) async throws -> Cursor? {
        try await retrying {
            if let cursor = try await journal.cursor(of: .sink(name)) { return cursor }
            guard start == .end else { return nil }
            let end = journal.epoch == end.epoch ? end : journal.end
            try await journal.move(.sink(name), to: end)
            return end
        }
    }

    /// Delivers the next events, or else sends dead letters again, or else waits for events.
    ///
    /// - Returns: The cursor after the events.
    private func deliverNext(
        after cursor: Cursor?, _ catchUp: inout CatchUp, _ backoff: inout Backoff
    ) async throws -> Cursor? {
        let limit = catchUp.limit(after: cursor?.sequence ?? 0, page: Self.pageLimit)
        let page = try await nextPage(after: cursor, limit: limit)
        var next: Delivery?
        let time = try await clock.measure {
            next = page.entries.isEmpty ? try await sendLettersAgain() : try await deliver(page)
        }
        guard let delivery = next else {
            try await journal.more(after: page.next.sequence)
            return cursor
        }
        if delivery.hasProgress { backoff.reset() }
        var wait = Duration.zero
        switch delivery.outcome {
        case .all:
            reporter.report(.well)
            wait = catchUp.took(
                delivery.count, in: time, upTo: page.next.sequence, of: journal.end.sequence,
                chance: .random(in: 0..<1))
        case .later(let reason, let asked):
            catchUp.failed()
            reporter.report(.trouble(reason))
            wait = backoff.next(asked: asked)
        case .cancelled: throw CancellationError()
        }
        if wait > .zero { try await clock.sleep(for: wait) }
        return delivery.reached ?? cursor
    }

    /// The next events after a cursor; reports missing ones.
    private func nextPage(after cursor: Cursor?, limit: Int) async throws -> JournalPage {
        let page = try await retrying { try await journal.page(after: cursor, limit: limit) }
        guard let gap = page.gap else { return page }
        if gap.reason == .unknownEpoch, let cursor { throw JournalError.unknownEpoch(cursor) }
        if gap.last >= gap.first {
            warn("the journal no longer has the events \(gap.first) to \(gap.last)")
        }
        return page
    }

    /// Gives a page to the outlet, and records in the journal how far it got.
    private func deliver(_ page: JournalPage) async throws -> Delivery {
        let wanted = page.entries.filter(filter.takes)
        let settled = SettledEvents(wanted)
        var outcome = TakeOutcome.all
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in settled.changes { try await record(settled, page.next.epoch) }
            }
            if !wanted.isEmpty { outcome = await outlet.take(wanted, settled: settled.add) }
            settled.finish()
            try await group.waitForAll()
        }
        // A cancellation ends the loop above early: what is settled is recorded all the same.
        try await record(settled, page.next.epoch)
        var reached = settled.last.map { Cursor(epoch: page.next.epoch, sequence: $0) }
        if outcome == .all, reached != page.next {
            // Past the unwanted events at the end.
            try await journal.move(.sink(name), to: page.next)
            reached = page.next
        }
        return Delivery(
            reached: reached, outcome: outcome, count: wanted.count, hasProgress: reached != nil)
    }

    /// Records what has been settled: the cursor moves once for all of it.
    private func record(_ settled: SettledEvents, _ epoch: Epoch) async throws {
        let news = settled.takeNews()
        for case (let entry, .refused(let reason)) in news {
            warn("an event is refused for good and kept as a dead letter: \(reason)")
            // Moves the cursor, too.
            try await journal.addDeadLetter(entry, of: name, reason: reason, at: now())
        }
        guard let last = news.last, last.verdict == .taken else { return }
        let cursor = Cursor(epoch: epoch, sequence: last.entry.sequence)
        try await journal.move(.sink(name), to: cursor)
    }

    /// Gives the outlet the next dead letters that are to be sent again; nil if there are none.
    ///
    /// A letter that the outlet refuses again stays a dead letter; one that it does not take now is sent later.
    private func sendLettersAgain() async throws -> Delivery? {
        let letters = try await retrying {
            try await journal.deadLetters(of: name, toBeSent: true, limit: Self.pageLimit)
        }
        guard !letters.isEmpty else { return nil }
        let settled = SettledEvents(letters.map(\.entry))
        let outcome = await outlet.take(letters.map(\.entry), settled: settled.add)
        let news = zip(letters, settled.takeNews().map(\.verdict))
        let taken = news.filter { $0.1 == .taken }.map(\.0.number)
        let refused = news.filter { $0.1 != .taken }.map(\.0.number)
        if settled.last != nil {
            try await journal.settleDeadLetters(accepted: taken, refused: refused)
        }
        return Delivery(
            outcome: outcome, count: letters.count, hasProgress: settled.last != nil)
    }

    /// Reads from the journal until it can be read.
    private func retrying<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        var backoff = Backoff.ofSink
        while true {
            do {
                return try await body()
            } catch let error as JournalError {
                switch error {
                case .closed, .unknownEpoch: throw error
                default: reporter.report(.trouble("\(error)"))
                }
                try await clock.sleep(for: backoff.next())
            }
        }
    }

    private func warn(_ text: String) { reporter.report(.warning(text)) }
}

extension EventFilter {
    /// Whether an event of the journal is wanted.
    fileprivate func takes(_ entry: JournalEntry) -> Bool {
        takes(type: entry.type, source: entry.source) {
            let event = try? JSONReader.read(entry.line)
            return event?.object?["data"]?.object?["kind"]?.string
        }
    }
}
