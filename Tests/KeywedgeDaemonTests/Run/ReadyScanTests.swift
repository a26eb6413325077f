import Events
import Keystrokes
import Testing
import WireText

@testable import KeywedgeDaemon

/// An event that is ready is written by its scan's last key, or by nobody.
@Suite(.timeLimit(.minutes(2))) struct ReadyScanTests {
    private let output = OutputPipe()
    private let slot: ReadySlot
    private let publisher: EventPublisher

    init() throws {
        (slot, publisher) = try output.publisher()
    }

    private static func scan(_ text: String, keys: Int = 13, end: Int64 = 1_013_000) -> Scan {
        Scan(text: text, keyCount: keys, startMicroseconds: 1_000_000, endMicroseconds: end)
    }

    private static func draft(_ scan: Scan) -> EventDraft {
        EventDraft(
            .scan, scanner: "counter", time: BoxClock().time(at: scan.endMicroseconds),
            data: [
                "text": .string(scan.text), "keystrokes": scan.span.data, "lookup": ["status": "x"],
            ])
    }

    private func getReady(_ scan: Scan) async {
        await publisher.getReady(
            Self.draft(scan), for: scan, from: "counter",
            madeAt: BoxClock().monotonicMicroseconds)
    }

    @Test func theLastKeyWritesItAndTheNextEventHasTheNextNumber() async throws {
        let whole = Self.scan("4006381333931", keys: 14, end: 1_020_500)
        await getReady(Self.scan("4006381333931"))
        #expect(slot.release(whole, from: "counter"))
        #expect(!slot.release(whole, from: "counter"))
        try await publisher.publish(EventDraft(.stopping, time: BoxClock().now))
        let lines = try output.events(2)
        #expect(lines.map(\.sequence) == [1, 2])
        #expect(lines[0].text == "4006381333931")
        #expect(lines[0]["data", "keystrokes"] == whole.span.data)
        #expect(lines[0]["data", "lookup", "status"] == "x")
    }

    @Test func whatIsTakenBackIsNotReleasedAndItsNumberIsTheNextEvents() async throws {
        let scan = Self.scan("4006381333931")
        await getReady(scan)
        try await publisher.publish(EventDraft(.started, time: BoxClock().now))
        #expect(!slot.release(scan, from: "counter"))
        await getReady(scan)
        await getReady(scan)
        #expect(slot.release(scan, from: "counter"))
        #expect(try output.events(2).map(\.sequence) == [1, 2])
    }

    @Test(arguments: [
        scan("400638133393"), scan("40063813339310"),
        Scan(
            text: "4006381333931", aim: "]E0", keyCount: 14, startMicroseconds: 1_000_000,
            endMicroseconds: 1_014_000),
        Scan(
            text: "4006381333931", codeIdentifier: "F", keyCount: 14, startMicroseconds: 1_000_000,
            endMicroseconds: 1_014_000),
        Scan(
            text: "4006381333931", keyCount: 14, startMicroseconds: 1_000_001,
            endMicroseconds: 1_014_000),
        Scan(
            text: "4006381333931", keyCount: 14, startMicroseconds: 1_000_000,
            endMicroseconds: 1_014_000, features: .innerTerminator),
    ])
    func anotherScanThanTheReadyOneReleasesNothing(other: Scan) async {
        await getReady(Self.scan("4006381333931"))
        #expect(!slot.release(other, from: "counter"))
        #expect(!slot.release(Self.scan("4006381333931"), from: "another"))
        #expect(output.waiting == 0)
        #expect(slot.release(Self.scan("4006381333931"), from: "counter"))
    }

    @Test func whatWasLookedUpTooLongAgoIsNotTold() throws {
        let scan = Self.scan("4006381333931")
        var events = EventFactory(register: "r", identifiers: .random)
        let event = events.event(Self.draft(scan))
        let made: Int64 = 7_000
        let ready = try #require(ReadyScan(event, for: scan, from: "counter", madeAt: made))
        func isTold(after wait: Int64, at time: EventTime) -> Bool {
            ready.line(for: scan, from: "counter", at: time, now: made + wait) != nil
        }
        #expect(isTold(after: ReadyScan.lifetime, at: event.time))
        #expect(!isTold(after: ReadyScan.lifetime + 1, at: event.time))
        // Dates in the data have the century that the year gives them.
        let nextYear = event.time.advanced(byMicroseconds: 366 * 86_400_000_000)
        #expect(!isTold(after: 0, at: nextYear))
    }

    @Test func whileNobodyReadsNothingIsReadyAndNothingIsLost() async throws {
        let scan = Self.scan("4006381333931")
        await getReady(scan)
        output.fill()
        #expect(!slot.release(scan, from: "counter"))
        // Waits for room, and the others behind it.
        async let published: Void = publisher.publish(Self.draft(scan))
        while await publisher.unsentCount == 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        await getReady(scan)
        #expect(!slot.release(scan, from: "counter"))
        let lines = try output.events(1)
        try await published
        #expect(lines.map(\.sequence) == [1])
        await getReady(scan)
        #expect(slot.release(scan, from: "counter"))
        #expect(try output.events(1).map(\.sequence) == [2])
    }

    /// Whoever comes first: each scan is written once, and the numbers are those of the lines.
    @Test func keysAndPublisherNeverBothWriteAScan() async throws {
        let rounds = 2_000
        let output = output
        async let reading = onItsOwnThread { try output.events(2 * rounds) }
        var released = 0
        for round in 0..<rounds {
            let scan = Self.scan("\(round)")
            await getReady(scan)
            async let other: Void = publisher.publish(EventDraft(.started, time: BoxClock().now))
            if slot.release(scan, from: "counter") {
                released += 1
            } else {
                try await publisher.publish(Self.draft(scan))
            }
            try await other
        }
        let lines = try await reading
        #expect(lines.map(\.sequence) == Array(1...UInt64(2 * rounds)))
        #expect(lines.compactMap(\.text) == (0..<rounds).map(String.init))
        #expect((1...rounds).contains(released))
    }
}
