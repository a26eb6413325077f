import WireText

/// Whether the daemon that runs is the one that is installed.
package struct VersionCheck: DoctorCheck {
    package let subject = DoctorReport.Subject.version
    private let installed: String
    private let running: String?
    private let unit: UnitState?
    private let files: BoxFiles

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - installed: The version of this program.
    ///   - running: What the daemon says its version is; nil where it cannot be asked.
    ///   - unit: What systemd says.
    ///   - files: The box's files.
    package init(
        installed: String, running: String?, unit: UnitState?, files: BoxFiles = BoxFiles()
    ) {
        self.installed = installed
        self.running = running
        self.unit = unit
        self.files = files
    }

    package func findings() async -> [DoctorReport.Finding] {
        if let running, running != installed {
            return [
                finding(
                    .fails, "the daemon that runs is \(running), this program is \(installed)",
                    mend: [restart])
            ]
        }
        guard let process = unit?.process else {
            let text =
                running == nil ? "no daemon of the unit runs beside it" : "and so is the daemon"
            return [finding(.holds, "this is \(installed), \(text)")]
        }
        guard let now = files.facts("/proc/\(process)/exe") else {
            return [
                finding(
                    .unseen,
                    "this is \(installed); which program the daemon's process \(process) runs, this "
                        + "user may not see")
            ]
        }
        guard let program = unit?.program, let then = files.facts(program),
            then.identity != now.identity
        else { return [finding(.holds, "this is \(installed), and so is the daemon")] }
        return [
            finding(
                .fails,
                "\(program) was replaced since the daemon started, which still runs the old one",
                mend: [restart])
        ]
    }

    private var restart: Remedy {
        Remedy("Start the installed one.", run: "systemctl restart keywedge")
    }
}
