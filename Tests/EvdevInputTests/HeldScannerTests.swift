import Keystrokes
import Testing

@testable import EvdevInput

/// The scanner under test has one node that counts as grabbed from the start.
@Suite struct HeldScannerTests {
    private let scanner = AttachedScanner(name: "counter", index: 0, identity: DeviceIdentity())

    private func keys(_ codes: UInt16..., at time: Int64) -> [KeyEvent] {
        codes.enumerated().flatMap { offset, code in
            let at = time + Int64(offset) * 1_000
            let key = KeyCode(rawValue: code)
            return [
                KeyEvent.key(key, 1, at: at), .report(at: at), .key(key, 0, at: at),
                .report(at: at),
            ]
        }
    }

    private func held() -> HeldScanner {
        HeldScanner(
            scanner, typing: PreparedAssembler(ScanSettings()),
            queue: ScannerQueue(name: "counter", capacity: 1))
    }

    private func scan(_ text: String, _ count: Int, _ start: Int64, _ end: Int64) -> ReaderOutput {
        .scan(
            scanner,
            Scan(text: text, keyCount: count, startMicroseconds: start, endMicroseconds: end))
    }

    @Test func whatMayHaveBeenReadByARunThatWasKilledIsToldOf() {
        let held = held()
        held.add(ReaderNode(path: "/a"))
        held.goesOnBlindly(at: 1_000)
        let told = held.advance(to: 60_000_000)
        guard case .rejected(_, let rejection)? = told.first else {
            Issue.record("nothing is told: \(told)")
            return
        }
        #expect(rejection.reason == .startedBeforeGrab && rejection.keyCount == 0)
        // Once.
        held.startedBeforeGrab(at: 70_000_000)
        #expect(held.advance(to: 130_000_000) == [])
    }

    @Test func whatWasLeftBetweenTwoScansGoesOnWhole() throws {
        let held = held()
        held.add(ReaderNode(path: "/a"))
        held.goOn(from: ScanAssembler.Rest())
        for event in keys(2, 28, at: 1_000) { _ = held.take(event) }
        #expect(held.feed(settledUpTo: .max) == [scan("1", 2, 1_000, 2_000)])
    }

    @Test func eventsOfSeveralNodesAreFedInTheOrderOfTheirTime() {
        let held = held()
        held.add(ReaderNode(path: "/a"))
        held.add(ReaderNode(path: "/b"))
        for event in keys(2, at: 1_000) + keys(4, 28, at: 3_000) { _ = held.take(event) }
        for event in keys(3, at: 2_000) { _ = held.take(event) }
        #expect(held.feed(settledUpTo: .max) == [scan("123", 4, 1_000, 4_000)])
        #expect(held.feed(settledUpTo: .max) == [])
    }

    @Test func eventsOfSeveralNodesWaitUntilNoneCanComeBeforeThem() {
        let held = held()
        held.add(ReaderNode(path: "/a"))
        held.add(ReaderNode(path: "/b"))
        for event in keys(2, at: 1_000) + keys(4, 28, at: 3_000) { _ = held.take(event) }
        #expect(held.feed(settledUpTo: 1_500) == [])
        #expect(held.isHoldingBack)
        for event in keys(3, at: 2_000) { _ = held.take(event) }
        #expect(held.feed(settledUpTo: 4_000) == [scan("123", 4, 1_000, 4_000)])
        #expect(!held.isHoldingBack)
    }

    @Test func eventsOfOneNodeStayInTheOrderTheyCame() {
        let held = held()
        held.add(ReaderNode(path: "/a"))
        for event in keys(2, at: 2_000) + keys(3, 28, at: 1_000) { _ = held.take(event) }
        let outputs = held.feed(settledUpTo: .max)
        // A clock that steps back breaks the scan: the 1 is not put behind the 2.
        guard case .rejected(_, let rejection)? = outputs.last, outputs.count == 1 else {
            Issue.record("\(outputs)")
            return
        }
        #expect(rejection.text == "1")
        #expect(rejection.keyCount == 3)
    }

    @Test func keysBeforeTheFirstPauseAreRejected() {
        let held = held()
        held.add(ReaderNode(path: "/a"))
        held.startedBeforeGrab(at: 0)
        for event in keys(2, 28, at: 1_000) { _ = held.take(event) }
        #expect(
            held.feed(settledUpTo: .max) == [
                .rejected(
                    scanner,
                    Rejection(
                        reason: .startedBeforeGrab, text: "", position: 0, keyCount: 2,
                        startMicroseconds: 0, endMicroseconds: 2_000))
            ])
    }

    @Test func keysFromBeforeTheGrabThatAreReadAfterItAreRejectedWithTheRest() {
        let held = held()
        held.add(ReaderNode(path: "/a"))
        held.startedBeforeGrab(at: 10_000)
        for event in keys(2, 3, 28, at: 8_500) { _ = held.take(event) }
        #expect(
            held.feed(settledUpTo: .max) == [
                .rejected(
                    scanner,
                    Rejection(
                        reason: .startedBeforeGrab, text: "", position: 0, keyCount: 3,
                        startMicroseconds: 10_000, endMicroseconds: 10_500))
            ])
    }

    @Test func aPauseWithoutKeysIsNoRejection() {
        let held = held()
        held.startedBeforeGrab(at: 0)
        #expect(held.deadline == 2_000_000)
        #expect(held.advance(to: 2_000_000) == [])
        #expect(held.deadline == nil)
    }

    @Test func goingAwayInMidScanTearsIt() {
        let held = held()
        for event in keys(2, 3, at: 1_000) { _ = held.take(event) }
        _ = held.feed(settledUpTo: .max)
        #expect(
            held.tear(at: 5_000) == [
                .rejected(
                    scanner,
                    Rejection(
                        reason: .torn, text: "12", position: 2, keyCount: 2,
                        startMicroseconds: 1_000, endMicroseconds: 5_000))
            ])
    }

    @Test func whatTheOtherNodesGoOnTypingIsTornToo() {
        let held = held()
        held.add(ReaderNode(path: "/a"))
        for event in keys(2, at: 1_000) { _ = held.take(event) }
        _ = held.feed(settledUpTo: .max)
        #expect(held.tear(at: 5_000) == [])
        for event in keys(3, 28, at: 6_000) { _ = held.take(event) }
        #expect(
            held.feed(settledUpTo: .max) == [
                .rejected(
                    scanner,
                    Rejection(
                        reason: .torn, text: "1", position: 1, keyCount: 3,
                        startMicroseconds: 1_000, endMicroseconds: 7_000))
            ])
    }

    @Test func goingAwayBeforeAnythingCameIsNoRejection() {
        let held = held()
        held.startedBeforeGrab(at: 0)
        #expect(held.tear(at: 1) == [])
        #expect(held.tear(at: 2) == [])
    }
}
