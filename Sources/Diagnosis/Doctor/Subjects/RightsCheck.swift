import Keystrokes
import ScannerInput
import WireText

/// A check of the udev rule for scanners, and of the daemon's permission to read them.
struct RightsCheck: DoctorCheck {
    let subject = Finding.Subject.rights
    let box: Box

    /// The folders of udev rules, highest precedence first (udev(7), "Rules Files").
    private static let folders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
        "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]
    private static let rule = "72-keywedge.rules"
    private static let reload = [
        "udevadm control --reload",
        "udevadm trigger --subsystem-match=input --subsystem-match=hidraw --subsystem-match=tty"
            + " --action=change",
        "udevadm settle",
    ]

    func findings() async -> [Finding] {
        ruleFindings + databaseFindings + userFindings + nodeFindings
    }

    /// Whether udev runs on this computer; false in a container, where udev runs only on the host.
    private var runsUdev: Bool { files.facts("/run/udev/control") != nil }

    /// A warning if a container has no access to udev's database, in which the host's rules mark scanners.
    private var databaseFindings: [Finding] {
        let path = DevicePlaces().udevData
        guard !runsUdev, files.facts(path) == nil else { return [] }
        return finding(
            .warns,
            "there is no udev database \(path): a scanner must be of a known maker or have a match",
            mend: .mounting(path))
    }

    private var ruleFindings: [Finding] {
        guard runsUdev else {
            return finding(
                .notTried, "udev does not run here: in a container, its host has the rule")
        }
        let places = Self.folders.map { "\($0)/\(Self.rule)" }
        guard let path = places.first(where: { files.facts($0) != nil }) else {
            return finding(
                .fails, "the udev rule that gives scanners to the daemon is missing", mend: made)
        }
        // An empty rule in /etc, or a link to /dev/null, disables the rule of the same name elsewhere.
        guard let text = files.text(path), text.contains(UdevDatabase.mark) else {
            return finding(.fails, "the udev rule \(path) is empty", mend: made)
        }
        return finding(.holds, "the udev rule is \(path)")
    }

    private var made: Remedy {
        let lines = String(decoding: PackageResources.keywedge_rules, as: UTF8.self)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        return Remedy(
            "Install the package again, or write the rule.", file: "/etc/udev/rules.d/\(Self.rule)",
            containing: lines, run: Self.reload)
    }

    private var userFindings: [Finding] {
        guard user == nil else { return [] }
        let name = box.unit?.user ?? "keywedge"
        return finding(
            .fails, "there is no user \(name.quoted()), which the daemon runs as",
            mend: Remedy(
                "Create it.", run: "systemd-sysusers",
                "getent passwd keywedge || adduser --system --group --no-create-home"
                    + " --home /var/lib/keywedge keywedge"))
    }

    private var nodeFindings: [Finding] {
        guard let user else { return [] }
        return box.devices.flatMap { device in
            guard device.verdict?.rule != nil, let facts = try? device.facts.get(),
                let node = files.facts(device.node)
            else { return [Finding]() }
            let rights = node.shown
            guard !user.may(.reading, node) else {
                return finding(.holds, "\(device.node) is \(rights): \(user.name) may read it")
            }
            return finding(
                .fails,
                "\(device.node) is \(rights): the daemon's user \(user.name) may not read it",
                mend: runsUdev ? mending(facts, user) : nil)
        }
    }

    private func mending(_ facts: DeviceFacts, _ user: BoxUser) -> Remedy {
        guard !facts.isKnownScanner else {
            return Remedy(
                "Have udev give it the rights of the rule.",
                run: "udevadm trigger --action=change \(facts.node)", "udevadm settle")
        }
        let numbers = facts.identity.numbers
        if facts.interface == .serial {
            return Remedy(
                "Give it to the daemon: Debian's ports belong to the group dialout.",
                run: "adduser \(user.name) dialout", "systemctl restart keywedge")
        }
        let subsystem =
            facts.interface.kind == .hidPOS
            ? "SUBSYSTEM==\"hidraw\", ATTRS{idVendor}==\(numbers[0].quoted()),"
                + " ATTRS{idProduct}==\(numbers[1].quoted())"
            : "SUBSYSTEM==\"input\", KERNEL==\"event*\", ATTRS{id/vendor}==\(numbers[0].quoted()),"
                + " ATTRS{id/product}==\(numbers[1].quoted())"
        return Remedy(
            "Its maker is not known for scanners: mark it as one.",
            file: "/etc/udev/rules.d/71-keywedge-\(numbers.joined(separator: "-")).rules",
            containing: [subsystem + ", ENV{\(UdevDatabase.mark)}=\"1\""], run: Self.reload)
    }
}

extension BoxFiles.Facts {
    /// The file's permissions, owner and group, such as `rw-rw----, root:input`.
    var shown: String {
        "\(rights), \(BoxUser.userName(user)):\(BoxUser.groupName(group))"
    }

    var rights: String {
        let letters = Array("rwxrwxrwx")
        return String(
            letters.indices.map { index in
                mode >> UInt32(8 - index) & 1 == 1 ? letters[index] : "-"
            })
    }
}

extension DeviceFacts {
    var isKnownScanner: Bool { isMarked || KnownMakers.byVendor[identity.vendor] != nil }
}

extension DeviceIdentity {
    /// The vendor and product IDs as four hexadecimal digits each, such as `["0c2e", "0b61"]`.
    var numbers: [String] { [vendor, product].map(\.fourHexDigits) }
}
