import WireText

/// Whether the clock is right: events carry its time.
package struct ClockCheck: DoctorCheck {
    package let subject = DoctorReport.Subject.time
    private let programs: any ProgramRunner

    /// Makes a check.
    ///
    /// - Parameter programs: Runs `timedatectl` and `systemctl`.
    package init(programs: any ProgramRunner) {
        self.programs = programs
    }

    package func findings() async -> [DoctorReport.Finding] {
        let shown = await programs.run([
            "timedatectl", "show", "--property", "NTPSynchronized", "--value",
        ])
        switch shown?.text.prefix(while: \.isLetter) {
        case "yes": return [finding(.holds, "the clock is synchronised")]
        case "no":
            return [
                finding(
                    .warns,
                    "nobody keeps the clock right: the times of events are only as good as it",
                    mend: [await remedy])
            ]
        default:
            return [finding(.notTried, "timedatectl does not tell whether the clock is right")]
        }
    }

    private var remedy: Remedy {
        get async {
            for unit in ["chrony.service", "ntpsec.service", "systemd-timesyncd.service"] {
                guard let state = await UnitState.asked(programs, unit) else { continue }
                if state.isMasked, unit == "systemd-timesyncd.service" {
                    return Remedy(
                        "Somebody has masked what keeps it right: turn it on.",
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

    /// It runs, and has reached no server so far.
    private func reaching(_ unit: String) -> Remedy {
        let place =
            unit.hasPrefix("systemd") ? "/etc/systemd/timesyncd.conf (NTP=)" : "its settings"
        return Remedy(
            "\(unit) runs and has reached no server: wait a minute, else name a server of your "
                + "network in \(place).", run: "systemctl restart \(unit)")
    }
}
