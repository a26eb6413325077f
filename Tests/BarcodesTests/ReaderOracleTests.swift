import Barcodes
import TestTexts
import Testing

/// Checks that every ambiguous text reports its other readings, and that an obvious second
/// implementation reads all texts the same way.
struct ReaderOracleTests {
    private let decoder = BarcodeDecoder()

    private func meaning(of reading: Reading) -> ReaderOracle.Meaning {
        let symbology = [.pzn, .library].contains(reading.kind) ? nil : reading.symbology
        return .init(
            name: symbology?.rawValue ?? reading.kind.rawValue, gtin: reading.gtin?.text,
            addOn: reading.addOn)
    }

    /// Returns a random text such as scanners send: digits, often with a right check digit, an `X` or hyphens.
    private func text(_ generator: inout SplitMix) -> String {
        let count = [8, 8, 9, 10, 10, 12, 12, 13, 13, 14, 14, 14, 15, 16, 17, 18].randomElement(
            using: &generator)
        var digits = (0..<(count ?? 8)).map { _ in
            Character(String(Int.random(in: 0...9, using: &generator)))
        }
        let prefix = ["", "", "", "0", "00", "07", "978", "9790", "977", "414", "491", "192", "11"]
        for (place, digit) in (prefix.randomElement(using: &generator) ?? "").enumerated() {
            digits[place] = digit
        }
        // A right check digit at the end, or before an add-on.
        let end = digits.count - ([0, 0, 2, 5].randomElement(using: &generator) ?? 0)
        let right = (0...9).map { Character(String($0)) }.first { check in
            ReaderOracle.isChecked(Array(digits[..<(end - 1)]) + [check])
        }
        if Bool.random(using: &generator), let right { digits[end - 1] = right }
        if Int.random(in: 0..<8, using: &generator) == 0 { digits[digits.count - 1] = "X" }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: digits.insert("-", at: 4)
        case 1: for place in [9, 5, 1] where place < digits.count { digits.insert("-", at: place) }
        default: break
        }
        return String(digits)
    }

    @Test(arguments: 0..<20) func noTextHasTwoReadingsInSilence(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        for _ in 0..<2_000 {
            let text = text(&generator)
            let barcode = decoder.decode(text, aim: nil)
            var expected = ReaderOracle.meanings(of: text)
            if !expected.isEmpty, expected.allSatisfy(\.isDoubtful) {
                expected.append(.init(name: "text", gtin: nil))
            }
            let found = [barcode.reading] + barcode.alternatives
            let isAmbiguous = barcode.problems.contains { $0.code == .ambiguous }
            #expect(isAmbiguous == (expected.count > 1), "\(text)")
            #expect(barcode.alternatives.isEmpty == !isAmbiguous, "\(text)")
            guard !expected.isEmpty else {
                #expect(barcode.kind == .text && barcode.gtin == nil, "\(text)")
                continue
            }
            let names = expected.map {
                ReaderOracle.Meaning(name: $0.name, gtin: $0.gtin, addOn: $0.addOn)
            }
            #expect(Set(found.map(meaning(of:))) == Set(names), "\(text)")
        }
    }
}
