import EventService
import KeyLayouts
import KeywedgeConfiguration
import ScannerInput
import WireText

/// A check of each scanner's scans since the daemon started, as the daemon's status reports them.
struct ScansCheck: DoctorCheck {
    let subject = Finding.Subject.scans
    let box: Box

    func findings() async -> [Finding] {
        guard let status else {
            let silence =
                box.configuration.listen == nil
                ? "the configuration has no listen, so no daemon can be asked"
                : "no daemon says what it scanned"
            return finding(
                .notTried, "\(silence): to scan now, run keywedge doctor --scan 30s")
        }
        guard !status.scanners.isEmpty else {
            return finding(.notTried, "no scanner has been attached so far")
        }
        return status.scanners.flatMap(findings)
    }

    private func findings(_ scanner: ScannerStatus) -> [Finding] {
        let found = [endless, layout, lostKeys, unmapped].flatMap { $0(scanner) }
        guard found.isEmpty else { return found }
        let scans = scanner.scans + scanner.redacted
        guard scans > 0 else {
            return finding(
                .notTried, "\(name(scanner)) has scanned nothing since the daemon started")
        }
        let rejected = scanner.rejections.sorted { $0.key < $1.key }
            .map { "\($0.value) \(Escaping.line.escaped($0.key))" }
        let more = rejected.isEmpty ? "" : ", rejected: \(rejected.joined(separator: ", "))"
        return finding(.holds, "\(name(scanner)) has read \(scans.counted("scan"))\(more)")
    }

    private func name(_ scanner: ScannerStatus) -> String { scanner.name.quoted() }

    private func endless(_ scanner: ScannerStatus) -> [Finding] {
        let pauses = scanner.rejections["idle"] ?? 0
        let scans = scanner.scans + scanner.redacted
        guard pauses > 0, scans == 0 || pauses > 2 && pauses * 5 > scans else { return [] }
        let what =
            scans == 0 ? "types and never ends a scan" : "does not end all of its scans"
        return finding(
            scans == 0 ? .fails : .warns,
            "\(name(scanner)) \(what): \(pauses.counted("rejection")) after a pause (idle), "
                + "\(scans.counted("scan"))",
            mend: scannerSetting(
                "If it sends no Enter, let a pause end its scans.", of: scanner.name,
                ["terminators: [none]"]),
            Remedy(
                "Or make it send Enter: scan the symbol that its maker's manual calls \"Add CR Suffix\", "
                    + "\"Enter Key\" or \"Terminator: CR\", and try it: keywedge doctor --scan 30s."
            ))
    }

    private func layout(_ scanner: ScannerStatus) -> [Finding] {
        let suspicion = scanner.layoutSuspicion
        guard suspicion.count > 0 else { return [] }
        let message = suspicion.message ?? ""
        let layout = LayoutFinding.layout(in: message)
        let scans = suspicion.count.counted("scan")
        return finding(
            .fails, "\(name(scanner)) types on another layout, to go by \(scans): \(message)",
            mend: layout.map {
                scannerSetting(
                    "Say which one it is set to.", of: scanner.name, ["layout: \($0.yamlWord)"])
            }
                ?? Remedy(
                    "Find it.", run: "keywedge layouts detect --scanner \(scanner.name.shellWord)"))
    }

    private func lostKeys(_ scanner: ScannerStatus) -> [Finding] {
        let count = scanner.lostKeys.count
        guard count > 0 else { return [] }
        return finding(
            .warns,
            "\(name(scanner)) lost keys \(count.counted("time")): each was a scan to be "
                + "repeated",
            mend: Remedy(
                "The box was too busy to read for a moment, or the cable is bad: see what keeps it "
                    + "busy (top), try another cable and port, or set the scanner to type more "
                    + "slowly (inter-character delay in its maker's manual)."))
    }

    private func unmapped(_ scanner: ScannerStatus) -> [Finding] {
        let count = scanner.rejections["unmapped-key"] ?? 0
        guard count > 0, scanner.layoutSuspicion.count == 0 else { return [] }
        return finding(
            .warns,
            "\(name(scanner)) pressed keys that its layout does not have, in "
                + count.counted("scan"),
            mend: Remedy(
                "See which keys (keywedge journal list --type keywedge.scan.rejected), and find "
                    + "the layout that has them.",
                run: "keywedge layouts detect --scanner \(scanner.name.shellWord)"))
    }
}
