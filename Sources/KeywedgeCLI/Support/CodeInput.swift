import ArgumentParser
import Barcodes
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import WireText

/// The codes that a command processes: its arguments, or the lines of standard input if there are no arguments.
struct CodeInput: ParsableArguments {
    @Argument(
        help: """
            Codes as a scanner types them, with or without an AIM identifier; by default the lines \
            of standard input.
            """)
    var codes: [String] = []

    @Flag(
        help: """
            Use codes as they are; without it, a control character may be written with a \
            backslash, as \\x1d, and a backslash itself as \\\\.
            """)
    var raw = false

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Calls `body` with each code.
    ///
    /// Reports an unreadable code on standard error, and continues with the others. Standard input may begin with a
    /// byte order mark, and its lines may end with CR LF. Spaces belong to the code; empty lines are skipped.
    ///
    /// - Returns: The number of codes that could not be read.
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
                let isMarked = number == 1 && line.starts(with: Self.byteOrderMark)
                let bytes = line.dropFirst(isMarked ? Self.byteOrderMark.count : 0)
                let code = String(validating: bytes, as: UTF8.self)
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

    /// Replaces a code's escapes, unless `--raw` is given; if that fails, prints a message and returns nil.
    private func readable(_ code: String?, at place: String) -> String? {
        guard let code else {
            StandardError.write("\(place): expected UTF-8")
            return nil
        }
        guard !raw else { return code }
        do {
            return try unescaped(code)
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
    @Option(
        help: ArgumentHelp(
            "The configured scanner whose content and upc_e apply; by default the only one.",
            valueName: "name"))
    var scanner: String?

    @Option(
        help: """
            The content of codes without AIM identifier: any, or gs1 (also element strings); by \
            default as configured.
            """)
    var content: BarcodeDecoder.Settings.Content?

    @Option(
        name: .customLong("upc-e"),
        help: """
            The form of UPC-E codes without AIM identifier: expanded, or unexpanded (also 6 or 7 \
            digits); by default as configured.
            """)
    var upcE: BarcodeDecoder.Settings.UPCE?

    func decoder(of configuration: Configuration) throws -> BarcodeDecoder {
        let scanners = configuration.scanners
        var chosen = scanners.count == 1 ? scanners[0] : ScannerConfiguration(name: "default")
        if let scanner {
            guard let found = scanners.first(where: { $0.name == scanner }) else {
                throw ReplayScanners.UnknownScanner(name: scanner, known: scanners.map(\.name))
            }
            chosen = found
        }
        chosen.content = content ?? chosen.content
        chosen.upcE = upcE ?? chosen.upcE
        return configuration.decoder(for: chosen)
    }
}
