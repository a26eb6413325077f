import Keystrokes
package import ScannerInput
import WireText

/// Checks which devices are scanners, which of them keywedge claims, and which process has them.
package struct DevicesCheck: DoctorCheck {
    package let subject = DoctorReport.Subject.devices
    private let devices: [SurveyedDevice]
    private let configured: [String]
    private let file: String
    private let daemon: Daemon
    private let isRoot: Bool
    private let files: BoxFiles
    private let grab: @Sendable (String) -> Bool

    /// The facts about the daemon, as far as they are known.
    package struct Daemon: Equatable, Sendable {
        /// Its process; nil if the daemon does not run.
        package var process: Int32?
        /// The names of the scanners that it has claimed; nil if it was not asked.
        package var held: Set<String>?

        package init(process: Int32? = nil, held: Set<String>? = nil) {
            self.process = process
            self.held = held
        }
    }

    /// Makes a check of devices that the configuration's rules have judged.
    ///
    /// `configured` names the scanners with a `match`, `file` is the configuration that remedies
    /// write to, and `isRoot` says that `devices` shows the processes of all users. `grab` claims a
    /// node for an instant, and returns false if another process has claimed it.
    package init(
        devices: [SurveyedDevice], configured: [String], file: String, daemon: Daemon, isRoot: Bool,
        files: BoxFiles = BoxFiles(), grab: @escaping @Sendable (String) -> Bool
    ) {
        self.devices = devices
        self.configured = configured
        self.file = file
        self.daemon = daemon
        self.isRoot = isRoot
        self.files = files
        self.grab = grab
    }

    package func findings() async -> [DoctorReport.Finding] {
        let closed = devices.filter { (try? $0.facts.get()) == nil }
        let taken = devices.filter { $0.verdict?.rule != nil }
        return taken.map(takenFinding) + missing(taken) + lookalikes
            + closed.map(closedFinding)
    }

    private func takenFinding(_ device: SurveyedDevice) -> DoctorReport.Finding {
        let name = Self.name(of: device)
        let text = "\(device.node) (\(Self.words(device))) is the scanner \(name.quoted())"
        let others = device.holders.filter { $0.process != daemon.process }
        if !others.isEmpty, isHeldByAnother(device) {
            let who = others.map { "\(Escaping.line.escaped($0.command)) (process \($0.process))" }
            return finding(
                .fails,
                "\(text), but \(who.joined(separator: ", ")) has it, and keywedge gets no key",
                mend: others.map(release))
        }
        if daemon.process != nil, daemon.held?.contains(name) == false {
            return finding(
                .fails, "\(text), but the daemon does not hold it",
                mend: [Remedy("Have the daemon look anew.", run: "systemctl restart keywedge")])
        }
        if daemon.process == nil { return finding(.holds, "\(text); nobody holds it now") }
        return finding(.holds, daemon.held == nil ? text : "\(text), held by the daemon")
    }

    /// Whether another process has claimed the device, and keywedge gets no keys.
    ///
    /// The kernel does not show which process has claimed a device. A running daemon knows whether
    /// it has; without one, the check tries to claim the device.
    private func isHeldByAnother(_ device: SurveyedDevice) -> Bool {
        guard daemon.process == nil else {
            if let held = daemon.held { return !held.contains(Self.name(of: device)) }
            return !device.holders.contains { $0.process == daemon.process }
        }
        return !grab(device.node)
    }

    private func release(_ holder: NodeHolder) -> Remedy {
        let groups = files.text("/proc/\(holder.process)/cgroup") ?? ""
        let unit = groups.split(separator: "\n").compactMap { line in
            line.split(separator: "/").last.map(String.init)
        }.first { $0.hasSuffix(".service") && !$0.hasPrefix("user@") }
        guard let unit else {
            return Remedy("End it.", run: "kill \(holder.process)")
        }
        return Remedy(
            "Stop the service that it belongs to, and have it stay so.",
            run: "systemctl stop \(unit.shellWord)",
            "systemctl disable \(unit.shellWord)", "systemctl restart keywedge")
    }

    private func missing(_ taken: [SurveyedDevice]) -> [DoctorReport.Finding] {
        guard !configured.isEmpty else { return taken.isEmpty ? [nothing] : [] }
        let found = Set(taken.map(Self.name))
        // A missing scanner may be a node that this user may not open, which has its own finding.
        if !isRoot, devices.contains(where: { (try? $0.facts.get()) == nil }) { return [] }
        return configured.filter { !found.contains($0) }.map { name in
            let candidate = likelyScanner
            return finding(
                found.isEmpty ? .fails : .warns,
                "the configured scanner \(name.quoted()) is not attached",
                mend: [
                    candidate.map { written($0, as: name) }
                        ?? Remedy(Self.plugIn)
                ])
        }
    }

    private static let plugIn =
        "Plug the scanner in, and set it to keyboard mode (USB HID keyboard) with the symbol in its "
        + "maker's manual."

    private var nothing: DoctorReport.Finding {
        let isHidden = devices.contains { (try? $0.facts.get()) == nil }
        return finding(
            isHidden && !isRoot ? .unseen : .fails, "no device is taken for a scanner",
            mend: [
                likelyScanner.map { written($0, as: "counter") }
                    ?? Remedy(Self.plugIn)
            ])
    }

    /// Findings about devices that look like scanners and match no configured one.
    private var lookalikes: [DoctorReport.Finding] {
        guard !configured.isEmpty else { return [] }
        return devices.compactMap { device in
            guard let facts = try? device.facts.get(), facts.keys.canTypeAScan,
                case .refused(.matchesNoConfiguredScanner)? = device.verdict,
                facts.isMarked || KnownMakers.byVendor[facts.identity.vendor] != nil
            else { return nil }
            return finding(
                .warns,
                "\(device.node) (\(Self.words(device))) looks like a scanner, and matches none "
                    + "of the configured ones: it types into whatever has the focus",
                mend: [written(facts.identity, as: "second")])
        }
    }

    private func closedFinding(_ device: SurveyedDevice) -> DoctorReport.Finding {
        guard case .failure(let error) = device.facts else {
            return finding(.holds, device.node)
        }
        if error.isForbidden {
            return finding(
                .unseen, "this user may not open \(device.node): \(Remedy.asRoot)")
        }
        return finding(.warns, "\(error)")
    }

    /// The likeliest scanner among the devices that no rule claims: one that can type a scan, and
    /// is not a built-in keyboard.
    private var likelyScanner: DeviceIdentity? {
        let typing = devices.filter { $0.verdict?.rule == nil }
            .compactMap { try? $0.facts.get() }.filter(\.keys.canTypeAScan)
        let known = typing.last { $0.isMarked || KnownMakers.byVendor[$0.identity.vendor] != nil }
        return (known ?? typing.last { KnownMakers.buses.contains($0.identity.bus) })?.identity
    }

    private func written(
        _ identity: DeviceIdentity, as name: String
    ) -> Remedy {
        let numbers = [identity.vendor, identity.product].map(\.fourHexDigits)
        let what = Escaping.line.escaped(identity.name ?? "a device without a name")
        return Remedy(
            "If it is \(what), say so.", into: file,
            setting: [
                "scanners:", "  - name: \(name.yamlWord)",
                "    match: {vendor: \(numbers[0].quoted()), product: \(numbers[1].quoted())}",
            ], run: ["systemctl restart keywedge"])
    }

    private static func words(_ device: SurveyedDevice) -> String {
        let identity = (try? device.facts.get())?.identity
        let numbers = [identity?.vendor ?? 0, identity?.product ?? 0].map(\.fourHexDigits)
        let name = identity?.name.map { Escaping.line.escaped($0) } ?? "no name"
        return "\(name), \(numbers.joined(separator: ":"))"
    }

    /// The name that the daemon gives a device.
    private static func name(of device: SurveyedDevice) -> String {
        device.scanner?.name ?? device.node
    }
}
