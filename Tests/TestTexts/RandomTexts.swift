/// Random texts, both like those in barcodes and unlike them.
package struct RandomTexts {
    private var random: SplitMix
    private let alphabets: [[Unicode.Scalar]]

    /// Makes texts of digits, of ASCII with or without control characters, or of other scripts.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same texts.
    ///   - more: Another set of characters; some texts consist of them.
    package init(seed: UInt64, more: [Unicode.Scalar] = []) {
        random = SplitMix(seed: seed)
        let others = "éÉàçüßñ€£¥ÆøÅ½±日本語ｱｲ한글абв😀<GS>{RS}|~#BC"
        alphabets =
            [
                Array("0123456789".unicodeScalars),
                (0x20...0x7E).map { Unicode.Scalar(UInt8($0)) },
                (0x01...0x7F).map { Unicode.Scalar(UInt8($0)) },
                Array(others.unicodeScalars),
            ] + (more.isEmpty ? [] : [more])
    }

    /// Returns a text that starts with neither a newline nor `]`.
    ///
    /// Scans do not contain a leading Enter, and an AIM identifier is split off.
    package mutating func next() -> String {
        while true {
            let text = any()
            if let first = text.unicodeScalars.first, !"\r\n]".unicodeScalars.contains(first) {
                return text
            }
        }
    }

    private mutating func any() -> String {
        guard let alphabet = alphabets.randomElement(using: &random) else { return "0" }
        let count = Int.random(in: 1...24, using: &random)
        var text = String.UnicodeScalarView()
        for _ in 0..<count {
            if let character = alphabet.randomElement(using: &random) { text.append(character) }
        }
        return String(text)
    }
}
