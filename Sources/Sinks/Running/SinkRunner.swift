package import Events
package import Journal
import Synchronization
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

    /// How fast events go out, and how long a refusal holds them up.
    private struct Pace {
        var backoff = SinkBackoff()
        var catchUp: CatchUp
    }

    /// The outcome of giving the outlet some events.
    private struct Delivery {
        /// After the last event that is settled; nil if none is, and for dead letters.
        var reached: Cursor?
        var outcome = TakeOutcome.cancelled
        /// How many events the outlet was given.
        var count = 0
        /// Whether at least one event is settled.
        var hasProgress = false
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

    /// Delivers events until the task is cancelled or the journal is closed; called once.
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
            if !Task.isCancelled { reporter.trouble("\(error)") }
        }
    }

    /// Ends what the outlet does besides.
    package func end() async { await outlet.end() }

    /// Reports no more trouble: another sink has the name now.
    package func retire() { reporter.retire() }

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
        do {
            try await journal.move(.sink(name), to: request.cursor)
            request.isDone(.success(()))
        } catch {
            request.isDone(.failure(error))
        }
    }

    private func deliver() async throws {
        var cursor = try await retrying { try await beginning(start) }
        var pace = Pace(catchUp: CatchUp(rate))
        while true {
            do {
                cursor = try await deliverNext(after: cursor, &pace)
            } catch JournalError.unknownEpoch {
                // The journal was replaced meanwhile; it has kept the sink's cursor, if it could.
                reporter.warn(
                    "the journal was replaced (its epoch is now \(journal.epoch)); "
                        + "events may come again")
                cursor = try await retrying { try await beginning(.oldest) }
            }
        }
    }

    /// Delivers the next events or, without any, the dead letters to be sent again; waits if there are
    /// neither.
    ///
    /// - Returns: The cursor after them.
    private func deliverNext(after cursor: Cursor?, _ pace: inout Pace) async throws -> Cursor? {
        let limit = pace.catchUp.limit(after: cursor?.sequence ?? 0, page: Self.pageLimit)
        let page = try await nextPage(after: cursor, limit: limit)
        var delivery = Delivery()
        var time = Duration.zero
        if !page.entries.isEmpty {
            time = try await clock.measure { delivery = try await deliver(page) }
        } else if let again = try await sendLettersAgain() {
            delivery = again
        } else {
            try await journal.more(after: page.next.sequence)
            return cursor
        }
        if delivery.hasProgress { pace.backoff.reset() }
        switch delivery.outcome {
        case .all:
            reporter.well()
            let wait = pace.catchUp.took(
                delivery.count, in: time, upTo: page.next.sequence, of: journal.end.sequence,
                chance: Double.random(in: 0..<1))
            if wait > .zero { try await clock.sleep(for: wait) }
        case .later(let reason, let asked):
            pace.catchUp.failed()
            reporter.trouble(reason)
            let wait = pace.backoff.next(asked: asked, chance: Double.random(in: 0..<1))
            try await clock.sleep(for: wait)
        case .cancelled: throw CancellationError()
        }
        return delivery.reached ?? cursor
    }

    /// The next events after a cursor; reports missing ones.
    private func nextPage(after cursor: Cursor?, limit: Int) async throws -> JournalPage {
        let page = try await retrying { try await journal.page(after: cursor, limit: limit) }
        guard let gap = page.gap else { return page }
        if gap.reason == .unknownEpoch, let cursor { throw JournalError.unknownEpoch(cursor) }
        if gap.last >= gap.first {
            reporter.warn("the journal no longer has the events \(gap.first) to \(gap.last)")
        }
        return page
    }

    /// Where the sink resumes; a new sink gets its cursor at once.
    private func beginning(_ start: Start) async throws -> Cursor? {
        if let cursor = try await journal.cursor(of: .sink(name)) { return cursor }
        guard start == .end else { return nil }
        let end = journal.epoch == end.epoch ? end : journal.end
        try await journal.move(.sink(name), to: end)
        return end
    }

    /// Gives a page to the outlet, and records in the journal how far it got.
    private func deliver(_ page: JournalPage) async throws -> Delivery {
        let wanted = page.entries.filter(filter.takes)
        let progress = SinkProgress(wanted, end: page.next)
        let outcome = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in progress.changes { try await record(progress) }
            }
            let outcome: TakeOutcome =
                wanted.isEmpty
                ? .all
                : await outlet.take(wanted) { index, verdict in progress.settle(index, verdict) }
            progress.finish(isWhole: outcome == .all)
            try await group.waitForAll()
            return outcome
        }
        // A cancellation ends the loop above early: what is settled is recorded all the same.
        try await record(progress)
        let reached = progress.reached
        return Delivery(
            reached: reached, outcome: outcome, count: wanted.count, hasProgress: reached != nil)
    }

    /// Records what has been settled: everything up to one event moves the cursor once.
    private func record(_ progress: SinkProgress) async throws {
        while let step = progress.nextStep() {
            switch step {
            case .reached(let cursor): try await journal.move(.sink(name), to: cursor)
            case .refused(let entry, let reason):
                reporter.warn("an event is refused for good and kept as a dead letter: \(reason)")
                try await journal.addDeadLetter(entry, of: name, reason: reason, at: now())
            }
        }
    }

    /// Gives the outlet the next dead letters that are to be sent again; nil if there are none.
    ///
    /// What the outlet refuses again stays a dead letter. What it does not take now stays to be sent.
    private func sendLettersAgain() async throws -> Delivery? {
        let letters = try await retrying {
            try await journal.deadLetters(of: name, toBeSent: true, limit: Self.pageLimit)
        }
        guard !letters.isEmpty else { return nil }
        let verdicts = Mutex<[Verdict]>([])
        let outcome = await outlet.take(letters.map(\.entry)) { _, verdict in
            verdicts.withLock { $0.append(verdict) }
        }
        let settled = zip(letters, verdicts.withLock { $0 })
        let taken = settled.filter { $0.1 == .taken }.map(\.0.number)
        let refused = settled.filter { $0.1 != .taken }.map(\.0.number)
        if !(taken.isEmpty && refused.isEmpty) {
            try await journal.settleDeadLetters(accepted: taken, refused: refused)
        }
        return Delivery(
            outcome: outcome, count: letters.count, hasProgress: !taken.isEmpty || !refused.isEmpty)
    }

    /// Reads from the journal until it can be read.
    private func retrying<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        var backoff = SinkBackoff()
        while true {
            do {
                return try await body()
            } catch let error as JournalError where error.mayPass {
                reporter.trouble("\(error)")
                let wait = backoff.next(asked: nil, chance: Double.random(in: 0..<1))
                try await clock.sleep(for: wait)
            }
        }
    }
}

extension JournalError {
    /// Whether reading again may help.
    fileprivate var mayPass: Bool {
        switch self {
        case .closed, .unknownEpoch: false
        default: true
        }
    }
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
