import Events
import Foundation
import Journal
import Sinks
import WebAPI
import WireText

/// Measures how many of a journal's events reach a broker per second.
///
/// ```
/// SinksWorkload rate FOLDER PORT COUNT
/// ```
@main struct SinksWorkload {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let rest = Array(arguments.dropFirst())
        guard arguments.first == "rate", rest.count == 3, let count = Int(rest[2]) else {
            print("usage: SinksWorkload rate FOLDER PORT COUNT")
            exit(2)
        }
        try await rate(rest[0], port: rest[1], count: count)
    }

    private static func rate(_ folder: String, port: String, count: Int) async throws {
        let journal = try journal(in: folder)
        for number in 1...count {
            let sequence = append(to: journal)
            // The journal's queue in memory is limited.
            if number % 500 == 0 { try await journal.committed(sequence) }
        }
        let runner = try runner("mqtt", try broker(port), journal)
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            try await reach(journal.end, "mqtt", journal)
            let took = begin.duration(to: .now) / .seconds(1)
            print("\(Int(Double(count) / took)) events a second")
            group.cancelAll()
        }
        await journal.close()
    }

    private static func reach(_ end: Cursor, _ name: String, _ journal: EventJournal) async throws {
        while try await journal.cursor(of: .sink(name)).map({ $0.sequence < end.sequence }) ?? true
        {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func journal(in folder: String) throws -> EventJournal {
        try EventJournal(
            opening: JournalSettings(file: folder + "/journal.sqlite"),
            sinks: ["mqtt"])
    }

    /// Appends an event, and returns its number.
    @discardableResult private static func append(to journal: EventJournal) -> UInt64 {
        let number = journal.nextSequence()
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        journal.append(
            JournalEntry(
                Event(
                    id: UUID().uuidString, source: "/keywedge/register-3/scanners/counter",
                    type: .scan,
                    time: EventTime(microsecondsSince1970: Int64(time.tv_sec) * 1_000_000),
                    sequence: number,
                    data: [
                        "text": "4006381333931", "gtin": "04006381333931", "kind": "gtin",
                        "lookup": ["status": "not-found"],
                    ])))
        return number
    }

    private static func broker(_ port: String) throws -> MQTTOutlet {
        guard let address = MQTTAddress("mqtt://127.0.0.1:\(port)") else { exit(2) }
        return try MQTTOutlet(
            MQTTSettings(addresses: [address]), security: MQTTSecurity(),
            register: MQTTRegister("register-3", scanners: ["counter"]))
    }

    private static func runner(
        _ name: String, _ outlet: any DurableOutlet, _ journal: EventJournal
    ) throws -> SinkRunner {
        SinkRunner(
            name: name, outlet: outlet, journal: journal, start: .oldest, filter: EventFilter(),
            reporter: SinkStatusReporter { print("\(name): \($0)") }, clock: EventLoopClock(),
            now: { EventTime(microsecondsSince1970: 0) })
    }
}
