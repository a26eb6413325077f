import ArgumentParser
import Barcodes
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import WireText

struct DecodeCommand: AsyncParsableCommand, TakesCodes {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Decode the text of barcodes.",
        discussion: "If a code cannot be read, the command reports it, and exits with 1.",
        examples: "keywedge decode 4006381333931 ']d20109506000134352\\x1d10LOT-7' --explain")

    @OptionGroup var input: CodeInput
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var sendingOptions: SendingOptions

    @Option(
        help: "The country whose in-store codes apply, such as SE; by default the configured one.",
        transform: parser(
            expecting: "one of " + Region.allCases.map(\.rawValue).joined(separator: ", ")
        ) { Region(rawValue: $0) })
    var region: Region?

    @Option(
        help: "The day to resolve two-digit years from, as 2026-11-21; by default today.",
        transform: parser(expecting: "a day, as 2026-11-21") {
            EventTime(rfc3339: $0 + "T00:00:00Z")
        })
    var today: EventTime?

    @OptionGroup var formatOption: ObjectFormatOption

    @Flag(help: "Show the code with its problems marked below (with --format pretty).")
    var explain = false

    @Flag(help: "Exit with 3 if a code has a problem that is an error.")
    var strict = false

    func run() async throws {
        var configuration = try configurationOption.load()
        configuration.barcodes.region = region ?? configuration.barcodes.region
        let decoder = try sendingOptions.decoder(of: configuration)
        let year = today?.year ?? SystemClock.now.plausibleYear
        let format = explain ? .pretty : formatOption.chosen
        var hasErrors = false
        let unreadable = try await input.forEach { code in
            let barcode = decoder.decode(input: code)
            hasErrors = hasErrors || barcode.problems.contains { $0.severity == .error }
            if format == .pretty {
                let card = BarcodeCard(barcode: barcode, year: year, marksProblems: explain)
                try StandardOutput.write(lines: card.lines)
            } else {
                var data = JSONObject(capacity: 12)
                barcode.append(to: &data, seenFrom: year)
                try StandardOutput.write(data)
            }
        }
        if unreadable > 0 { throw ExitCode(Ending.Code.failed) }
        if strict, hasErrors { throw ExitCode(Ending.Code.rejected) }
    }
}

/// A decoded code as human-readable text: its kind, its content, and its problems.
struct BarcodeCard {
    let barcode: Barcode
    let year: Int
    let marksProblems: Bool
    private static let labelWidth = 13
    private static let titleWidth = 30

    /// The decoded code as lines of text, followed by an empty line.
    var lines: [String] {
        [line("text", Escaping.line.escaped(barcode.text))] + (marksProblems ? marks : [])
            + facts + elements + fields + problems + [""]
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
            "  (\(element.ai)) \(element.title)".padded(to: Self.titleWidth) + meaning(of: element)
        }
        return ["elements"] + rows + (gs1.digitalLink.map { [line("link", $0)] } ?? [])
    }

    private var fields: [String] {
        let rows = barcode.fields.map { field in
            let name = (field.identifier.map { "(\($0)) " } ?? "") + (field.title ?? "")
            let date = field.date(currentYear: year).map { "  \($0)" } ?? ""
            return "  \(name)".padded(to: Self.titleWidth)
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

    /// One line for each problem with a position: `^` marks below that place, then the problem's code.
    private var marks: [String] {
        barcode.problems.compactMap { problem in
            guard let span = problem.span else { return nil }
            let widths = barcode.text.unicodeScalars.map {
                Escaping.line.escaped(String($0)).count
            }
            let marked = span.clamped(to: 0..<widths.count)
            let indent = String(repeating: " ", count: widths[..<marked.lowerBound].reduce(0, +))
            let marks = String(repeating: "^", count: max(1, widths[marked].reduce(0, +)))
            return line("", "\(indent)\(marks) \(problem.code.rawValue)")
        }
    }

    private func line(_ label: String, _ text: String) -> String {
        label.padded(to: Self.labelWidth) + text
    }
}
