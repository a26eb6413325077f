import Barcodes

/// Explains the text of a barcode in lines to print.
struct BarcodesProgram {
    private let decoder = BarcodeDecoder()

    /// Decodes the text that a scanner typed.
    ///
    /// - Parameter typed: The text, with or without an AIM identifier in front of it.
    /// - Returns: A line for the code, then one for each GS1 element string and each problem.
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
