package import Events
package import Journal
import WebAPI
import WireText

/// A runner that delivers a journal's events to an outlet in order and moves the sink's cursor past each settled event.
///
/// An event is settled when it is accepted or refused for good. If an event cannot be delivered now, the outlet gets it
/// again after a wait, before any other event. A sink in trouble does not affect other sinks. It reports the trouble
/// once, and its events stay in the journal.
package struct SinkRunner: Sendable {
    /// Where a sink begins if the journal has no cursor for it.
    package enum Start: String, CaseIterable, Sendable {
        /// The sink begins after the newest event in the journal.
        case end
        /// The sink begins at the oldest event in the journal.
        case oldest
    }

    /// The maximum number of events or dead letters to read from the journal at a time.
    static let pageLimit = 500
    /// The longest wait before redelivering an event that had no subscriber.
    static let longestHold = Duration.seconds(5)

    private struct Delivery {
        /// The sink's cursor after this delivery; nil if the delivery has not moved it.
        ///
        /// Sending dead letters never moves the cursor.
        var reached: Cursor?
        var outcome: TakeOutcome
        var count: Int
        /// Whether this delivery moved the cursor or settled a dead letter.
        var hasProgress: Bool
    }

    private let name: String
    private let makeOutlet: @Sendable () throws -> any DurableOutlet
    private let journal: EventJournal
    private let start: Start
    /// The journal's end when the runner was made; a new sink with ``Start/end`` begins there.
    private let end: Cursor
    private let filter: EventFilter
    private let rate: CatchUpRate?
    private let reporter: SinkStatusReporter
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> EventTime

    /// Creates a runner for the sink whose cursor the journal stores under `name`.
    ///
    /// `outlet` is called until it succeeds, because a file that it needs may appear later. Events that `filter` does
    /// not select are skipped. `catchUp` limits how fast a backlog is sent; nil for no limit.
    package init(
        name: String, outlet: @autoclosure @escaping @Sendable () throws -> any DurableOutlet,
        journal: EventJournal, start: Start,
        filter: EventFilter, catchUp: CatchUpRate? = nil, reporter: SinkStatusReporter,
        clock: some Clock<Duration>, now: @escaping @Sendable () -> EventTime
    ) {
        self.name = name
        makeOutlet = outlet
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
    /// After a cancellation, no more events are sent, but those that the receiver has accepted are still recorded.
    package func run() async {
        var outlet: (any DurableOutlet)?
        do {
            // Set the cursor first, so that the journal keeps events that arrive while the outlet cannot begin.
            _ = try await beginning(start)
            let begun = try await begin()
            outlet = begun
            let requests = journal.requests.join(name)
            defer { journal.requests.leave(name) }
            while true {
                try await deliver(to: begun, until: requests)
                for request in journal.requests.take(from: name) { await move(request) }
            }
        } catch {
            if !Task.isCancelled { reporter.report(.trouble("\(error)")) }
        }
        await outlet?.end()
    }

    /// Makes the outlet and starts its work; retries until that succeeds.
    private func begin() async throws -> any DurableOutlet {
        // The waits are short, because an attempt only reads local files.
        var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
        while true {
            do {
                let outlet = try makeOutlet()
                try outlet.begin(reporter)
                reporter.report(.well)
                return outlet
            } catch {
                reporter.report(.trouble("\(error)"))
            }
            try await clock.sleep(for: backoff.next())
        }
    }

    /// Delivers events until a request to move the cursor arrives.
    private func deliver(
        to outlet: any DurableOutlet, until requests: AsyncStream<Void>
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await deliver(to: outlet) }
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

    private func deliver(to outlet: any DurableOutlet) async throws {
        var cursor = try await beginning(start)
        var catchUp = CatchUp(rate)
        var backoff = Backoff.ofSink
        while true {
            do {
                cursor = try await deliverNext(to: outlet, after: cursor, &catchUp, &backoff)
            } catch JournalError.unknownEpoch {
                // The journal was replaced in the meantime; the new one has the sink's cursor if it could be kept.
                warn(
                    "the journal was replaced (its epoch is now \(journal.epoch)); "
                        + "events may come again")
                cursor = try await beginning(.oldest)
            }
        }
    }

    /// Returns the cursor after which the sink resumes; nil to begin at the oldest event.
    ///
    /// For a new sink that starts at the journal's end, this first stores the end as the sink's cursor.
    private func beginning(_ start: Start) async throws -> Cursor? {
        try await retrying {
            if let cursor = try await journal.cursor(of: .sink(name)) { return cursor }
            guard start == .end else { return nil }
            let end = journal.epoch == end.epoch ? end : journal.end
            try await journal.move(.sink(name), to: end)
            return end
        }
    }

    /// Delivers the next events; if there are none, sends the dead letters marked for resending, or waits for events.
    ///
    /// - Returns: The cursor after which to continue.
    private func deliverNext(
        to outlet: any DurableOutlet, after cursor: Cursor?, _ catchUp: inout CatchUp,
        _ backoff: inout Backoff
    ) async throws -> Cursor? {
        let limit = catchUp.limit(after: cursor?.sequence ?? 0, page: Self.pageLimit)
        let page = try await nextPage(after: cursor, limit: limit)
        var next: Delivery?
        let time = try await clock.measure {
            next =
                page.entries.isEmpty
                ? try await sendLettersAgain(to: outlet) : try await deliver(page, to: outlet)
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
        case .held(let reason):
            catchUp.failed()
            reporter.report(.trouble(reason))
            wait = min(backoff.next(), Self.longestHold)
        case .cancelled: throw CancellationError()
        }
        if wait > .zero { try await clock.sleep(for: wait) }
        return delivery.reached ?? cursor
    }

    /// Reads the next events after a cursor; warns if the journal no longer has some of them.
    private func nextPage(after cursor: Cursor?, limit: Int) async throws -> JournalPage {
        let page = try await retrying { try await journal.page(after: cursor, limit: limit) }
        guard let gap = page.gap else { return page }
        if gap.reason == .unknownEpoch, let cursor { throw JournalError.unknownEpoch(cursor) }
        if gap.last >= gap.first {
            warn("the journal no longer has the events \(gap.first) to \(gap.last)")
        }
        return page
    }

    private func deliver(
        _ page: JournalPage, to outlet: any DurableOutlet
    ) async throws -> Delivery {
        let wanted = page.entries.filter {
            filter.takes(type: $0.type, source: $0.source, line: $0.line)
        }
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
        // A cancellation may have ended the loop above early, so record what is left.
        try await record(settled, page.next.epoch)
        var reached = settled.last.map { Cursor(epoch: page.next.epoch, sequence: $0) }
        if outcome == .all, reached != page.next {
            // Move past the unwanted events at the end of the page.
            try await journal.move(.sink(name), to: page.next)
            reached = page.next
        }
        return Delivery(
            reached: reached, outcome: outcome, count: wanted.count, hasProgress: reached != nil)
    }

    /// Moves the cursor past the newly settled events; stores refused ones as dead letters.
    private func record(_ settled: SettledEvents, _ epoch: Epoch) async throws {
        let news = settled.takeNews()
        for case (let entry, .refused(let reason)) in news {
            // This also moves the cursor.
            try await journal.addDeadLetter(entry, of: name, reason: reason, at: now())
            let cursor = Cursor(epoch: epoch, sequence: entry.sequence)
            warn(
                "event \(cursor) (id \(entry.id.quoted())) is refused for good and kept as a dead letter: "
                    + "\(reason)")
        }
        guard let last = news.last, last.verdict == .taken else { return }
        let cursor = Cursor(epoch: epoch, sequence: last.entry.sequence)
        try await journal.move(.sink(name), to: cursor)
    }

    /// Sends the dead letters that are marked to be sent again; returns the result, or nil if none is marked.
    ///
    /// A letter that is refused again remains a dead letter; one that cannot be delivered now is sent later.
    private func sendLettersAgain(to outlet: any DurableOutlet) async throws -> Delivery? {
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
        return Delivery(outcome: outcome, count: letters.count, hasProgress: settled.last != nil)
    }

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
