import KeywedgeConfiguration
import ScannerInput
package import WireText

/// A check of the user's scan of the ``TerminalSymbol`` on the screen.
package struct ScanFinding: DoctorCheck {
    package enum Seen: Equatable, Sendable {
        case event(JSONObject)
        /// The configuration lines that make the typed keys give the expected text; nil if no layout does.
        case settings([String]?, scanner: String)
        case nothing
        case impossible(String)
    }

    let subject = Finding.Subject.scans
    let box: Box
    let seen: Seen

    func findings() async -> [Finding] {
        switch seen {
        case .nothing:
            finding(
                .fails, "no key came in this time",
                mend: Remedy(
                    "Scan the symbol from a shorter distance, or scan it on paper "
                        + "(docs/calibration.svg). If it beeps and nothing arrives, the scanner is not "
                        + "in keyboard mode, or is not one of those above."))
        case .impossible(let reason): finding(.warns, "no scan was tried: \(reason)")
        case .event(let event): read(event)
        case .settings(let lines, let name): explained(lines, name)
        }
    }

    private func read(_ event: JSONObject) -> [Finding] {
        let data = event["data"]?.object ?? JSONObject()
        let name = data["scanner"]?.object?["name"]?.string ?? "?"
        let text = data["text"]?.string ?? ""
        if event["type"]?.string == "keywedge.scan", text == TerminalSymbol.testText {
            return finding(
                .holds, "\(name.quoted()) reads the symbol, ends its scan and is on its layout")
        }
        if data["reason"]?.string == "idle" {
            return finding(
                .fails,
                "\(name.quoted()) typed \(text.quoted()) and then nothing: it sends no Enter",
                mend: scannerSetting(
                    "Let a pause end its scans.", of: name, ["terminators: [none]"]))
        }
        let what = data["reason"]?.string.map { " (\($0))" } ?? ""
        return finding(
            .fails,
            "\(name.quoted()) typed \(text.quoted())\(what) for \(TerminalSymbol.testText.quoted())",
            mend: Remedy(
                "It types on another layout, or adds something before or after the code. With the "
                    + "daemon stopped, doctor finds out which.", run: "systemctl stop keywedge",
                "keywedge doctor --scan 30s", "systemctl start keywedge"))
    }

    private func explained(_ lines: [String]?, _ name: String) -> [Finding] {
        guard let lines else {
            return finding(
                .fails, "no layout explains what \(name.quoted()) typed",
                mend: Remedy("Look at its keys.", run: "keywedge monitor \(name.shellWord)"))
        }
        let settings = lines.filter { !$0.hasPrefix("#") }
        let now = (box.configured(name) ?? ScannerConfiguration(name: "")).lines
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
            .fails, "\(name.quoted()) types differently than it is configured",
            mend: scannerSetting("Configure how it types.", of: name, wanted))
    }
}
