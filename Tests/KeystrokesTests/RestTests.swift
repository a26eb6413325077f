import Testing

@testable import Keystrokes

/// Tests that an assembler can resume where another stopped between two scans.
@Suite struct RestTests {
    /// Four scans: two with Caps Lock on, then two that end with CR and LF, with a long pause between these.
    private static let events: [KeyEvent] = {
        var events: [KeyEvent] = []
        var now: Int64 = 1_000_000
        func tap(_ key: KeyCode, with held: KeyCode? = nil) {
            let changes =
                (held.map { [($0, 1)] } ?? []) + [(key, 1), (key, 0)]
                + (held.map { [($0, 0)] } ?? [])
            for (key, value) in changes {
                now += 2_000
                events += [.key(key, Int32(value), at: now), .report(at: now)]
            }
        }
        for round in 0..<4 {
            if round.isMultiple(of: 2) { tap(.capslock) }
            for key in [KeyCode.a, .digit1, .b] { tap(key) }
            tap(.enter)
            // Ctrl+J is the line feed of a scanner that sends CR and LF.
            if round > 1 { tap(.j, with: .leftctrl) }
            now += round == 2 ? 15_000_000 : 5_000
        }
        return events
    }()

    private func outcomes(
        _ events: some Sequence<KeyEvent>, _ assembler: inout ScanAssembler
    ) -> [ScanAssembler.Outcome] {
        events.map { assembler.feed($0) }.filter { $0 != .nothing }
    }

    @Test func itGivesTheSameAsTheOther() {
        var whole = ScanAssembler(settings: ScanSettings())
        let expected = outcomes(Self.events, &whole)
        #expect(expected.count == 4)
        var rests = 0
        for cut in 0...Self.events.count {
            var first = ScanAssembler(settings: ScanSettings())
            let before = outcomes(Self.events[..<cut], &first)
            guard let rest = first.rest else { continue }
            rests += 1
            var second = ScanAssembler(settings: ScanSettings())
            second.resume(from: rest)
            #expect(before + outcomes(Self.events[cut...], &second) == expected, "cut at \(cut)")
        }
        #expect(rests > 4)
    }

    @Test func thereIsNoRestDuringAScanWhileAKeyIsDownOrAfterABreak() {
        var assembler = ScanAssembler(settings: ScanSettings())
        #expect(assembler.rest != nil)
        _ = assembler.feed(.key(.a, 1, at: 1_000))
        #expect(assembler.rest == nil)
        _ = assembler.feed(.key(.a, 0, at: 2_000))
        #expect(assembler.rest == nil)
        _ = assembler.feed(.key(.enter, 1, at: 3_000))
        #expect(assembler.rest == nil)
        _ = assembler.feed(.key(.enter, 0, at: 4_000))
        #expect(assembler.rest != nil)
        _ = assembler.feed(.key(.leftshift, 2, at: 4_500))
        #expect(assembler.rest == nil)
        _ = assembler.feed(.key(.leftshift, 0, at: 4_600))
        #expect(assembler.rest != nil)
        assembler.claimed(at: 5_000)
        #expect(assembler.rest == nil)
        _ = assembler.advance(to: 2_005_000)
        #expect(assembler.rest != nil)
        _ = assembler.feed(.dropped(at: 11_000_000))
        #expect(assembler.rest == nil)
    }
}
