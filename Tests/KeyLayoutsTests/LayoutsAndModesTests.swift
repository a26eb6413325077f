import KeyLayouts
import Keystrokes
import TestTexts
import Testing

/// Tests with every layout and every way of typing that a typed text is read back unchanged.
@Suite struct LayoutsAndModesTests {
    @Test(arguments: TypingWays.modes.indices)
    func aTextTypedOnAnyLayoutIsReadBack(index: Int) {
        var (layouts, typed) = (0, 0)
        // Combines every mode with an eighth of the layouts, and every layout with an eighth of the modes.
        for (number, layout) in Compiled.all.enumerated()
        where Thoroughness.isAskedFor || (number + index) % 8 == 0 {
            layouts += 1
            let seed = UInt64(index * Compiled.all.count + number)
            var texts = RandomTexts(seed: seed, more: layout.table.ownCharacters)
            var settings = TypingWays.modes[index]
            settings.table = layout.table
            TypingWays.frames[(number + index / 2) % TypingWays.frames.count](&settings)
            typed += check(settings, on: layout, &texts)
        }
        #expect(typed > layouts * 5)
    }

    /// Types and reads texts, and returns the number of those that can be typed.
    private func check(
        _ settings: ScanSettings, on layout: CompiledLayout, _ texts: inout RandomTexts
    ) -> Int {
        let typist = ScanTypist(settings: settings)
        var typed = 0
        for _ in 0..<20 {
            switch TypingWays.check(texts.next(), with: typist, settings) {
            case .readBack: typed += 1
            case .untypable: break
            case .differs(let how): Issue.record("\(layout.layout): \(how)")
            }
        }
        return typed
    }
}

extension KeyTable {
    /// The printable characters on its keys, without Caps Lock and Num Lock.
    fileprivate var ownCharacters: [Unicode.Scalar] {
        cellCharacters(at: [[], .shift, .altGr, [.shift, .altGr]])
            .filter { $0.value > 0x20 && $0.value != 0x7F }.sorted()
    }
}
