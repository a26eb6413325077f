package import Events
package import Journal
import Synchronization
import WireText

/// Brings a journal's events to an outlet, strictly in order, and moves the sink's cursor behind
/// what is settled.
///
/// What the outlet does not take now it is given again, after a wait, before anything else. It harms
/// nobody but itself: whatever happens to it is said once, and the journal waits for it.
package struct SinkRunner: Sendable {
    /// Where a sink begins that the journal has never seen.
    package enum Start: String, CaseIterable, Sendable {
        /// Behind the newest event.
        case end
        /// With the oldest event there is.
        case oldest
    }

    /// How many events are read at once.
    static let pageLimit = 500

    /// What came of a page.
    private struct Delivery {
        /// Behind the last event that is settled; nil where none is.
        var reached: Cursor?
        /// Why it stopped.
        var outcome = TakeOutcome.cancelled
        /// How many events the outlet was given.
        var count = 0
    }

    private let name: String
    private let outlet: any DurableOutlet
    private let journal: EventJournal
    private let start: Start
    /// The end of the journal when the runner was made: what comes from then on is not passed over.
    private let end: Cursor
    private let filter: EventFilter
    private let rate: CatchUpRate?
    private let reporter: SinkStatusReporter
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> EventTime

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - name: The sink's name, under which the journal has its cursor.
    ///   - outlet: Where the events go.
    ///   - journal: Where they come from.
    ///   - start: Where a sink begins that the journal has never seen.
    ///   - filter: Which events go to the outlet; the others are passed over.
    ///   - catchUp: How fast the outlet is given what has waited for it; nil for as fast as it takes it.
    ///   - reporter: Is told of trouble.
    ///   - clock: Measures the waits.
    ///   - now: Tells the time of day.
    package init(
        name: String, outlet: any DurableOutlet, journal: EventJournal, start: Start,
        filter: EventFilter, catchUp: CatchUpRate? = nil, reporter: SinkStatusReporter,
        clock: any Clock<Duration>, now: @escaping @Sendable () -> EventTime
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

    /// Brings events to the outlet until the task is cancelled or the journal is closed; called once.
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

    /// Delivers until somebody asks the sink to go on elsewhere; then nothing is on its way any more.
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
        var cursor = try await retrying { try await beginning() }
        var backoff = SinkBackoff()
        var catchUp = CatchUp(rate)
        while true {
            let limit = catchUp.limit(after: cursor?.sequence ?? 0, page: Self.pageLimit)
            let page = try await nextPage(after: cursor, limit: limit)
            guard !page.entries.isEmpty else {
                try await sendLettersAgain()
                try await journal.more(after: page.next.sequence)
                continue
            }
            var delivery = Delivery()
            let time = try await clock.measure { delivery = try await deliver(page) }
            if let settled = delivery.reached { cursor = settled }
            if delivery.reached != nil { backoff.reset() }
            switch delivery.outcome {
            case .all:
                reporter.well()
                let wait = catchUp.took(
                    delivery.count, in: time, upTo: page.next.sequence, of: journal.end.sequence,
                    chance: Double.random(in: 0..<1))
                if wait > .zero { try await clock.sleep(for: wait) }
            case .later(let reason, let asked):
                catchUp.failed()
                reporter.trouble(reason)
                let wait = backoff.next(asked: asked, chance: Double.random(in: 0..<1))
                try await clock.sleep(for: wait)
            case .off(let reason): try await stayOff(reason)
            case .cancelled: throw CancellationError()
            }
        }
    }

    /// The next events behind a cursor; says where some are missing.
    private func nextPage(after cursor: Cursor?, limit: Int) async throws -> JournalPage {
        let page = try await retrying { try await journal.page(after: cursor, limit: limit) }
        if let gap = page.gap, gap.last >= gap.first {
            reporter.warn("the journal no longer has the events \(gap.first) to \(gap.last)")
        }
        return page
    }

    /// Waits until somebody sets the sink back, or the daemon is started anew.
    private func stayOff(_ reason: String) async throws {
        reporter.trouble(
            "\(reason); nothing is sent until keywedge is started anew, or told to by "
                + "keywedge journal replay")
        // Never committed: only the end wakes it up, or such a request.
        try await journal.more(after: .max - 1)
    }

    /// Where the sink goes on; a new one is put into the journal at once.
    private func beginning() async throws -> Cursor? {
        if let cursor = try await journal.cursor(of: .sink(name)) { return cursor }
        guard start == .end else { return nil }
        try await journal.move(.sink(name), to: end)
        return end
    }

    /// Gives a page to the outlet, and notes in the journal how far it got.
    ///
    /// - Returns: How far that is, and why it stopped.
    private func deliver(_ page: JournalPage) async throws -> Delivery {
        let wanted = page.entries.filter(filter.takes)
        let progress = SinkProgress(wanted, end: page.next)
        let outcome = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await note(progress) }
            let outcome: TakeOutcome
            if wanted.isEmpty {
                outcome = .all
            } else {
                outcome = await outlet.take(wanted) { index, verdict in
                    progress.settle(index, verdict)
                }
            }
            progress.finish(isWhole: outcome == .all)
            try await group.waitForAll()
            return outcome
        }
        return Delivery(reached: progress.reached, outcome: outcome, count: wanted.count)
    }

    /// Gives the outlet the dead letters that somebody asked to be sent again; what it refuses once
    /// more stays one, and what it does not take now is for another time.
    private func sendLettersAgain() async throws {
        let letters = try await retrying {
            try await journal.deadLetters(of: name, toBeSent: true, limit: Self.pageLimit)
        }
        guard !letters.isEmpty else { return }
        let verdicts = Mutex<[Int: Verdict]>([:])
        _ = await outlet.take(letters.map(\.entry)) { index, verdict in
            verdicts.withLock { $0[index] = verdict }
        }
        let settled = verdicts.withLock { $0 }
        let taken = letters.indices.filter { settled[$0] == .taken }
        let refused = letters.indices.filter { settled[$0] != nil && settled[$0] != .taken }
        if !taken.isEmpty { try await journal.removeDeadLetters(taken.map { letters[$0].number }) }
        if !refused.isEmpty {
            try await journal.keepDeadLetters(refused.map { letters[$0].number })
        }
    }

    /// Moves the cursor while events are on their way: what is settled together moves it once.
    private func note(_ progress: SinkProgress) async throws {
        for await _ in progress.changes {
            while let step = progress.nextStep() {
                switch step {
                case .reached(let cursor): try await journal.move(.sink(name), to: cursor)
                case .refused(let entry, let reason):
                    reporter.warn(
                        "an event is refused for good and kept as a dead letter: \(reason)")
                    try await journal.addDeadLetter(entry, of: name, reason: reason, at: now())
                }
            }
        }
    }

    /// Reads from the journal until it can be read.
    private func retrying<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        var backoff = SinkBackoff()
        while true {
            do {
                return try await body()
            } catch let error as JournalError where error != .closed {
                reporter.trouble("\(error)")
                let wait = backoff.next(asked: nil, chance: Double.random(in: 0..<1))
                try await clock.sleep(for: wait)
            }
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
