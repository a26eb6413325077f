import Barcodes

/// Says what the text of a barcode is.
struct BarcodesProgram {
    private let decoder = BarcodeDecoder()

    /// Decodes what a scanner has typed.
    ///
    /// - Parameter typed: The text, with an AIM identifier ahead of it or without.
    /// - Returns: The lines to print.
    func lines(for typed: String) -> [String] {
        let (aim, text) = AIMIdentifier.split(typed)
        let barcode = decoder.decode(text, aim: aim?.description)
        var lines = [
            "\(barcode.text.debugDescription): \(barcode.kind.rawValue)"
                + (barcode.symbology.map { ", \($0.rawValue)" } ?? "")
                + (barcode.gtin.map { ", GTIN \($0.text)" } ?? "")
        ]
        for element in barcode.gs1?.elements ?? [] {
            lines.append("  (\(element.ai)) \(element.title): \(element.value.debugDescription)")
        }
        for problem in barcode.problems {
            lines.append("  \(problem.severity.rawValue): \(problem.message)")
        }
        return lines
    }
}
