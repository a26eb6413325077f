import Barcodes
import Events
import WireText

/// Shows a decoded code to people: its kind, its content, and its problems.
struct BarcodeCard {
    private let barcode: Barcode
    private let year: Int
    private let marksProblems: Bool

    private static let labelWidth = 13
    private static let titleWidth = 30

    init(_ barcode: Barcode, year: Int, marksProblems: Bool) {
        self.barcode = barcode
        self.year = year
        self.marksProblems = marksProblems
    }

    /// Appends the card, followed by an empty line.
    func append(to bytes: inout [UInt8]) {
        var lines = [line("text", Escaping.line.escaped(barcode.text))]
        if marksProblems { lines += marks }
        lines += facts + elements + fields + problems
        for line in lines { bytes.append(contentsOf: (line + "\n").utf8) }
        bytes.append(UInt8(ascii: "\n"))
    }

    private var facts: [String] {
        let aim = barcode.aim.map { " (\($0))" } ?? (barcode.inferred ? " (inferred)" : "")
        return [
            barcode.symbology.map { line("symbology", $0.rawValue + aim) },
            line("kind", barcode.kind.rawValue),
            barcode.gtin.map { line("gtin", $0.text) },
            barcode.number.map { line("number", Escaping.line.escaped($0)) },
            barcode.checkDigit.map { line("check digit", $0.rawValue) },
            barcode.addOn.map { line("add-on", $0) },
            barcode.inStore.flatMap(inStoreFact),
        ].compactMap(\.self)
    }

    private func inStoreFact(_ code: InStoreCode) -> String? {
        let parts = [
            code.item.map { "item \($0)" },
            code.price.map { "price \($0)" + (code.currency.map { " \($0)" } ?? "") },
            code.weight.map { "weight \($0) kg" },
            code.count.map { "count \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : line("in store", parts.joined(separator: ", "))
    }

    private var elements: [String] {
        guard let gs1 = barcode.gs1 else { return [] }
        let rows = gs1.elements.map { element in
            let name = "  (\(element.ai)) \(element.title)"
            return Self.padded(name, to: Self.titleWidth) + meaning(of: element)
        }
        return ["elements"] + rows
            + [gs1.digitalLink.map { line("link", $0) }].compactMap(\.self)
    }

    private var fields: [String] {
        let rows = barcode.fields.map { field in
            let name = (field.identifier.map { "(\($0)) " } ?? "") + (field.title ?? "")
            let date = field.date(currentYear: year).map { "  \($0)" } ?? ""
            return Self.padded("  " + name, to: Self.titleWidth)
                + Escaping.line.escaped(field.value) + date
        }
        return rows.isEmpty ? [] : ["fields"] + rows
    }

    private func meaning(of element: GS1Element) -> String {
        let value = Escaping.line.escaped(element.value)
        if let date = element.date(currentYear: year) { return "\(value)  \(date)" }
        guard let decimal = element.decimal else { return value }
        return "\(value)  \(decimal)" + (element.currency.map { " (currency \($0))" } ?? "")
    }

    private var problems: [String] {
        barcode.problems.map { problem in
            line(problem.severity.rawValue, Escaping.line.escaped(problem.message))
        }
    }

    /// A line that underlines each problem that has a position.
    private var marks: [String] {
        barcode.problems.compactMap { problem in
            guard let span = problem.span else { return nil }
            let widths = barcode.text.unicodeScalars.map {
                Escaping.line.escaped(String($0)).count
            }
            let start = min(span.lowerBound, widths.count)
            let end = max(min(span.upperBound, widths.count), start)
            let indent = widths[..<start].reduce(0, +)
            let length = max(1, widths[start..<end].reduce(0, +))
            return line(
                "",
                String(repeating: " ", count: indent) + String(repeating: "^", count: length)
                    + " " + problem.code.rawValue)
        }
    }

    private func line(_ label: String, _ text: String) -> String {
        Self.padded(label, to: Self.labelWidth) + text
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
