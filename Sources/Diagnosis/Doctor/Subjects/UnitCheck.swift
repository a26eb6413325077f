import WireText

/// The unit of systemd: installed, running, started at boot, and its sandbox as it should be.
package struct UnitCheck: DoctorCheck {
    package let subject = DoctorReport.Subject.unit
    private let unit: UnitState?
    private let programs: any ProgramRunner
    private let isRoot: Bool

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - unit: What systemd says of it; nil where no systemd runs the box.
    ///   - programs: Runs `journalctl`.
    ///   - isRoot: Whether the log can be read.
    package init(_ unit: UnitState?, programs: any ProgramRunner, isRoot: Bool) {
        self.unit = unit
        self.programs = programs
        self.isRoot = isRoot
    }

    package func findings() async -> [DoctorReport.Finding] {
        guard let unit else {
            return [finding(.notTried, "systemd does not run this box: nothing is known of a unit")]
        }
        guard !unit.isMasked else {
            return [
                finding(
                    .fails, "\(UnitNetwork.unit) is masked: it cannot be started",
                    mend: [
                        Remedy(
                            "Unmask it.", run: "systemctl unmask keywedge",
                            "systemctl enable --now keywedge")
                    ])
            ]
        }
        guard unit.isInstalled else {
            return [
                finding(
                    .warns, "\(UnitNetwork.unit) is not installed: nothing starts the daemon",
                    mend: [Remedy("Install the package, as docs/installing.md says.")])
            ]
        }
        return [await running(unit), enabled(unit)].compactMap(\.self) + sandbox(unit) + stale(unit)
    }

    private func running(_ unit: UnitState) async -> DoctorReport.Finding {
        let restarts = unit["NRestarts"].flatMap { Int($0) } ?? 0
        if unit.isRunning {
            let since = unit["ActiveEnterTimestamp"].map { " since \($0)" } ?? ""
            let again = restarts == 0 ? "" : "; it ended \(restarts.counted("time")) by itself"
            return finding(.holds, "\(UnitNetwork.unit) runs\(since)\(again)")
        }
        let state = [unit["ActiveState"], unit["SubState"]].compactMap(\.self)
        let result = unit["Result"].map { $0 == "success" ? "" : ", result \($0)" } ?? ""
        return finding(
            .fails,
            "\(UnitNetwork.unit) does not run: it is \(state.joined(separator: ", "))\(result)",
            await log,
            mend: [
                Remedy(
                    "Mend what else failed here, and what the log says; then start it.",
                    run: "systemctl restart keywedge")
            ])
    }

    /// The last that the daemon said; without events, which have codes in them.
    private var log: [String] {
        get async {
            let shown = await programs.run([
                "journalctl", "--no-pager", "-o", "cat", "-n", "40", "-u", UnitNetwork.unit,
            ])
            let lines = (shown?.text ?? "").split(whereSeparator: \.isNewline).map(String.init)
            return Array(lines.filter { $0.hasPrefix("keywedge: ") }.suffix(5))
        }
    }

    private func enabled(_ unit: UnitState) -> DoctorReport.Finding? {
        guard let state = unit["UnitFileState"], state != "enabled", state != "enabled-runtime"
        else { return nil }
        return finding(
            .fails, "\(UnitNetwork.unit) is \(state): nothing starts it when the box boots",
            mend: [Remedy("Have it started.", run: "systemctl enable keywedge")])
    }

    private func stale(_ unit: UnitState) -> [DoctorReport.Finding] {
        guard unit["NeedDaemonReload"] == "yes" else { return [] }
        return [
            finding(
                .warns, "the unit's files have changed since systemd read them",
                mend: [
                    Remedy(
                        "Have them read.", run: "systemctl daemon-reload",
                        "systemctl restart keywedge")
                ])
        ]
    }
}

extension UnitCheck {
    /// What the unit has to be like: a property, and its value in the unit as it is installed.
    private static let expected: [(name: String, value: String)] = [
        ("NoNewPrivileges", "yes"), ("ProtectSystem", "strict"), ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"), ("PrivateUsers", "yes"), ("ProtectKernelModules", "yes"),
        ("ProtectKernelTunables", "yes"), ("ProtectKernelLogs", "yes"),
        ("ProtectControlGroups", "yes"), ("ProtectClock", "yes"),
        ("MemoryDenyWriteExecute", "yes"), ("RestrictNamespaces", "yes"),
        ("RestrictSUIDSGID", "yes"), ("LockPersonality", "yes"), ("DevicePolicy", "closed"),
    ]

    private func sandbox(_ unit: UnitState) -> [DoctorReport.Finding] {
        if let closed = withoutDevices(unit) { return [closed] }
        let changed = Self.expected.filter { name, value in
            unit[name].map { $0 != value } ?? false
        }
        guard !changed.isEmpty else {
            return [finding(.holds, "the sandbox is as installed\(dropIns(unit))")]
        }
        let names = changed.map { "\($0.name)=\(unit[$0.name] ?? "")" }.joined(separator: ", ")
        return [
            finding(
                .warns, "the sandbox is weaker than installed: \(names)\(dropIns(unit))",
                mend: [
                    dropIn(
                        "Take these out of the drop-in, or set them as installed.",
                        changed.map { "\($0.name)=\($0.value)" })
                ])
        ]
    }

    /// The daemon gets no scanner where its unit keeps all devices from it.
    private func withoutDevices(_ unit: UnitState) -> DoctorReport.Finding? {
        let isClosed = unit["DevicePolicy"] != "auto"
        let isPrivate = unit["PrivateDevices"] == "yes"
        let allows = unit["DeviceAllow"]?.contains("char-input") ?? false
        guard isPrivate || isClosed && !allows else { return nil }
        return finding(
            .fails, "the unit keeps the scanners' nodes from the daemon\(dropIns(unit))",
            mend: [
                dropIn(
                    "Let it have them.", ["PrivateDevices=no", "DeviceAllow=char-input r"])
            ])
    }

    private func dropIn(_ advice: String, _ lines: [String]) -> Remedy {
        Remedy(
            advice, file: "/etc/systemd/system/\(UnitNetwork.unit).d/zz-sandbox.conf",
            containing: ["[Service]"] + lines,
            run: ["systemctl daemon-reload", "systemctl restart keywedge"])
    }

    private func dropIns(_ unit: UnitState) -> String {
        unit["DropInPaths"].map { "; drop-ins: \($0)" } ?? ""
    }
}
