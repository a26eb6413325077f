import Barcodes
import Events
import KeyLayouts
import Keystrokes
import KeywedgeConfiguration
import WireText

/// The summary that `keywedge monitor` shows for each scan: the result and the settings used.
struct ScanSummary: Sendable {
    let scanner: ScannerConfiguration
    let decoder: BarcodeDecoder
    /// Whether the scanner types keys; if not, the summary omits the settings for keys.
    var types = true

    func lines(of scan: Scan, _ barcode: Barcode, _ keys: ObservedKeys) -> [String] {
        var parts = ["scan \(scan.text.quoted(upTo: .max))"]
        if let aim = scan.aim { parts.append("aim \(aim)") }
        if let symbology = barcode.symbology { parts.append(symbology.rawValue) }
        parts.append(barcode.gtin.map { "gtin \($0.text)" } ?? barcode.kind.rawValue)
        parts.append(count(scan.keyCount, keys))
        return [Self.mark + parts.joined(separator: ", ")]
            + barcode.problems.map {
                Self.indent + "\($0.severity.rawValue): \(Escaping.line.escaped($0.message))"
            }
            + (scan.rapidLineWarning.map { [Self.indent + "warning: \($0)"] } ?? [])
            + [settings(keys, of: scan)]
    }

    func lines(of rejection: Rejection, _ keys: ObservedKeys) -> [String] {
        let parts = [
            "rejected: \(rejection.reason.rawValue): \(explanation(of: rejection))",
            "read \(rejection.text.quoted(upTo: .max))", count(rejection.keyCount, keys),
        ]
        let hint = rejection.key?.altNumber.map { Self.indent + "hint: \($0.advice)" }
        return [Self.mark + parts.joined(separator: ", "), settings(keys, of: nil)]
            + [hint].compactMap(\.self)
    }

    func lines(of content: SensitiveContent) -> [String] {
        [
            Self.mark
                + "redacted: \(content.kind.rawValue), \(content.length.counted("character"));"
                + " no event will hold them, but the keys above do: clear this screen",
            settings(nil, of: nil),
        ]
    }

    private static let mark = "=> "
    private static let indent = "   "

    private func count(_ count: Int, _ keys: ObservedKeys) -> String {
        "\(count.counted(types ? "key" : "byte")), longest pause \(Duration.microseconds(keys.longestGap).text)"
    }

    private func explanation(of rejection: Rejection) -> String {
        switch rejection.reason {
        case .torn: types ? "keys were lost" : "data was lost"
        case .idle:
            "a pause of idle_timeout (\(DurationText.text(scanner.idleTimeout))) or longer came"
                + " before its end (\(terminators))"
        case .tooLong, .tooShort:
            "expected \(scanner.length.lowerBound) to \(scanner.length.upperBound) characters"
        case .unmappedKey:
            "\(rejection.key?.description ?? "a key") means nothing on layout \(layout)"
                + " (keys: can give it a meaning)"
        case .startedBeforeGrab: "it began before the scanner was grabbed"
        case .noStart:
            "it did not begin with start (" + scanner.start.names.joined(separator: ", ") + ")"
        case .altNumberSuspect:
            "a number in ALT mode seems to have lost a digit (alt_numpad_check: false takes it)"
        case .repeated: "the same code came before, within repeats.within"
        case .wrongEncoding: "what was sent is no \(encoding)"
        }
    }

    /// The name of the scanner's encoding; for a scanner that sends bytes, the default is UTF-8.
    private var encoding: String {
        (types || scanner.encoding != .characters ? scanner.encoding : .utf8).rawValue
    }

    private var layout: String { scanner.layout.layout.description }

    /// Returns a line with the settings used for a scan; pass nil as `keys` to reveal nothing about the keys.
    private func settings(_ keys: ObservedKeys?, of scan: Scan?) -> String {
        let name = Escaping.line.escaped(scanner.name)
        var parts = ["settings of \(name)"]
        if types { parts = ["\(parts[0]): layout \(layout)"] }
        if types, let keys { parts.append(ending(keys)) }
        if let scan {
            parts += features(of: scan)
            if scan.aim != nil, scan.codeIdentifier == nil {
                parts.append("AIM identifier split off")
            }
        }
        return Self.indent + parts.joined(separator: ", ")
    }

    private func features(of scan: Scan) -> [String] {
        let features = scan.features
        let named: [(ScanFeatures, String)] = [
            (.capsLock, "caps: \(scanner.caps.rawValue) (Caps Lock was switched)"),
            (.deadKey, "dead keys"), (.altNumpad, "alt_numpad"), (.unicodeEntry, "unicode_entry"),
            (.start, "start taken off"), (.innerTerminator, "terminator_pause (one was data)"),
            (.encoding, "encoding \(encoding)"),
            (.controlName, "control_names"), (.substitute, "substitutes"),
        ]
        var parts = named.filter { features.contains($0.0) }.map(\.1)
        let ends: [(String, String, ScanFeatures)] = [
            ("prefix", scanner.prefix, .prefix), ("suffix", scanner.suffix, .suffix),
        ]
        for (name, text, feature) in ends where !text.isEmpty {
            let fate = features.contains(feature) ? "taken off" : "not there"
            parts.append("\(name) \(text.quoted(upTo: .max)) \(fate)")
        }
        if let identifier = scan.codeIdentifier {
            parts.append("code identifier \(identifier.quoted(upTo: .max)) taken off")
        }
        return parts
    }

    private func ending(_ keys: ObservedKeys) -> String {
        if let key = keys.terminator { return "ended by \(key)" }
        let pause = DurationText.text(scanner.idleTimeout)
        return terminators.isEmpty ? "ended by a pause of \(pause)" : "no terminator"
    }

    private var terminators: String {
        let keys = scanner.keys.filter { $0.value == .terminator }.keys.map(\.name).sorted()
        return (scanner.terminators.names + keys).joined(separator: ", ")
    }
}
