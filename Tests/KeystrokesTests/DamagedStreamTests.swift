import Keystrokes
import TestTexts
import Testing

/// Tests that a scan is reported completely or not at all, wherever keys are lost, late, held or handed over.
@Suite struct DamagedStreamTests {
    private static let ways: [DamagedStreams.Way] = (TypingWays.modes + TypingWays.layouts)
        .flatMap { mode in
            TypingWays.frames.map { frame in
                var settings = mode
                frame(&settings)
                return DamagedStreams.Way(settings)
            }
        }

    /// Tries all ways of typing in turn; with ``Thoroughness/isAskedFor``, a million streams.
    @Test(arguments: 0..<20)
    func eachScanWasSentWhole(part: Int) {
        let count = Thoroughness.isAskedFor ? 50_000 : 500
        var streams = DamagedStreams(seed: UInt64(part) << 32)
        for number in 0..<count {
            let way = Self.ways[number % Self.ways.count]
            let stream = streams.next(way, damages: 1 + number / Self.ways.count % 4)
            guard wasSentWhole(stream, way) else { return }
        }
    }

    @Test func aReleaseWithoutAPressBreaksTheScan() {
        var streams = DamagedStreams(seed: 2)
        for number in 0..<(Thoroughness.isAskedFor ? 500_000 : 10_000) {
            let way = Self.ways[number % Self.ways.count]
            let stream = streams.next(way, damages: 0, losesAPress: true)
            guard wasSentWhole(stream, way) else { return }
        }
    }

    private func wasSentWhole(_ stream: DamagedStreams.Stream, _ way: DamagedStreams.Way) -> Bool {
        let texts = stream.outcomes(way).compactMap(\.wholeText)
        let isWhole = texts.isSubsequence(of: stream.sent) && texts.last == stream.sent.last
        #expect(isWhole, "\(texts) of \(stream.sent): \(stream.damage), \(way.settings.inShort)")
        return isWhole
    }

    @Test func withoutDamageAllScansComeOut() {
        var streams = DamagedStreams(seed: 1)
        for number in 0..<2_000 {
            let way = Self.ways[number % Self.ways.count]
            let stream = streams.next(way, damages: 0)
            let outcomes = stream.outcomes(way)
            #expect(outcomes.compactMap(\.wholeText) == stream.sent, "\(way.settings.inShort)")
            #expect(outcomes.count == stream.sent.count, "\(outcomes)")
        }
    }
}

extension ScanAssembler.Outcome {
    /// The text of a scan, with its identifiers.
    fileprivate var wholeText: String? {
        guard case .scan(let scan) = self else { return nil }
        return (scan.aim ?? "") + (scan.codeIdentifier ?? "") + scan.text
    }
}

extension [String] {
    fileprivate func isSubsequence(of others: [String]) -> Bool {
        var rest = others[...]
        return allSatisfy { text in
            guard let index = rest.firstIndex(where: { $0.utf8.elementsEqual(text.utf8) }) else {
                return false
            }
            rest = rest[(index + 1)...]
            return true
        }
    }
}
