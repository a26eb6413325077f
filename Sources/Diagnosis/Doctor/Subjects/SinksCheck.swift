import HTTPCatalog
package import KeywedgeConfiguration
import Sinks
import WebAPI
package import WireText

/// Tries a sink beside the daemon.
package protocol SinkTester: Sendable {
    /// Connects; returns why that fails.
    func connect(_ sink: SinkConfiguration) async -> String?

    /// Gives it an event that is marked as a test; returns why the sink does not accept it.
    func send(_ sink: SinkConfiguration) async -> String?
}

/// Whether events can go to each sink: its secrets, its connection, and the daemon's own report.
package struct SinksCheck: DoctorCheck {
    package let subject = DoctorReport.Subject.sinks
    private let sinks: [SinkConfiguration]
    private let status: JSONObject?
    private let tester: any SinkTester
    private let sendsTestEvent: Bool
    private let user: BoxUser?
    private let network: UnitNetwork?
    private let files: BoxFiles

    /// `status` is the daemon's, if it was asked; `user` is the one that the daemon runs as; without
    /// `network`, the unit's rules are not examined.
    package init(
        _ sinks: [SinkConfiguration], status: JSONObject?, tester: any SinkTester,
        sendsTestEvent: Bool, user: BoxUser?, network: UnitNetwork? = UnitNetwork(),
        files: BoxFiles = BoxFiles()
    ) {
        self.sinks = sinks
        self.status = status
        self.tester = tester
        self.sendsTestEvent = sendsTestEvent
        self.user = user
        self.network = network
        self.files = files
    }

    package func findings() async -> [DoctorReport.Finding] {
        var findings: [DoctorReport.Finding] = []
        for sink in sinks { findings += await look(at: sink) }
        return findings.isEmpty ? [finding(.notTried, "events go nowhere")] : findings
    }

    private func look(at sink: SinkConfiguration) async -> [DoctorReport.Finding] {
        if case .keyboard = sink { return [keyboard] }
        guard let name = sink.durableName else {
            return [finding(.holds, "stdout: nothing to try")]
        }
        let secrets = sink.secretFiles.compactMap { secret($0, of: name) }
        guard secrets.isEmpty else { return secrets }
        if let path = sink.secretFiles.first(where: { files.text($0) == nil }) {
            return [
                finding(.unseen, "\(name): this user may not read \(path): \(Remedy.asRoot)")
            ]
        }
        if case .exec(let exec) = sink, let broken = command(exec.settings.command, name) {
            return [broken]
        }
        if let trouble = await tester.connect(sink) {
            return [refused(sink, name, trouble)]
        }
        let denied = await unreachable(sink, name)
        guard denied == nil else { return [denied].compactMap(\.self) }
        return [daemonsTrouble(name) ?? finding(.holds, "\(name): \(sink.connected)")]
            + [await tested(sink, name)].compactMap(\.self)
    }

    private func refused(
        _ sink: SinkConfiguration, _ name: String, _ trouble: String
    ) -> DoctorReport.Finding {
        let hosts = sink.hosts.joined(separator: " or ")
        let server = hosts.isEmpty ? "the server" : hosts
        var remedy = Remedy(
            "See that \(server) runs and lets this box in; events wait in the journal until it does."
        )
        if let local = localService(sink) { remedy = Remedy("Start it.", run: local) }
        return finding(.fails, "\(name): \(trouble)", mend: [remedy])
    }

    /// The command that starts a broker on this box; nil for a broker elsewhere.
    private func localService(_ sink: SinkConfiguration) -> String? {
        guard case .mqtt(let mqtt) = sink,
            mqtt.settings.addresses.contains(where: {
                ["localhost", "127.0.0.1", "::1"].contains($0.host)
            }),
            files.facts("/usr/sbin/mosquitto") != nil
        else { return nil }
        return "systemctl enable --now mosquitto"
    }

    /// The daemon's trouble with a sink that this program reaches.
    private func daemonsTrouble(_ name: String) -> DoctorReport.Finding? {
        let sinks = status?["sinks"]?.array?.compactMap(\.object) ?? []
        guard let sink = sinks.first(where: { $0["name"]?.string == name }),
            let message = sink["trouble"]?.object?["message"]?.string
        else { return nil }
        return finding(
            .fails, "\(name): a connection is made here, but the daemon says: \(message)",
            ["it is \(sink.count("lag_events").counted("event")) behind"],
            mend: [
                Remedy(
                    "Mend what it says. The daemon tries again by itself, or at once after a restart.",
                    run: "systemctl restart keywedge")
            ])
    }

    private func tested(_ sink: SinkConfiguration, _ name: String) async -> DoctorReport.Finding? {
        if case .stdout = sink { return nil }
        guard sendsTestEvent else {
            return finding(
                .notTried, "\(name): whether it takes an event is tried with --send-test-event")
        }
        guard let trouble = await tester.send(sink) else {
            return finding(.holds, "\(name): it accepted an event of the type keywedge.test")
        }
        return finding(
            .fails, "\(name): it does not accept an event of the type keywedge.test: \(trouble)",
            mend: [
                Remedy(
                    "A receiver has to accept every type of event, even one that it does not know "
                        + "(docs/events.md).")
            ])
    }
}

