import KeyLayouts
package import KeywedgeConfiguration
import ScannerInput
package import WireText

/// What the scanners have typed since the daemon started, as it tells.
package struct ScansCheck: DoctorCheck {
    package let subject = DoctorReport.Subject.scans
    private let status: JSONObject?
    private let reason: String
    private let scanners: [ScannerConfiguration]
    private let file: String

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - status: What the daemon says of itself; nil where it was not asked.
    ///   - reason: Why it was not asked.
    ///   - scanners: The configured scanners.
    ///   - file: The configuration, for what is to be written.
    package init(
        status: JSONObject?, reason: String, scanners: [ScannerConfiguration], file: String
    ) {
        self.status = status
        self.reason = reason
        self.scanners = scanners
        self.file = file
    }

    package func findings() async -> [DoctorReport.Finding] {
        guard let status else {
            return [
                finding(
                    .notTried, "\(reason): to look at a scan, run keywedge doctor --scan 30s")
            ]
        }
        let all = (status["scanners"]?.array ?? []).compactMap(\.object)
        guard !all.isEmpty else { return [finding(.notTried, "no scanner was there so far")] }
        return all.flatMap(findings)
    }

    private func findings(_ scanner: JSONObject) -> [DoctorReport.Finding] {
        let found = [endless, layout, lostKeys, unmapped].compactMap { $0(scanner) }
        guard found.isEmpty else { return found }
        let scans = scanner.count("scans") + scanner.count("redacted")
        guard scans > 0 else {
            return [
                finding(
                    .notTried, "\(name(scanner)) has scanned nothing since the daemon started")
            ]
        }
        let rejected =
            scanner["rejections"]?.object?.members.map(\.key).map {
                "\(scanner["rejections"]?.object?.count($0) ?? 0) \(Escaping.line.escaped($0))"
            } ?? []
        let more = rejected.isEmpty ? "" : ", rejected: \(rejected.joined(separator: ", "))"
        return [finding(.holds, "\(name(scanner)) has read \(scans.counted("scan"))\(more)")]
    }

    private func name(_ scanner: JSONObject) -> String {
        (scanner["name"]?.string ?? "?").quoted()
    }

    /// It types and does not end its scans.
    private func endless(_ scanner: JSONObject) -> DoctorReport.Finding? {
        let pauses = scanner["rejections"]?.object?.count("idle") ?? 0
        let scans = scanner.count("scans") + scanner.count("redacted")
        guard pauses > 0, scans == 0 || pauses > 2 && pauses * 5 > scans else { return nil }
        let what =
            scans == 0 ? "types and never ends a scan" : "does not end all of its scans"
        return finding(
            scans == 0 ? .fails : .warns,
            "\(name(scanner)) \(what): \(pauses.counted("rejection")) after a pause (idle), "
                + "\(scans.counted("scan"))",
            mend: [
                setting(
                    "If it sends no Enter, have a pause end its scans.", of: scanner,
                    ["terminators: [none]"]),
                Remedy(
                    "Or have it send Enter: scan the symbol that its maker's manual calls \"Add CR "
                        + "Suffix\", \"Enter Key\" or \"Terminator: CR\". The symbol is another one "
                        + "for each maker. keywedge doctor --scan 30s shows a symbol that tells "
                        + "whether it does now."),
            ])
    }

    private func layout(_ scanner: JSONObject) -> DoctorReport.Finding? {
        guard let suspicion = scanner["layout_suspicion"]?.object, suspicion.count("count") > 0
        else { return nil }
        let message = suspicion["message"]?.string ?? ""
        let layout = LayoutFinding.layout(in: message)
        let scans = suspicion.count("count").counted("scan")
        return finding(
            .fails, "\(name(scanner)) types on another layout, to go by \(scans): \(message)",
            mend: layout.map {
                [
                    setting(
                        "Say which one it is set to.", of: scanner, ["layout: \($0.yamlWord)"])
                ]
            } ?? [Remedy("Find it.", run: "keywedge layouts detect --scanner \(named(scanner))")])
    }

    private func lostKeys(_ scanner: JSONObject) -> DoctorReport.Finding? {
        let count = scanner["lost_keys"]?.object?.count("count") ?? 0
        guard count > 0 else { return nil }
        return finding(
            .warns,
            "\(name(scanner)) lost keys \(count.counted("time")): each was a scan to be "
                + "repeated",
            mend: [
                Remedy(
                    "The box was too busy to read for a moment, or the cable is bad: see what keeps it "
                        + "busy (top), try another cable and port, or set the scanner to type more "
                        + "slowly (inter-character delay in its maker's manual).")
            ])
    }

    private func unmapped(_ scanner: JSONObject) -> DoctorReport.Finding? {
        let count = scanner["rejections"]?.object?.count("unmapped-key") ?? 0
        guard count > 0, scanner["layout_suspicion"]?.object?.count("count") == 0 else {
            return nil
        }
        return finding(
            .warns,
            "\(name(scanner)) pressed keys that its layout does not have, in "
                + count.counted("scan"),
            mend: [
                Remedy(
                    "See which (keywedge journal list --type keywedge.scan.rejected), and which layout "
                        + "knows them.",
                    run: "keywedge layouts detect --scanner \(named(scanner))")
            ])
    }

    private func named(_ scanner: JSONObject) -> String {
        (scanner["name"]?.string ?? "?").shellWord
    }

    /// Settings of a scanner, beside what the configuration says of it.
    private func setting(
        _ advice: String, of scanner: JSONObject, _ lines: [String]
    ) -> Remedy {
        let name = scanner["name"]?.string ?? "?"
        let configured =
            scanners.first { $0.name == name } ?? scanners.first { $0.match.isEmpty }
        return Remedy(
            advice, into: file,
            setting: ["scanners:", "  - name: \((configured?.name ?? name).yamlWord)"]
                + lines.map { "    " + $0 },
            run: ["systemctl restart keywedge"])
    }
}

extension JSONObject {
    /// A number that counts something; 0 where there is none.
    func count(_ name: String) -> Int {
        if case .integer(let value)? = self[name] { Int(value) } else { 0 }
    }
}
