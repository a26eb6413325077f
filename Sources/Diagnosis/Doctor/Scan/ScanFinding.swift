package import KeywedgeConfiguration
import ScannerInput
package import WireText

/// What the scan of the symbol that ``TerminalSymbol`` shows came to.
package struct ScanFinding: DoctorCheck {
    /// What came.
    package enum Seen: Equatable, Sendable {
        /// A daemon read it: the event.
        case event(JSONObject)
        /// It was read here: settings that explain the keys, as lines of YAML; none where no layout does.
        case settings([String]?, scanner: String)
        /// Nothing came in the time given.
        case nothing
        /// It could not be tried: why.
        case impossible(String)
    }

    package let subject = DoctorReport.Subject.scans
    private let seen: Seen
    private let scanners: [ScannerConfiguration]
    private let file: String

    /// Judges what came.
    ///
    /// - Parameters:
    ///   - seen: What came.
    ///   - scanners: The configured scanners.
    ///   - file: The configuration, for what is to be written.
    package init(_ seen: Seen, scanners: [ScannerConfiguration], file: String) {
        self.seen = seen
        self.scanners = scanners
        self.file = file
    }

    package func findings() async -> [DoctorReport.Finding] {
        switch seen {
        case .nothing:
            [
                finding(
                    .fails, "no key came while the symbol was shown",
                    mend: [
                        Remedy(
                            "Scan the symbol from nearer by, or that on paper (docs/calibration.svg). "
                                + "Where it beeps and nothing comes, the scanner is not set to "
                                + "keyboard mode, or is none of those above.")
                    ])
            ]
        case .impossible(let reason): [finding(.warns, "no scan was tried: \(reason)")]
        case .event(let event): [read(event)]
        case .settings(let lines, let name): [explained(lines, name)]
        }
    }

    private func read(_ event: JSONObject) -> DoctorReport.Finding {
        let data = event["data"]?.object ?? JSONObject()
        let name = data["scanner"]?.object?["name"]?.string ?? "?"
        let text = data["text"]?.string ?? ""
        if event["type"]?.string == "keywedge.scan", text == TerminalSymbol.text {
            return finding(
                .holds, "\(name.quoted()) reads the symbol, ends its scan and is on its layout")
        }
        if data["reason"]?.string == "idle" {
            return finding(
                .fails,
                "\(name.quoted()) typed \(text.quoted()) and then nothing: it sends no Enter",
                mend: [write("Have a pause end its scans.", name, ["terminators: [none]"])])
        }
        let what = data["reason"]?.string.map { " (\($0))" } ?? ""
        return finding(
            .fails,
            "\(name.quoted()) typed \(text.quoted())\(what) for \(TerminalSymbol.text.quoted())",
            mend: [
                Remedy(
                    "It types on another layout, or something ahead of the code or behind it. With the "
                        + "daemon stopped, doctor finds which.",
                    run: "systemctl stop keywedge", "keywedge doctor --scan 30s",
                    "systemctl start keywedge")
            ])
    }

    private func explained(_ lines: [String]?, _ name: String) -> DoctorReport.Finding {
        guard let lines else {
            return finding(
                .fails, "no layout explains what \(name.quoted()) typed",
                mend: [
                    Remedy(
                        "Look at its keys.", run: "keywedge monitor \(name.shellWord)")
                ])
        }
        let settings = lines.filter { !$0.hasPrefix("#") }
        let configured = scanners.first { $0.name == name } ?? scanners.first { $0.match.isEmpty }
        let now = configured?.lines ?? ScannerConfiguration(name: "").lines
        let new = settings.filter { !now.contains($0) }
        let needsEnd =
            now.contains { $0.hasPrefix("terminators:") }
            && !settings.contains { $0.hasPrefix("terminators:") }
        let wanted = new + (needsEnd ? ["terminators: [enter]"] : [])
        guard !wanted.isEmpty else {
            return finding(
                .holds,
                "\(name.quoted()) types the symbol as it is configured: "
                    + settings.joined(separator: ", "))
        }
        return finding(
            .fails, "\(name.quoted()) types otherwise than it is configured",
            mend: [write("Say how it types.", name, wanted)])
    }

    private func write(_ advice: String, _ name: String, _ lines: [String]) -> Remedy {
        let configured = scanners.first { $0.name == name } ?? scanners.first { $0.match.isEmpty }
        return Remedy(
            advice, into: file,
            setting: ["scanners:", "  - name: \((configured?.name ?? name).yamlWord)"]
                + lines.map { "    " + $0 },
            run: ["systemctl restart keywedge"])
    }
}
