import Events
import Foundation
import Journal
import Sinks
import Synchronization
import WebAPI
import WireText

/// A register without scanners: a journal with made-up scans, and a sink that delivers them to the brokers.
final class SimulatedRegister: Sendable {
    private let name: String
    private let journal: EventJournal
    private let outlet: MQTTOutlet
    private let options: Options
    private let meter: Meter
    /// When each unacknowledged event was made, keyed by its number.
    private let moments = Mutex<[UInt64: ContinuousClock.Instant]>([:])

    init(number: Int, _ options: Options, _ meter: Meter) throws {
        let digits = String(number)
        name = "sim-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        self.options = options
        self.meter = meter
        let folder = options.folder + "/" + name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        journal = try EventJournal(
            opening: JournalSettings(
                file: folder + "/journal.sqlite", keep: .init(megabytes: options.megabytes)),
            sinks: ["mqtt"])
        var settings = MQTTSettings(
            addresses: options.brokers, topic: try TopicTemplate(options.topic),
            clientID: "keywedge-\(name)")
        settings.version = options.version
        settings.inFlight = options.inFlight[number % options.inFlight.count]
        settings.presence = MQTTSettings.Presence()
        outlet = try MQTTOutlet(
            settings, security: MQTTSecurity(), register: MQTTRegister(name, scanners: ["counter"]))
    }

    /// Makes scans and sends them until the task is cancelled.
    func run(isScanning: @escaping @Sendable () -> Bool) async {
        let whole = options.spread / .seconds(1)
        try? await Task.sleep(for: .seconds(Double.random(in: 0...max(whole, 0.001))))
        let meter = self.meter
        let runner = SinkRunner(
            name: "mqtt", outlet: TimedOutlet(self.outlet) { [self] in acknowledged($0) },
            journal: journal, start: .oldest, filter: EventFilter(), catchUp: options.catchUp,
            reporter: SinkStatusReporter { notice in
                switch notice {
                case .trouble(let text): meter.heard(text, isTrouble: true, isWell: false)
                case .warning(let text): meter.heard(text, isTrouble: false, isWell: false)
                case .well: meter.heard("well", isTrouble: false, isWell: true)
                }
            }, clock: EventLoopClock(), now: { Self.now() })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            group.addTask { [self] in await scan(while: isScanning) }
        }
        await journal.close()
    }

    private func scan(while isScanning: @Sendable () -> Bool) async {
        while !Task.isCancelled {
            let chance = -log(Double.random(in: 0.0001...1))
            try? await Task.sleep(for: options.interval * chance)
            if isScanning(), !Task.isCancelled { append(at: Self.now()) }
        }
    }

    /// Adds the events that the register would have made in a period before now.
    func makeUp(for time: Duration) async throws {
        let now = Self.now()
        let count = Int(time / options.interval)
        var last: UInt64 = 0
        for number in 0..<count {
            let ago = (time / .microseconds(1)) * Double(count - number) / Double(count)
            last = append(
                at: EventTime(
                    microsecondsSince1970: now.microsecondsSince1970 - Int64(ago)),
                isTimed: false)
            // The journal's queue in memory is limited.
            if number % 500 == 499 { try await journal.committed(last) }
        }
        if last > 0 { try await journal.committed(last) }
    }

    @discardableResult private func append(at time: EventTime, isTimed: Bool = true) -> UInt64 {
        // The lock also keeps events in the order of their numbers if several tasks append.
        moments.withLock { moments in
            let number = journal.nextSequence()
            if isTimed { moments[number] = .now }
            journal.append(JournalEntry(event(number, at: time)))
            meter.made()
            return number
        }
    }

    private func event(_ number: UInt64, at time: EventTime) -> Event {
        Event(
            id: UUID().uuidString, source: "/keywedge/\(name)/scanners/counter",
            type: .scan, time: time, sequence: number,
            data: [
                "scanner": ["name": "counter", "vendor": "0c2e", "product": "0b61"],
                "text": "4006381333931", "symbology": "ean-13", "inferred": true,
                "kind": "gtin", "gtin": "04006381333931", "check_digit": "valid",
                "problems": [], "keystrokes": ["count": 14, "duration_ms": 130],
                "lookup": ["status": "not-found"],
            ])
    }

    private func acknowledged(_ entry: JournalEntry) {
        let moment = moments.withLock { $0.removeValue(forKey: entry.sequence) }
        meter.acknowledged(after: moment?.duration(to: .now))
    }

    private static func now() -> EventTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return EventTime(
            microsecondsSince1970: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}

/// An outlet that calls a function for each event that it settles.
private struct TimedOutlet: DurableOutlet {
    private let outlet: MQTTOutlet
    private let taken: @Sendable (JournalEntry) -> Void

    init(_ outlet: MQTTOutlet, taken: @escaping @Sendable (JournalEntry) -> Void) {
        self.outlet = outlet
        self.taken = taken
    }

    func begin(_ reporter: SinkStatusReporter) throws { try outlet.begin(reporter) }

    func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        await outlet.take(entries) { index, verdict in
            taken(entries[index])
            settled(index, verdict)
        }
    }

    func end() async { await outlet.end() }
}
