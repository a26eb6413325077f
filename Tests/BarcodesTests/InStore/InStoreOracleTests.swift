import Barcodes
import TestTexts
import Testing

/// Tests that labels with a random layout and random digits are read as the parts from which they were made.
struct InStoreOracleTests {
    /// The layout and the digits of one label, and the item number and the values in it.
    private struct Label {
        var pattern = ""
        var digits = ""
        var item = ""
        var values: [Character: String] = [:]

        mutating func append(_ letter: Character, _ count: Int, _ random: inout SplitMix) {
            let new = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }
                .joined()
            pattern += String(repeating: letter, count: count)
            digits += new
            if letter == "I" { item += new }
            if "PWN".contains(letter) { values[letter] = new }
        }
    }

    private func label(_ random: inout SplitMix) -> Label {
        var label = Label()
        label.pattern = "2"
        label.digits = "2"
        var letters = ["I", "X", "I"].shuffled(using: &random).prefix(2).map(Character.init)
        letters += ["P", "W", "N"].shuffled(using: &random).prefix(
            .random(in: 1...2, using: &random)
        )
        .map(Character.init)
        for letter in letters.shuffled(using: &random) {
            label.append(letter, .random(in: 1...5, using: &random), &random)
        }
        return label
    }

    /// Returns digits as a decimal number with `decimals` places, or fewer if there are fewer digits.
    private func decimal(_ digits: String, _ decimals: Int) -> String {
        let places = min(decimals, digits.count)
        let whole = Int(digits.dropLast(places)) ?? 0
        return places == 0 ? "\(whole)" : "\(whole).\(digits.suffix(places))"
    }

    @Test func whatALabelWasMadeOfIsRead() throws {
        var random = SplitMix(seed: 31)
        var read = 0
        for _ in 0..<5_000 {
            let label = label(&random)
            guard let pattern = try? InStorePattern(label.pattern) else { continue }
            read += 1
            let barcode = BarcodeDecoder(settings: .init(inStorePatterns: [pattern]))
                .decode(label.digits, aim: "]C0")
            let code = try #require(barcode.inStore, "\(label)")
            #expect(code.item == label.item, "\(label)")
            #expect(code.price?.description == label.values["P"].map { decimal($0, 2) }, "\(label)")
            #expect(
                code.weight?.description == label.values["W"].map { decimal($0, 3) }, "\(label)")
            #expect(code.count == label.values["N"].flatMap(Int.init), "\(label)")
            #expect(code.listings.last == label.item, "\(label)")
            // Listings contain no digits of a value, so all labels of one item have the same listings.
            var other = Array(label.digits)
            for (place, letter) in label.pattern.enumerated() where "PWN".contains(letter) {
                other[place] = "7"
            }
            let second = BarcodeDecoder(settings: .init(inStorePatterns: [pattern]))
                .decode(String(other), aim: "]C0")
            #expect(second.inStore?.listings == code.listings, "\(label)")
        }
        #expect(read > 500)
    }

    @Test func noTextIsAPatternOrCodeThatTraps() {
        var random = SplitMix(seed: 13)
        let letters = Array("0129IPWNCXK.é")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...21, using: &random)).map { _ in
                    letters.randomElement(using: &random) ?? "I"
                })
            guard let pattern = try? InStorePattern(text) else { continue }
            let code = String(text.filter { $0 != "." }.map { $0.isNumber ? $0 : "9" })
            _ = BarcodeDecoder(settings: .init(inStorePatterns: [pattern])).decode(code, aim: nil)
        }
    }
}
