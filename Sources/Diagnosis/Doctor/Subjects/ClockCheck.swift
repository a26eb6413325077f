import WireText

/// A check that the system clock, which provides the times of events, is synchronised.
struct ClockCheck: DoctorCheck {
    let subject = Finding.Subject.time
    let box: Box

    func findings() async -> [Finding] {
        let shown = await box.programs([
            "timedatectl", "show", "--property", "NTPSynchronized", "--value",
        ])
        switch shown?.prefix(while: \.isLetter) {
        case "yes": return finding(.holds, "the clock is synchronised")
        case "no":
            return finding(
                .warns, "the clock is not synchronised: the times of events may be wrong",
                mend: await remedy())
        default: return finding(.notTried, "timedatectl does not say whether the clock is right")
        }
    }

    private func remedy() async -> Remedy {
        for unit in ["chrony.service", "ntpsec.service", "systemd-timesyncd.service"] {
            guard let state = await UnitState.asked(unit, box.programs), state.isInstalled
            else { continue }
            return state.isRunning
                ? Remedy(
                    "\(unit) runs and has reached no server: wait a minute, else name a server of "
                        + "your network in its settings (for systemd: NTP= in "
                        + "/etc/systemd/timesyncd.conf).", run: "systemctl restart \(unit)")
                : Remedy(
                    "Start what is installed for it.", run: "systemctl enable --now \(unit)")
        }
        return Remedy(
            "Install something that keeps it right.",
            run: "apt-get install --yes systemd-timesyncd",
            "systemctl unmask systemd-timesyncd", "systemctl unmask --runtime systemd-timesyncd",
            "timedatectl set-ntp true")
    }
}
