import EventService
import WireText

struct VersionCheck: DoctorCheck {
    let subject = Finding.Subject.version
    let box: Box

    func findings() async -> [Finding] {
        let (installed, unit, running) = (box.version, box.unit, status?.version)
        if let running, running != installed {
            return finding(
                .fails, "the daemon that runs is \(running), this program is \(installed)",
                mend: restart)
        }
        guard let process = unit?.process else {
            let text =
                running == nil ? "no daemon of the unit runs beside it" : "and so is the daemon"
            return finding(.holds, "this is \(installed), \(text)")
        }
        guard let now = files.facts("/proc/\(process)/exe") else {
            return finding(
                .unseen,
                "this is \(installed); which program the daemon's process \(process) runs, this user "
                    + "may not see")
        }
        guard let program = unit?.program, let then = files.facts(program),
            then.identity != now.identity
        else { return finding(.holds, "this is \(installed), and so is the daemon") }
        return finding(
            .fails,
            "\(program) was replaced since the daemon started, which still runs the old one",
            mend: restart)
    }

    private var restart: Remedy {
        Remedy("Start the installed one.", run: "systemctl restart keywedge")
    }
}
