import Events
import Journal
import Synchronization
import TestTexts
import WireText

@testable import Sinks

/// Makes events and journal entries.
enum Entries {
    static func event(
        _ sequence: UInt64, text: String = "4006381333931", type: EventType = .scan,
        source: String = "/keywedge/register-3/scanners/counter"
    ) -> Event {
        Event(
            id: "0192a6b0-0000-7000-8000-\(String(100_000_000_000 + sequence))", source: source,
            type: type, time: EventTime(microsecondsSince1970: 1_795_248_000_000_000),
            sequence: sequence,
            data: [
                "text": .string(text), "gtin": "04006381333931",
                "number": .integer(Int64(sequence)),
            ])
    }

    /// Returns `count` scans, numbered from 1.
    static func scans(_ count: Int) -> [JournalEntry] {
        (1...UInt64(count)).map { JournalEntry(event($0)) }
    }

    /// A scan of each hostile text, followed by characters that are special in topics.
    static let hostile: [JournalEntry] = HostileTexts.all.enumerated().map { index, text in
        JournalEntry(event(UInt64(index + 1), text: text + "\r\n{scanner}/#+$SYS\0"))
    }
}

/// Keeps the notices that a sink reports.
final class Ear: Sendable {
    private let heard = Mutex<[SinkStatusReporter.Notice]>([])
    var notices: [SinkStatusReporter.Notice] { heard.withLock { $0 } }
    var troubles: [String] {
        notices.compactMap { if case .trouble(let text) = $0 { text } else { nil } }
    }
    var warnings: [String] {
        notices.compactMap { if case .warning(let text) = $0 { text } else { nil } }
    }

    var reporter: SinkStatusReporter {
        SinkStatusReporter { notice in self.heard.withLock { $0.append(notice) } }
    }
}

/// Keeps the indices of the events that a sink settled, and the verdicts.
final class Settled: Sendable {
    private let kept = Mutex<[(index: Int, verdict: Verdict)]>([])
    var indices: [Int] { kept.withLock { $0.map(\.index) } }
    var verdicts: [Verdict] { kept.withLock { $0.map(\.verdict) } }
    func note(_ index: Int, _ verdict: Verdict) { kept.withLock { $0.append((index, verdict)) } }
}

extension CursorRequests {
    /// Moves a sink's cursor, and waits until it has moved; returns false if the sink is not running.
    func move(_ name: String, to cursor: Cursor) async throws -> Bool {
        var isRunning = true
        try await withCheckedThrowingContinuation { continuation in
            isRunning = move(name, to: cursor) { continuation.resume(with: $0) }
            if !isRunning { continuation.resume() }
        }
        return isRunning
    }
}
