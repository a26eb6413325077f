import Events
package import Journal
import WebAPI

/// How a daemon is doing, at one moment.
struct DaemonStatus: Sendable {
    /// Who it is, and what is to be there.
    let parts: StatusParts
    /// The moment.
    let time: EventTime
    /// How many streams of events are open.
    let streams: Int
    /// Counts of its events.
    let counts: EventCounts
    let sources: [SourceStatus]
    let sinks: [SinkStatus]
    let journalFile: String
    let journalCondition: JournalCondition
    /// The content of the journal; nil if it cannot be read.
    let journal: JournalSurvey?

    /// The scanners: those that are to be there, and then all others that were.
    var scanners: [(name: String, counts: EventCounts.Scanner)] {
        let expected = parts.scanners()
        let others = counts.scanners.keys.filter { !expected.contains($0) }.sorted()
        return (expected + others).map { ($0, counts.scanners[$0] ?? EventCounts.Scanner()) }
    }

    /// The consumers, by name.
    var consumers: [(name: String, lag: JournalSurvey.Lag)] {
        (journal?.readers ?? [:]).compactMap { reader, lag in
            reader.isSink ? nil : (reader.name, lag)
        }.sorted { $0.0 < $1.0 }
    }

    /// The sinks that are no longer configured and have events waiting, by name.
    var formerSinks: [(name: String, lag: JournalSurvey.Lag)] {
        journal?.formerSinks(besides: Set(sinks.map(\.name))) ?? []
    }

    /// How far a sink is behind; nil if that is unknown, or if it does not read the journal.
    func lag(of sink: SinkStatus) -> JournalSurvey.Lag? {
        sink.isDurable ? journal?.readers[.sink(sink.name)] : nil
    }

    /// How many dead letters a sink has; nil if that is not known, or it keeps none.
    func deadLetters(of sink: SinkStatus) -> Int? {
        sink.isDurable ? journal.map { $0.deadLetters[sink.name] ?? 0 } : nil
    }

    /// How many dead letters each durable sink has, also one that is not configured any more.
    var deadLetters: [(sink: String, count: Int)] {
        guard let letters = journal?.deadLetters else { return [] }
        let names = sinks.filter(\.isDurable).map(\.name)
        let others = letters.keys.filter { !names.contains($0) }.sorted()
        return (names + others).map { ($0, letters[$0] ?? 0) }
    }

    /// How a sink is doing, in a word.
    func state(of sink: SinkStatus) -> SinkState {
        if sink.trouble != nil { return .trouble }
        return deadLetters(of: sink) ?? 0 > 0 ? .refused : .ok
    }

    /// For how long the oldest event that a reader has not taken has waited, in microseconds.
    func waiting(_ lag: JournalSurvey.Lag) -> Int64 { lag.next.map { age(of: $0.time) } ?? 0 }

    /// How long ago a time was, in microseconds; 0 for one to come.
    func age(of time: EventTime) -> Int64 {
        max(0, self.time.microsecondsSince1970 - time.microsecondsSince1970)
    }
}

/// Looks how the daemon is doing.
struct StatusReader: Sendable {
    let parts: StatusParts
    let tally: EventTally
    let feed: LiveFeed
    let journal: EventJournal
    let now: @Sendable () -> EventTime

    /// Looks; the rest is also reported while the journal cannot be read.
    func read() async -> DaemonStatus {
        let sources = await parts.sources()
        let survey = await survey()
        return DaemonStatus(
            parts: parts, time: now(), streams: feed.streams.count, counts: tally.current,
            sources: sources, sinks: parts.sinks(), journalFile: journal.settings.file,
            journalCondition: journal.condition, journal: survey)
    }

    /// Surveys the journal; nil if its disk does not answer for two seconds.
    private func survey() async -> JournalSurvey? {
        await withTaskGroup(of: JournalSurvey?.self) { group in
            group.addTask { try? await journal.survey() }
            group.addTask {
                try? await EventLoopClock().sleep(for: .seconds(2))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

extension JournalSurvey {
    /// The sinks that are not among `configured` and have events waiting, by name.
    package func formerSinks(
        besides configured: Set<String>
    ) -> [(name: String, lag: JournalSurvey.Lag)] {
        readers.compactMap { reader, lag in
            let isFormer = reader.isSink && !configured.contains(reader.name) && lag.events > 0
            return isFormer ? (reader.name, lag) : nil
        }.sorted { $0.name < $1.name }
    }
}
