package import Events
package import Journal
import Synchronization
import WebAPI

/// The parts of the status that come neither from events nor from the journal.
///
/// Values that change are closures, which are called each time the status is requested.
package struct StatusParts: Sendable {
    package let register: String
    package let version: String
    package let started: EventTime
    package var scanners: @Sendable () -> [String] = { [] }
    /// All possible reasons for rejecting a scan; the metrics show each, even if its count is 0.
    package var rejectionReasons: [String] = []
    /// All possible statuses of a lookup; the metrics show each, even if its count is 0.
    package var lookupStatuses: [String] = []
    /// Returns the status of each source in the configured order, without blocking the thread.
    package var sources: @Sendable () async -> [SourceStatus] = { [] }
    package var sinks: @Sendable () -> [SinkStatus] = { [] }

    package init(register: String, version: String, started: EventTime) {
        (self.register, self.version, self.started) = (register, version, started)
    }
}

extension EventServer {
    /// Collects the status, the event counts, and the numbers of dead letters of current and former sinks.
    ///
    /// If the journal cannot be read within two seconds, all values from it are nil or empty, including `deadLetters`.
    func status() async -> (
        status: DaemonStatus, counts: EventCounts, deadLetters: [(sink: String, count: Int)]
    ) {
        let sources = await parts.sources()
        let survey = try? await within(.seconds(2)) { [journal] in try await journal.survey() }
        let (time, counts) = (now(), counts.withLock { $0 })
        var status = DaemonStatus(
            register: parts.register, version: parts.version, started: parts.started, time: time,
            journal: journal(survey))
        status.streams = feed.streams
        status.listen = sockets.status
        status.scanners = scanners(counts)
        status.lookups = counts.lookups.mapValues(\.count)
        status.sources = sources.map { $0.completed(counts.failures[$0.name], at: time) }
        status.sinks = parts.sinks().map { $0.completed(survey, at: time) }
        status.formerSinks = (survey?.formerSinks(besides: Set(status.sinks.map(\.name))) ?? [])
            .map { ReaderStatus($0.name, $0.lag, at: time) }
        status.consumers = (survey?.readers ?? [:]).filter { !$0.key.isSink }
            .map { ReaderStatus($0.key.name, $0.value, at: time) }.sorted { $0.name < $1.name }
        let durable = status.sinks.filter(\.isDurable).map { ($0.name, $0.deadLetters ?? 0) }
        let letters = survey?.deadLetters.filter { name, _ in !durable.contains { $0.0 == name } }
        let others = (letters ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return (status, counts, survey == nil ? [] : durable + others)
    }

    private func scanners(_ counts: EventCounts) -> [ScannerStatus] {
        let expected = parts.scanners()
        let others = counts.scanners.keys.filter { !expected.contains($0) }.sorted()
        return (expected + others).map { counts.scanners[$0] ?? ScannerStatus(name: $0) }
    }

    private func journal(_ survey: JournalSurvey?) -> JournalStatus {
        var status = JournalStatus(file: journal.settings.file, state: "open")
        switch journal.condition {
        case .open: break
        case .full: status.state = "full"
        case .trouble(let text, let waiting):
            (status.state, status.trouble, status.waiting) = ("trouble", text, waiting)
        }
        guard let survey else { return status }
        func place(_ place: JournalSurvey.Place) -> JournalStatus.Place {
            .init(sequence: Event.text(ofSequence: place.sequence), time: place.time)
        }
        status.epoch = "\(survey.start.epoch)"
        status.events = Int(clamping: survey.events)
        status.sizeBytes = Int(clamping: survey.size)
        status.deadLetters = survey.deadLetters.values.reduce(0, +)
        (status.oldest, status.newest) = (survey.oldest.map(place), survey.newest.map(place))
        return status
    }
}

/// Returns the result of `body`; if that takes longer than `limit`, cancels it and returns nil.
package func within<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await EventLoopClock().sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}

extension JournalSurvey {
    /// Returns the sinks that are not among `configured` but still have events waiting, sorted by name.
    package func formerSinks(
        besides configured: Set<String>
    ) -> [(name: String, lag: JournalSurvey.Lag)] {
        readers.compactMap { reader, lag in
            let isFormer = reader.isSink && !configured.contains(reader.name) && lag.events > 0
            return isFormer ? (reader.name, lag) : nil
        }.sorted { $0.name < $1.name }
    }
}

extension ReaderStatus {
    fileprivate init(_ name: String, _ lag: JournalSurvey.Lag, at time: EventTime) {
        self.init(name: name)
        (cursor, lagEvents) = ("\(lag.cursor)", Int(clamping: lag.events))
        lagS = lag.next.map { time.seconds(since: $0.time) } ?? 0
    }
}

extension SinkStatus {
    fileprivate func completed(_ survey: JournalSurvey?, at time: EventTime) -> SinkStatus {
        var status = self
        if isDurable, let survey {
            let reader = survey.readers[.sink(name)].map { ReaderStatus(name, $0, at: time) }
            (status.cursor, status.lagEvents) = (reader?.cursor, reader?.lagEvents)
            (status.lagS, status.deadLetters) = (reader?.lagS, survey.deadLetters[name] ?? 0)
        }
        status.state =
            trouble != nil ? "trouble" : status.deadLetters ?? 0 > 0 ? "refused" : "ok"
        return status
    }
}

extension SourceStatus {
    fileprivate func completed(_ failures: EventCounts.Failures?, at time: EventTime) -> Self {
        var status = self
        status.ageS = changed.map(time.seconds)
        status.feed?.expired = feed.map { $0.expires < time } ?? false
        status.failures = failures?.counts ?? [:]
        status.lastFailure = failures?.last
        return status
    }
}

extension EventTime {
    /// Returns the seconds since `earlier`, rounded down to milliseconds; 0 if `earlier` is in the future.
    fileprivate func seconds(since earlier: EventTime) -> Double {
        Double(max(0, microsecondsSince1970 - earlier.microsecondsSince1970) / 1_000) / 1_000
    }
}
