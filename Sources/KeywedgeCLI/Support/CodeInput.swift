import ArgumentParser
import Barcodes
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import WireText

/// The codes that a command processes, from its arguments or from standard input.
struct CodeInput: ParsableArguments {
    @Argument(help: "Codes as a scanner types them; by default the lines of standard input.")
    var codes: [String] = []

    @Flag(
        help: """
            Use codes as they are; without it, write a control character as \\x1d, and a backslash \
            itself as \\\\.
            """)
    var raw = false

    /// Calls `body` with each code; reports unreadable codes on standard error, and returns their number.
    ///
    /// Standard input may begin with a byte order mark, and its lines may end with CR LF. Spaces are part of a code.
    /// Empty lines are skipped.
    func forEach(_ body: (String) async throws -> Void) async throws -> Int {
        var unreadable = 0
        for (index, code) in codes.enumerated() {
            let text = readable(CommandLineTexts.isUTF8(code) ? code : nil, at: "code \(index + 1)")
            if let text { try await body(text) } else { unreadable += 1 }
        }
        var lines = DescriptorLines(descriptor: 0, name: "standard input")
        var number = 0
        while codes.isEmpty {
            number += 1
            do {
                guard let line = try lines.next() else { break }
                let isMarked = number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF])
                let code = String(validating: line.dropFirst(isMarked ? 3 : 0), as: UTF8.self)
                guard code != "" else { continue }
                let text = readable(code, at: "standard input:\(number)")
                if let text { try await body(text) } else { unreadable += 1 }
            } catch let error as LineTooLongError {
                StandardError.write("\(error)")
                unreadable += 1
            }
        }
        return unreadable
    }

    /// Returns a code, with its escapes replaced unless `--raw` is given.
    ///
    /// If `code` is nil (the input is not UTF-8) or contains an invalid escape, prints a message and returns nil.
    private func readable(_ code: String?, at place: String) -> String? {
        do {
            guard let code else { throw Failure("expected UTF-8") }
            return raw ? code : try unescaped(code)
        } catch {
            StandardError.write("\(place): \(error)")
            return nil
        }
    }
}

extension BarcodeDecoder {
    func decode(input: String) -> Barcode {
        let (aim, text) = AIMIdentifier.split(input)
        return decode(text, aim: aim?.description)
    }
}

/// The options that describe how a scanner would send the codes.
struct SendingOptions: ParsableArguments {
    @Option(help: "The configured scanner whose content and upc_e apply; by default the only one.")
    var scanner: String?

    @Option(
        help: "The content of codes without AIM identifier: any, or gs1 (also element strings).")
    var content: BarcodeDecoder.Settings.Content?

    @Option(
        name: .customLong("upc-e"),
        help: "UPC-E codes without AIM identifier: expanded, or unexpanded (also 6 or 7 digits).")
    var upcE: BarcodeDecoder.Settings.UPCE?

    func decoder(of configuration: Configuration) throws -> BarcodeDecoder {
        let scanners = configuration.scanners
        let named = scanners.first { $0.name == scanner }
        if let scanner, named == nil {
            throw ReplayScanners.UnknownScanner(name: scanner, known: scanners.map(\.name))
        }
        let usual = scanners.count == 1 ? scanners[0] : ScannerConfiguration(name: "default")
        var chosen = named ?? usual
        chosen.content = content ?? chosen.content
        chosen.upcE = upcE ?? chosen.upcE
        return configuration.decoder(for: chosen)
    }
}
