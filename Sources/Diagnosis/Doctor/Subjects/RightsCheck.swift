import Keystrokes
package import ScannerInput
import WireText

/// The udev rule that gives scanners to the daemon, and what it gave.
package struct RightsCheck: DoctorCheck {
    package let subject = DoctorReport.Subject.rights
    private let devices: [SurveyedDevice]
    private let user: BoxUser?
    private let userName: String
    private let files: BoxFiles

    /// Where rules are, the first ahead of the others.
    ///
    /// Rule: udev(7), "Rules Files".
    private static let folders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
        "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]
    private static let rule = "72-keywedge.rules"
    private static let reload = [
        "udevadm control --reload", "udevadm trigger --subsystem-match=input --action=change",
        "udevadm settle",
    ]

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - devices: What is attached.
    ///   - user: The user that the daemon runs as; nil where there is none of that name.
    ///   - userName: The user's name.
    ///   - files: The box's files.
    package init(
        devices: [SurveyedDevice], user: BoxUser?, userName: String, files: BoxFiles = BoxFiles()
    ) {
        self.devices = devices
        self.user = user
        self.userName = userName
        self.files = files
    }

    package func findings() async -> [DoctorReport.Finding] {
        [ruleFinding] + userFinding + nodeFindings
    }

    private var ruleFinding: DoctorReport.Finding {
        let places = Self.folders.map { "\($0)/\(Self.rule)" }
        guard let path = places.first(where: { files.facts($0) != nil }) else {
            return finding(
                .fails, "the udev rule that gives scanners to the daemon is not there", mend: [made]
            )
        }
        // A rule in /etc that is empty, or a link to /dev/null, takes the place of the others.
        guard let text = files.text(path), text.contains(UdevDatabase.mark) else {
            return finding(.fails, "the udev rule \(path) says nothing", mend: [made])
        }
        return finding(.holds, "the udev rule is \(path)")
    }

    private var made: Remedy {
        let lines = String(decoding: PackageResources.keywedge_rules, as: UTF8.self)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        return Remedy(
            "Install the package anew, or write the rule.",
            file: "/etc/udev/rules.d/\(Self.rule)", containing: lines, run: Self.reload)
    }

    private var userFinding: [DoctorReport.Finding] {
        guard user == nil else { return [] }
        return [
            finding(
                .fails, "there is no user \(userName.quoted()), which the daemon runs as",
                mend: [
                    Remedy(
                        "Make it.", run: "systemd-sysusers",
                        "getent passwd keywedge || adduser --system --group --no-create-home"
                            + " --home /var/lib/keywedge keywedge")
                ])
        ]
    }

    /// What the daemon's user may not open, of the devices that it would take.
    private var nodeFindings: [DoctorReport.Finding] {
        guard let user else { return [] }
        return devices.compactMap { device in
            guard device.verdict?.rule != nil, let facts = try? device.facts.get(),
                let node = files.facts(device.node)
            else { return nil }
            let rights =
                "\(node.rights), \(BoxUser.userName(node.user)):"
                + "\(BoxUser.groupName(node.group))"
            guard !user.may(.reading, node) else {
                return finding(.holds, "\(device.node) is \(rights): \(user.name) may read it")
            }
            return finding(
                .fails,
                "\(device.node) is \(rights): the daemon's user \(user.name) may not read it",
                mend: [mending(facts)])
        }
    }

    private func mending(_ facts: DeviceFacts) -> Remedy {
        guard !facts.isMarked, KnownMakers.byVendor[facts.identity.vendor] == nil else {
            return Remedy(
                "Have udev give it the rights of the rule.",
                run: "udevadm trigger --action=change \(facts.node)", "udevadm settle")
        }
        let numbers = [facts.identity.vendor, facts.identity.product].map(\.fourHexDigits)
        return Remedy(
            "Its maker is not known for scanners: mark it as one.",
            file: "/etc/udev/rules.d/71-keywedge-\(numbers.joined(separator: "-")).rules",
            containing: [
                "SUBSYSTEM==\"input\", KERNEL==\"event*\", ATTRS{id/vendor}==\(numbers[0].quoted()),"
                    + " ATTRS{id/product}==\(numbers[1].quoted()), ENV{\(UdevDatabase.mark)}=\"1\""
            ], run: Self.reload)
    }
}

extension BoxFiles.Facts {
    /// The rights as `ls -l` writes them: `rw-rw----`.
    var rights: String {
        let letters = Array("rwxrwxrwx")
        return String(
            letters.indices.map { index in
                mode >> UInt32(8 - index) & 1 == 1 ? letters[index] : "-"
            })
    }
}

extension UInt16 {
    /// The number as udev and the configuration write it.
    var fourHexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
