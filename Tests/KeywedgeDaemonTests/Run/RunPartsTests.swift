import Events
import Foundation
import Glibc
import KeywedgeDaemon
import Synchronization
import Testing
import WireText

@Suite struct RegisterNameTests {
    @Test(arguments: [
        ("register-3", "register-3"), ("Kasse 1/Süd", "Kasse-1-S-d"), ("", "register"),
        ("a.b_c", "a.b_c"),
    ])
    func aHostsNameIsMadeFitForAPath(host: String, name: String) {
        #expect(RegisterName.cleaned(host) == name)
    }

    @Test func theRegisterHasTheHostsName() throws {
        let host = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
        #expect(RegisterName.ofHost == RegisterName.cleaned(String(host.dropLast())))
    }
}

@Suite struct SystemClockTests {
    @Test func aTimestampIsAsFarBackAsItsAge() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let monotonic = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        let recent = SystemClock.time(at: monotonic)
        let older = SystemClock.time(at: monotonic - 3_600_000_000)
        let age = recent.microsecondsSince1970 - older.microsecondsSince1970
        // Allows for a busy machine, on which the clocks are read at different times.
        #expect((3_540_000_000...3_660_000_000).contains(age))
    }

    @Test func aTimestampOfTheFutureIsNow() {
        let before = SystemClock.now
        let time = SystemClock.time(at: .max)
        #expect(time >= before && time <= SystemClock.now)
    }
}

@Suite struct EventPublisherTests {
    private final class Collector: EventSink {
        private let sent = Mutex<[Event]>([])

        var lines: [String] {
            sent.withLock { $0 }.map { "\($0.sequence) \($0.source) \($0.type.rawValue)" }
        }

        func send(_ event: Event) { sent.withLock { $0.append(event) } }
    }

    @Test func everySinkGetsEveryEventInTheOrderOfItsNumber() async throws {
        let (one, two) = (Collector(), Collector())
        let publisher = EventPublisher(
            events: EventFactory(register: "r", identifiers: .random), sinks: [one, two])
        let time = EventTime(microsecondsSince1970: 0)
        try await publisher.publish(EventDraft(.started, time: time))
        try await publisher.publish(EventDraft(.scan, scanner: "s", time: time))
        let expected = [
            "1 /keywedge/r keywedge.started", "2 /keywedge/r/scanners/s keywedge.scan",
        ]
        #expect(one.lines == expected)
        #expect(two.lines == expected)
    }
}

@Suite struct EventFactoryTests {
    private let draft = EventDraft(
        .scan, scanner: "s", time: EventTime(microsecondsSince1970: 0), content: "42")

    @Test func derivedIdsAreTheSameForTheSameContentAndPlace() {
        var one = EventFactory(register: "r", identifiers: .derivedFromContent)
        var two = EventFactory(register: "r", identifiers: .derivedFromContent)
        let first = one.event(draft)
        #expect(first.id == two.event(draft).id)
        #expect(first.id != one.event(draft).id)
        var other = draft
        other.content = "43"
        #expect(two.event(other).id != one.event(draft).id)
    }

    @Test func idsAreUUIDsOfTheirKind() {
        var derived = EventFactory(register: "r", identifiers: .derivedFromContent)
        var random = EventFactory(register: "r", identifiers: .random)
        let hex = #"[0-9a-f]{8}-[0-9a-f]{4}-%[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"#
        #expect(derived.event(draft).id.matches(hex, version: "8"))
        #expect(random.event(draft).id.matches(hex, version: "4"))
    }

    @Test func randomIdsDoNotRepeat() {
        var random = EventFactory(register: "r", identifiers: .random)
        let ids = Set((0..<1_000).map { _ in random.event(draft).id })
        #expect(ids.count == 1_000)
    }
}

extension String {
    fileprivate func matches(_ pattern: String, version: String) -> Bool {
        let pattern = pattern.split(separator: "%").joined(separator: version)
        return (try? Regex(pattern).wholeMatch(in: self)) != nil
    }
}
