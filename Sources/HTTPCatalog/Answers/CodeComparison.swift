import Barcodes
import Catalog

struct CodeComparison {
    let asked: String
    private let numbers: [GTIN]
    private let foldsCase: Bool

    init(asked: String, gtin: GTIN? = nil, foldsCase: Bool = false) {
        self.asked = asked
        self.foldsCase = foldsCase
        numbers = [try? GTIN(asked), gtin, PZN(code: asked)?.ntin].compactMap(\.self)
    }

    /// Whether a code is the requested text or another spelling of its GTIN or PZN.
    func matches(_ code: String, foldingCase: Bool = false) -> Bool {
        if code.utf8.elementsEqual(asked.utf8) { return true }
        if foldsCase || foldingCase, code.lowercased() == asked.lowercased() { return true }
        guard !numbers.isEmpty else { return false }
        if code.hasPrefix("https://") || code.hasPrefix("http://") {
            return BarcodeDecoder().decode(code, aim: nil).gtin.map(numbers.contains) ?? false
        }
        let keys = CodeKeys(code).all
        return numbers.contains { keys.contains($0.text) }
    }
}
