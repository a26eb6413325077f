import EventService
import WireText

/// A check that the systemd unit is installed, runs, starts at boot, and has its sandbox.
struct UnitCheck: DoctorCheck {
    let subject = Finding.Subject.unit
    let box: Box

    func findings() async -> [Finding] {
        guard let unit = box.unit else {
            return finding(.notTried, "this box does not run systemd")
        }
        guard !unit.isMasked else {
            return finding(
                .fails, "\(UnitState.daemon) is masked: it cannot be started",
                mend: Remedy(
                    "Unmask it.", run: "systemctl unmask keywedge",
                    "systemctl enable --now keywedge"))
        }
        guard unit.isInstalled else {
            return finding(
                .warns, "\(UnitState.daemon) is not installed: nothing starts the daemon",
                mend: Remedy("Install the package, as docs/installing.md says."))
        }
        return await running(unit) + enabled(unit) + sandbox(unit) + stale(unit)
    }

    private func running(_ unit: UnitState) async -> [Finding] {
        let restarts = unit["NRestarts"].flatMap { Int($0) } ?? 0
        if unit.isRunning {
            let since = unit["ActiveEnterTimestamp"].map { " since \($0)" } ?? ""
            let again = restarts == 0 ? "" : "; it ended unexpectedly \(restarts.counted("time"))"
            return finding(.holds, "\(UnitState.daemon) runs\(since)\(again)")
        }
        let state = [unit["ActiveState"], unit["SubState"]].compactMap(\.self)
        let result = unit["Result"].map { $0 == "success" ? "" : ", result \($0)" } ?? ""
        return finding(
            .fails,
            "\(UnitState.daemon) does not run: it is \(state.joined(separator: ", "))\(result)",
            await log(),
            mend: Remedy(
                "Fix the other failures here and what the log reports; then start it.",
                run: "systemctl restart keywedge"))
    }

    /// Returns the last messages in the daemon's log, without the lines that contain events.
    private func log() async -> [String] {
        let shown = await box.programs([
            "journalctl", "--no-pager", "-o", "cat", "-n", "40", "-u", UnitState.daemon,
        ])
        let lines = (shown ?? "").split(whereSeparator: \.isNewline).map(String.init)
        return Array(lines.filter { $0.hasPrefix("keywedge: ") }.suffix(5))
    }

    private func enabled(_ unit: UnitState) -> [Finding] {
        guard let state = unit["UnitFileState"], state != "enabled", state != "enabled-runtime"
        else { return [] }
        return finding(
            .fails, "\(UnitState.daemon) is \(state): nothing starts it when the box boots",
            mend: Remedy("Enable it.", run: "systemctl enable keywedge"))
    }

    private func stale(_ unit: UnitState) -> [Finding] {
        guard unit["NeedDaemonReload"] == "yes" else { return [] }
        return finding(
            .warns, "the unit's files have changed since systemd read them",
            mend: Remedy("Load them.", run: "systemctl daemon-reload", "systemctl restart keywedge")
        )
    }

    /// The sandbox properties to check, with their values in the unit that keywedge installs.
    private static let expected: [(name: String, value: String)] = [
        ("NoNewPrivileges", "yes"), ("ProtectSystem", "strict"), ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"), ("PrivateUsers", "yes"), ("ProtectKernelModules", "yes"),
        ("ProtectKernelTunables", "yes"), ("ProtectKernelLogs", "yes"),
        ("ProtectControlGroups", "yes"), ("ProtectClock", "yes"),
        ("MemoryDenyWriteExecute", "yes"), ("RestrictNamespaces", "yes"),
        ("RestrictSUIDSGID", "yes"), ("LockPersonality", "yes"), ("DevicePolicy", "closed"),
    ]

    private func sandbox(_ unit: UnitState) -> [Finding] {
        let dropIns = unit["DropInPaths"].map { "; drop-ins: \($0)" } ?? ""
        let allows = unit["DeviceAllow"]?.contains("char-input") ?? false
        if unit["PrivateDevices"] == "yes" || unit["DevicePolicy"] != "auto" && !allows {
            return finding(
                .fails, "the unit keeps the scanners' nodes from the daemon\(dropIns)",
                mend: .dropIn(
                    "Give it access to them.", "zz-sandbox",
                    ["PrivateDevices=no", "DeviceAllow=char-input r"]))
        }
        let changed = Self.expected.filter { name, value in
            unit[name].map { $0 != value } ?? false
        }
        guard !changed.isEmpty else {
            return finding(.holds, "the sandbox is as installed\(dropIns)")
        }
        let names = changed.map { "\($0.name)=\(unit[$0.name] ?? "")" }.joined(separator: ", ")
        return finding(
            .warns, "the sandbox is weaker than installed: \(names)\(dropIns)",
            mend: .dropIn(
                "Remove these from the drop-in, or set them as installed.", "zz-sandbox",
                changed.map { "\($0.name)=\($0.value)" }))
    }
}

/// A check that the running daemon is the installed version.
struct VersionCheck: DoctorCheck {
    let subject = Finding.Subject.version
    let box: Box

    func findings() async -> [Finding] {
        let (installed, unit, running) = (box.version, box.unit, status?.version)
        let restart = Remedy("Start the installed one.", run: "systemctl restart keywedge")
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
}
