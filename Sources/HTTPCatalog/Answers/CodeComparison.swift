import Barcodes
import Catalog

/// Decides whether a product's code is the one asked for.
struct CodeComparison {
    /// The text that was asked.
    let asked: String
    private let numbers: [GTIN]
    private var foldsCase: Bool

    /// Compares with a text that was asked, which stands for a number unless it is one itself.
    init(asked: String, gtin: GTIN? = nil, foldsCase: Bool = false) {
        self.asked = asked
        self.foldsCase = foldsCase
        numbers = [try? GTIN(asked), gtin, PZN(code: asked)?.ntin].compactMap(\.self)
    }

    /// The same comparison without regard to capital and small letters.
    var foldingCase: CodeComparison {
        var comparison = self
        comparison.foldsCase = true
        return comparison
    }

    /// Whether a code is the same text, or the same GTIN or PZN in another spelling, a GS1 Digital Link
    /// included.
    func matches(_ code: String) -> Bool {
        if code.utf8.elementsEqual(asked.utf8) { return true }
        if foldsCase, code.lowercased() == asked.lowercased() { return true }
        guard !numbers.isEmpty else { return false }
        if code.hasPrefix("https://") || code.hasPrefix("http://") {
            return BarcodeDecoder().decode(code, aim: nil).gtin.map(numbers.contains) ?? false
        }
        let keys = CodeKeys(code).all
        return numbers.contains { keys.contains($0.text) }
    }
}
