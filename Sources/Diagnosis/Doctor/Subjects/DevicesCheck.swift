import Keystrokes
import ScannerInput
import WireText

/// A check of the devices: which ones keywedge claims, and which processes have them open.
struct DevicesCheck: DoctorCheck {
    let subject = Finding.Subject.devices
    let box: Box

    private var devices: [SurveyedDevice] { box.devices }
    private var process: Int32? { box.unit?.process }

    func findings() async -> [Finding] {
        let closed = devices.filter { (try? $0.facts.get()) == nil }
        let taken = devices.filter { $0.verdict?.rule != nil }
        return taken.flatMap(takenFindings) + missing(taken) + lookalikes
            + closed.flatMap { closedFindings($0, hasScanner: !taken.isEmpty) }
    }

    private var hidesFromUser: Bool {
        !box.isRoot && !box.isDaemonsUser && devices.contains { (try? $0.facts.get()) == nil }
    }

    private func takenFindings(_ device: SurveyedDevice) -> [Finding] {
        let name = Self.name(of: device)
        let text = "\(device.node) (\(Self.words(device))) is the scanner \(name.quoted())"
        let others = device.holders.filter { $0.process != process }
        if !others.isEmpty, isHeldByAnother(device) {
            let who = others.map { "\(Escaping.line.escaped($0.command)) (process \($0.process))" }
            let words = "but \(who.joined(separator: ", ")) has it, and keywedge gets no key"
            return [Finding(subject, .fails, "\(text), \(words)", mend: others.map(release))]
        }
        if box.heldScanners?.contains(name) == false {
            return finding(
                .fails, "\(text), but the daemon does not hold it",
                mend: Remedy("Make the daemon look again.", run: "systemctl restart keywedge"))
        }
        if process == nil, box.heldScanners == nil {
            return finding(.holds, "\(text); no process holds it now")
        }
        return finding(.holds, box.heldScanners == nil ? text : "\(text), held by the daemon")
    }

    /// Whether another process has claimed the device; if so, keywedge gets no keys from it.
    ///
    /// The kernel does not show which process has claimed a device, so this check asks the daemon. If the daemon gives
    /// no answer but systemd names its process, it counts as the holder of all devices that it has open. Otherwise,
    /// this check tries to claim the device.
    private func isHeldByAnother(_ device: SurveyedDevice) -> Bool {
        if let held = box.heldScanners { return !held.contains(Self.name(of: device)) }
        if let process { return !device.holders.contains { $0.process == process } }
        return !box.grab(device.node)
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
            "Stop the service that it belongs to, and keep it stopped.",
            run: "systemctl stop \(unit.shellWord)", "systemctl disable \(unit.shellWord)",
            "systemctl restart keywedge")
    }

    private func missing(_ taken: [SurveyedDevice]) -> [Finding] {
        if box.isDaemonsUser, devices.contains(where: isClosedScanner) { return [] }
        guard !box.configuredScanners.isEmpty else { return taken.isEmpty ? nothing : [] }
        let found = Set(taken.map(Self.name))
        // The missing scanner may be a device that this user cannot open; each such device has its own finding.
        if hidesFromUser { return [] }
        return box.configuredScanners.filter { !found.contains($0) }.flatMap { name in
            finding(
                found.isEmpty ? .fails : .warns,
                "the configured scanner \(name.quoted()) is not attached",
                mend: likelyScanner.map { written($0, as: name) } ?? Remedy(Self.plugIn))
        }
    }

    private static let plugIn =
        "Plug the scanner in, and set it to keyboard mode (USB HID keyboard) or HID POS with the symbol "
        + "in its maker's manual."

    private var nothing: [Finding] {
        let folder = DevicePlaces().nodes
        if devices.isEmpty, files.facts(folder) == nil {
            return finding(
                .fails, "\(folder) does not exist, and no device is recognised as a scanner",
                mend: Remedy(Self.plugIn), .mounting(folder))
        }
        return finding(
            hidesFromUser ? .unseen : .fails, "no device is recognised as a scanner",
            mend: likelyScanner.map { written($0, as: "counter") } ?? Remedy(Self.plugIn))
    }

    private var lookalikes: [Finding] {
        guard !box.configuredScanners.isEmpty else { return [] }
        return devices.flatMap { device in
            guard let facts = try? device.facts.get(), facts.interface.canScan,
                case .refused(.matchesNoConfiguredScanner)? = device.verdict,
                facts.isKnownScanner
            else { return [Finding]() }
            return finding(
                .warns,
                "\(device.node) (\(Self.words(device))) looks like a scanner, and matches none "
                    + "of the configured ones: it types into whatever has the focus",
                mend: written(facts.identity, as: "second"))
        }
    }

    private func closedFindings(_ device: SurveyedDevice, hasScanner: Bool) -> [Finding] {
        guard case .failure(let error) = device.facts else { return [] }
        guard let forbidden = device.forbidden else { return finding(.warns, "\(error)") }
        if box.isDaemonsUser {
            guard isClosedScanner(device) else { return [] }
            // If a scanner can be opened, an unknown device that cannot be opened is probably an ordinary keyboard.
            let isProbablyNone = hasScanner && device.closedVerdict == nil
            return finding(isProbablyNone ? .notTried : .fails, "\(forbidden)")
        }
        return unseen("this user may not open \(device.node)")
    }

    /// Whether the device may be a scanner, judging by sysfs, but this user lacks permission to open it.
    private func isClosedScanner(_ device: SurveyedDevice) -> Bool {
        if case .refused? = device.closedVerdict { return false }
        return device.forbidden != nil
    }

    /// The likeliest scanner among devices that keywedge would not claim; nil if no device is likely.
    private var likelyScanner: DeviceIdentity? {
        let typing = devices.filter { $0.verdict?.rule == nil }
            .compactMap { try? $0.facts.get() }.filter(\.interface.canScan)
        let known = typing.last(where: \.isKnownScanner)
        return (known ?? typing.last { KnownMakers.buses.contains($0.identity.bus) })?.identity
    }

    private func written(_ identity: DeviceIdentity, as name: String) -> Remedy {
        let numbers = identity.numbers
        let what = Escaping.line.escaped(identity.name ?? "a device without a name")
        return Remedy(
            "If it is \(what), say so.", into: file,
            setting: [
                "scanners:", "  - name: \(name.yamlWord)",
                "    match: {vendor: \(numbers[0].quoted()), product: \(numbers[1].quoted())}",
            ])
    }

    private static func words(_ device: SurveyedDevice) -> String {
        let identity = (try? device.facts.get())?.identity
        let numbers = identity?.numbers ?? ["0000", "0000"]
        let name = identity?.name.map { Escaping.line.escaped($0) } ?? "no name"
        return "\(name), \(numbers.joined(separator: ":"))"
    }

    private static func name(of device: SurveyedDevice) -> String {
        device.scanner?.name ?? device.node
    }
}
