import Barcodes
import Events
import Keystrokes
import WireText

/// What was made of a scan, and which settings took part, as `monitor` shows it.
struct ScanSummary: Sendable {
    let scanner: ScannerConfiguration
    let decoder: BarcodeDecoder

    /// The lines of a complete scan.
    func lines(of scan: Scan, _ keys: ObservedKeys) -> [String] {
        let barcode = decoder.decode(scan.text, aim: scan.aim)
        var parts = ["scan \(quoted(scan.text))"]
        if let aim = scan.aim { parts.append("aim \(aim)") }
        if let symbology = barcode.symbology { parts.append(symbology.rawValue) }
        parts.append(barcode.gtin.map { "gtin \($0.text)" } ?? barcode.kind.rawValue)
        parts.append(count(scan.keyCount, keys))
        return [Self.mark + parts.joined(separator: ", ")]
            + barcode.problems.map {
                Self.indent + "\($0.severity.rawValue): \(Escaping.line.escaped($0.message))"
            }
            + [settings(keys, aim: scan.aim)]
    }

    /// The lines of keys that are no scan.
    func lines(of rejection: Rejection, _ keys: ObservedKeys) -> [String] {
        let parts = [
            "rejected: \(rejection.reason.rawValue): \(explanation(of: rejection))",
            "read \(quoted(rejection.text))", count(rejection.keyCount, keys),
        ]
        return [Self.mark + parts.joined(separator: ", "), settings(keys, aim: nil)]
    }

    /// The lines of a scan whose content must not be seen.
    func lines(of content: SensitiveContent, _ keys: ObservedKeys) -> [String] {
        [
            Self.mark + "redacted: \(content.kind.rawValue), \(content.length) characters;"
                + " no event will hold them, but the keys above do: clear this screen",
            settings(nil, aim: nil),
        ]
    }

    private static let mark = "=> "
    private static let indent = "   "

    private func quoted(_ text: String) -> String { "\"\(Escaping.line.escaped(text))\"" }

    private func count(_ count: Int, _ keys: ObservedKeys) -> String {
        "\(count) keys, longest pause \(KeyLine.pause(keys.longestGap))"
    }

    private func explanation(of rejection: Rejection) -> String {
        switch rejection.reason {
        case .torn: "keys were lost"
        case .idle:
            "no terminator (\(terminators)) came within idle_timeout"
                + " \(DurationText.text(scanner.idleTimeout))"
        case .tooLong, .tooShort:
            "expected \(scanner.length.lowerBound) to \(scanner.length.upperBound) characters"
        case .unmappedKey:
            "\(rejection.key?.description ?? "a key") means nothing on layout \(scanner.layout)"
                + " (keys: can give it a meaning)"
        case .startedBeforeGrab: "it began before the scanner was grabbed"
        }
    }

    /// The settings; `keys` is nil where nothing may be told of what was typed.
    private func settings(_ keys: ObservedKeys?, aim: String?) -> String {
        let name = Escaping.line.escaped(scanner.name)
        var parts = ["settings of \(name): layout \(Escaping.line.escaped(scanner.layout))"]
        if let keys { parts.append(ending(keys)) }
        if let keys, !scanner.prefix.isEmpty {
            let starts = [scanner.prefix] + (aim.map { [$0 + scanner.prefix] } ?? [])
            let isThere = starts.contains {
                keys.typed.unicodeScalars.starts(with: $0.unicodeScalars)
            }
            parts.append("prefix \(quoted(scanner.prefix)) \(Self.fate(isThere))")
        }
        if let keys, !scanner.suffix.isEmpty {
            let isThere = keys.typed.unicodeScalars.reversed()
                .starts(with: scanner.suffix.unicodeScalars.reversed())
            parts.append("suffix \(quoted(scanner.suffix)) \(Self.fate(isThere))")
        }
        if aim != nil { parts.append("AIM identifier split off") }
        return Self.indent + parts.joined(separator: ", ")
    }

    private func ending(_ keys: ObservedKeys) -> String {
        if let key = keys.terminator { return "ended by \(key)" }
        let pause = DurationText.text(scanner.idleTimeout)
        return terminators.isEmpty ? "ended by a pause of \(pause)" : "no terminator"
    }

    private static func fate(_ isThere: Bool) -> String {
        isThere ? "taken off" : "not there"
    }

    private var terminators: String {
        let keys = scanner.keys.filter { $0.value == .terminator }.keys.map(\.name).sorted()
        return (configuredTerminators + keys).joined(separator: ", ")
    }

    private var configuredTerminators: [String] {
        scanner.terminators.map { terminator in
            switch terminator {
            case .enter: "enter"
            case .tab: "tab"
            case .escape: "esc"
            case .character(let character): quoted(String(character))
            case .key(let key): key.name
            }
        }
    }
}
