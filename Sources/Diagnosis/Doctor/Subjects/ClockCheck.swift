import WireText

/// Checks that the clock is synchronised, because events contain its time.
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
                mend: await remedy)
        default: return finding(.notTried, "timedatectl does not say whether the clock is right")
        }
    }

    private var remedy: Remedy {
        get async {
            for unit in ["chrony.service", "ntpsec.service", "systemd-timesyncd.service"] {
                guard let state = await UnitState.asked(unit, box.programs) else { continue }
                if state.isMasked, unit == "systemd-timesyncd.service" {
                    return Remedy(
                        "The service that keeps it right is masked: turn it on.",
                        run: "systemctl unmask \(unit)", "systemctl unmask --runtime \(unit)",
                        "timedatectl set-ntp true")
                }
                guard state.isInstalled else { continue }
                if state.isRunning { return reaching(unit) }
                return unit == "systemd-timesyncd.service"
                    ? Remedy("Turn it on.", run: "timedatectl set-ntp true")
                    : Remedy(
                        "Start what is installed for it.", run: "systemctl enable --now \(unit)")
            }
            return Remedy(
                "Install something that keeps it right.",
                run: "apt-get install --yes systemd-timesyncd", "timedatectl set-ntp true")
        }
    }

    /// The remedy for a time service that runs but has not reached a server yet.
    private func reaching(_ unit: String) -> Remedy {
        let place =
            unit.hasPrefix("systemd") ? "/etc/systemd/timesyncd.conf (NTP=)" : "its settings"
        return Remedy(
            "\(unit) runs and has reached no server: wait a minute, else name a server of your "
                + "network in \(place).", run: "systemctl restart \(unit)")
    }
}
