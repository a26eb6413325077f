import TestTexts
import Testing

@testable import Keystrokes

/// Scanners that send codes in parts.
@Suite struct CodePartTests {
    private var assembler = ScanAssembler(settings: ScanSettings().forWholeCodes)

    /// Feeds a part at a time in milliseconds, and returns the outcomes as texts.
    private mutating func feed(
        _ text: String, aim: String? = nil, isLast: Bool = true, isDamaged: Bool = false,
        at time: Int
    ) -> [String] {
        let part = CodePart(
            aim: aim, data: Array(text.utf8), isLast: isLast, isDamaged: isDamaged)
        let microseconds = Int64(time) * 1_000
        return [assembler.advance(to: microseconds), assembler.feed(part, at: microseconds)]
            .compactMap(Self.word)
    }

    private static func word(_ outcome: ScanAssembler.Outcome) -> String? {
        switch outcome {
        case .nothing: nil
        case .scan(let scan): (scan.aim ?? "") + scan.text
        case .rejection(let rejection):
            #"<\#(rejection.reason.rawValue) "\#(rejection.text)">"#
        }
    }

    @Test mutating func aCodeInOnePartIsAScanAtOnce() {
        #expect(feed("4006381333931", aim: "]E0", at: 0) == ["]E04006381333931"])
        #expect(feed("a\rb\nc", at: 1) == ["a\rb\nc"])
        #expect(feed("\n", at: 2) == ["\n"])
    }

    @Test mutating func aCodeThatFollowsAtOnceIsNoLineOfTheOneBefore() {
        for time in 0..<3 {
            let outcome = assembler.feed(CodePart(data: [0x31]), at: Int64(time))
            guard case .scan(let scan) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(!scan.features.contains(.rapidLine))
        }
    }

    @Test mutating func partsAreOneCode() {
        #expect(feed("abc", aim: "]Q1", isLast: false, at: 0).isEmpty)
        #expect(feed("def", aim: "]Q1", isLast: false, at: 1).isEmpty)
        #expect(feed("", aim: "]Q1", at: 2) == ["]Q1abcdef"])
    }

    @Test mutating func aCharacterMayBeSplitBetweenParts() {
        _ = assembler.feed(CodePart(data: [0x61, 0xC3], isLast: false), at: 0)
        let outcome = assembler.feed(CodePart(data: [0xA4]), at: 1)
        #expect(Self.word(outcome) == "aä")
    }

    @Test mutating func anIdentifierBesideTheTextLeavesTheTextAsItIs() {
        #expect(feed("]C1 1", aim: "]d1", at: 0) == ["]d1]C1 1"])
    }

    @Test mutating func aPauseBetweenPartsBreaksTheCode() {
        #expect(feed("400638", isLast: false, at: 0).isEmpty)
        #expect(feed("1333931", at: 600) == [#"<idle "400638">"#])
        #expect(feed("x", at: 700) == ["x"])
    }

    @Test mutating func aCodeWhoseEndNeverComesIsOverAfterTheRecovery() {
        #expect(feed("400638", isLast: false, at: 0).isEmpty)
        #expect(feed("x", at: 11_000) == [#"<idle "400638">"#, "x"])
    }

    @Test mutating func anotherIdentifierMeansThatAnEndWasLost() {
        #expect(feed("abc", aim: "]Q1", isLast: false, at: 0).isEmpty)
        #expect(feed("4006381333931", aim: "]E0", at: 1) == [#"<torn "abc">"#])
        #expect(feed("x", aim: "]E0", at: 2) == ["]E0x"])
    }

    @Test mutating func damagedDataIsNoScan() {
        #expect(feed("abc", isDamaged: true, at: 0) == [#"<torn "">"#])
        #expect(feed("x", at: 1) == ["x"])
    }

    @Test mutating func lostReportsBreakTheCode() {
        #expect(feed("abc", isLast: false, at: 0).isEmpty)
        _ = assembler.feed(.dropped(at: 1_000))
        _ = assembler.feed(.report(at: 1_000))
        #expect(feed("def", at: 2) == [#"<torn "abc">"#])
        #expect(feed("x", at: 3) == ["x"])
    }

    @Test mutating func unpluggingBreaksTheCode() {
        #expect(feed("abc", isLast: false, at: 0).isEmpty)
        #expect(Self.word(assembler.disconnect(at: 1_000)) == #"<torn "abc">"#)
        #expect(feed("x", at: 2) == ["x"])
    }

    @Test mutating func theRestOfACodeThatBeganBeforeTheClaimIsNoScan() {
        assembler.claimed(at: 0)
        #expect(feed("33931", at: 1) == [#"<started-before-grab "">"#])
        #expect(feed("x", at: 2) == ["x"])
    }

    /// Tests with random losses and stalls that each scan is one of the codes that were sent.
    @Test func whateverIsLostNoScanIsAnythingButACode() {
        var random = SplitMix(seed: 34)
        var (scanCount, rejectionCount) = (0, 0)
        for _ in 0..<2_000 {
            var assembler = ScanAssembler(settings: ScanSettings().forWholeCodes)
            var codes: Set<String> = []
            var time: Int64 = 0
            for number in 0..<6 {
                // All digits of a code are the same, so a part of it has another length than the code.
                let code =
                    (0..<Int.random(in: 1...9, using: &random))
                    .map { _ in "\(number)" }.joined() + "#"
                codes.insert(code)
                let bytes = Array(code.utf8)
                for start in stride(from: 0, to: bytes.count, by: 3) {
                    let end = min(start + 3, bytes.count)
                    // Pauses inside a code are shorter than the recovery time.
                    let pauses: [Int64] = [1, 1, 1, 1, 700, start == 0 ? 12_000 : 9_000]
                    time += (pauses.randomElement(using: &random) ?? 1) * 1_000
                    let isLost = Int.random(in: 0..<10, using: &random) == 0
                    let events =
                        isLost
                        ? [assembler.feed(.dropped(at: time)), assembler.feed(.report(at: time))]
                        : [
                            assembler.advance(to: time),
                            assembler.feed(
                                CodePart(
                                    data: Array(bytes[start..<end]), isLast: end == bytes.count),
                                at: time),
                        ]
                    for case .scan(let scan) in events {
                        scanCount += 1
                        #expect(codes.contains(scan.text))
                    }
                    for case .rejection in events { rejectionCount += 1 }
                }
            }
        }
        #expect(scanCount > 1_000 && rejectionCount > 1_000)
    }
}