extension SinksCheck {
    private func secret(_ path: String, of name: String) -> DoctorReport.Finding? {
        guard files.facts(path) != nil else {
            if files.trouble(path) == 13 {
                return finding(.unseen, "\(name): this user may not look for \(path)")
            }
            return finding(
                .fails, "\(name): its file \(path) is not there",
                mend: [Remedy("Write the secret that the other side has into \(path).")])
        }
        guard let user, let obstacle = user.obstacle(to: .reading, path, files) else { return nil }
        return finding(
            .fails, "\(name): the daemon's user \(user.name) may not read \(path)",
            mend: [.opening(obstacle, for: user, files)])
    }

    private func command(_ command: [String], _ name: String) -> DoctorReport.Finding? {
        guard let program = command.first, program.hasPrefix("/") else { return nil }
        guard files.facts(program) != nil else {
            return finding(
                .fails, "\(name): its command \(program) is not there",
                mend: [Remedy("Put it there, or write another one into the configuration.")])
        }
        guard let user, let obstacle = user.obstacle(to: .passing, program, files) else {
            return nil
        }
        return finding(
            .fails, "\(name): the daemon's user \(user.name) may not run \(program)",
            mend: [
                Remedy(
                    "Let it.", run: "chmod a+rx \(obstacle.shellWord)",
                    "systemctl restart keywedge")
            ])
    }

    private var keyboard: DoctorReport.Finding {
        let node = "/dev/uinput"
        guard files.facts(node) != nil else {
            return finding(
                .fails, "keyboard: there is no \(node)",
                mend: [Remedy("Load the module.", run: "modprobe uinput")])
        }
        guard let user, user.obstacle(to: .writing, node, files) != nil else {
            return finding(.holds, "keyboard: \(node) is there")
        }
        return finding(
            .fails, "keyboard: the daemon's user \(user.name) may not write to \(node)",
            mend: [
                Remedy(
                    "Give it the node; what may do that can type anything (docs/sinks.md).",
                    file: "/etc/udev/rules.d/72-keywedge-keyboard.rules",
                    containing: [
                        "KERNEL==\"uinput\", GROUP=\"keywedge\", MODE=\"0660\","
                            + " OPTIONS+=\"static_node=uinput\""
                    ],
                    run: [
                        "udevadm control --reload", "udevadm trigger --name-match=uinput",
                        "systemctl restart keywedge",
                    ])
            ])
    }

    /// The addresses that this command reaches, and that the unit denies to the daemon.
    private func unreachable(
        _ sink: SinkConfiguration, _ name: String
    ) async -> DoctorReport.Finding? {
        guard let network, !sink.hosts.isEmpty else { return nil }
        let (servers, nameServers) = await network.denied(sink.hosts)
        let denied = servers + nameServers.filter { !servers.contains($0) }
        guard !denied.isEmpty else { return nil }
        return finding(
            .fails,
            "\(name): \(UnitNetwork.unit) keeps the daemon from \(denied.joined(separator: ", "))"
                + " (IPAddressDeny=), which this command reaches",
            mend: [
                Remedy(
                    "Allow it.",
                    file: "/etc/systemd/system/\(UnitNetwork.unit).d/\(name).conf",
                    containing: ["[Service]", "IPAddressAllow=\(denied.joined(separator: " "))"],
                    run: ["systemctl daemon-reload", "systemctl restart keywedge"])
            ])
    }
}

extension SinkConfiguration {
    /// The files with secrets that the daemon has to read.
    fileprivate var secretFiles: [String] {
        let sources: [SecretSource?] =
            switch self {
            case .mqtt(let mqtt):
                [mqtt.user, mqtt.password, mqtt.authority, mqtt.certificate, mqtt.key]
            case .webhook(let webhook): webhook.secrets + webhook.tls.files
            case .exec, .stdout, .keyboard: []
            }
        return sources.compactMap { source in
            if case .file(let path)? = source { path } else { nil }
        }
    }

    /// The hosts that it sends to, each once.
    fileprivate var hosts: [String] {
        switch self {
        case .mqtt(let mqtt):
            mqtt.settings.addresses.map(\.host).reduce(into: []) { hosts, host in
                if !hosts.contains(host) { hosts.append(host) }
            }
        case .webhook(let webhook):
            [(try? Location(webhook.url))?.address.origin.host].compactMap(\.self)
        case .exec, .stdout, .keyboard: []
        }
    }

    /// The success, in words.
    fileprivate var connected: String {
        switch self {
        case .mqtt(let mqtt):
            "the broker lets us in: "
                + mqtt.settings.addresses.map(\.description).joined(separator: ", ")
        case .webhook: "\(hosts.first ?? "the server") is reached"
        case .exec: "its command is there"
        case .stdout, .keyboard: "nothing to try"
        }
    }
}
