import EventService
import Glibc
import KeywedgeConfiguration
import Sinks
import WebAPI
import WireText

/// A check of each sink: its secrets, a trial connection, and its state in the daemon.
struct SinksCheck: DoctorCheck {
    let subject = Finding.Subject.sinks
    let judgesSettings = true
    let box: Box

    func findings() async -> [Finding] {
        var findings: [Finding] = []
        for sink in box.configuration.events { findings += await look(at: sink) }
        return findings.isEmpty ? finding(.notTried, "no sink is configured") : findings
    }

    private func look(at sink: SinkConfiguration) async -> [Finding] {
        let name = sink.name
        let obstacles = sink.settings.needs.flatMap { obstacle($0, name) }
        guard obstacles.isEmpty else { return obstacles }
        let works = finding(.holds, "\(name): \(sink.settings.connected)")
        guard sink.durableName != nil else { return works }
        if let trouble = await box.connect(sink) {
            return finding(.fails, "\(name): \(trouble)", mend: remedy(for: trouble, of: sink))
        }
        let network = box.unit.map { UnitNetwork($0, files: files) }
        if let denied = await network?.denial(of: sink.hosts, to: name) {
            return finding(.fails, "\(name): \(denied.text)", mend: denied.remedy)
        }
        let trouble = daemonsTrouble(name)
        return (trouble.isEmpty ? works : trouble) + (await tested(sink))
    }

    private func obstacle(_ need: SinkNeed, _ name: String) -> [Finding] {
        switch need {
        case .secret(let source): secret(source, of: name)
        case .program(let program): self.program(program, name)
        case .virtualKeyboard: keyboard(name)
        }
    }

    /// Returns the command that starts the sink's server on this computer; nil if no such server is found.
    private func localService(_ sink: SinkConfiguration) -> String? {
        guard let service = type(of: sink.settings).localService,
            sink.hosts.contains(where: { ["localhost", "127.0.0.1", "::1"].contains($0) }),
            files.facts(service.program) != nil
        else { return nil }
        return "systemctl enable --now \(service.unit)"
    }

    private func daemonsTrouble(_ name: String) -> [Finding] {
        guard let sink = status?.sinks.first(where: { $0.name == name }),
            let message = sink.trouble?.message
        else { return [] }
        return finding(
            .fails, "\(name): a connection is made here, but the daemon says: \(message)",
            ["it is \((sink.lagEvents ?? 0).counted("event")) behind"],
            mend: .trying)
    }

    private func tested(_ sink: SinkConfiguration) async -> [Finding] {
        let name = sink.name
        guard box.sendsTestEvent else {
            return finding(
                .notTried, "\(name): --send-test-event tries whether it accepts an event")
        }
        guard let trouble = await box.sendTest(sink) else {
            return finding(.holds, "\(name): it accepted an event of the type keywedge.test")
        }
        return finding(
            .fails, "\(name): it does not accept an event of the type keywedge.test: \(trouble)",
            mend: refusal(sink, trouble))
    }

    /// Returns the remedy for a refused test event, chosen by the HTTP status or exit code in `trouble`.
    private func refusal(_ sink: SinkConfiguration, _ trouble: String) -> Remedy {
        for case .program(let program) in sink.settings.needs {
            if trouble.contains("cannot be run") { return .starting(program) }
            guard trouble.contains("ended with 65") else {
                return Remedy(
                    "The command itself fails: run it as the daemon's user, with an event on its standard "
                        + "input, and see what it says.")
            }
        }
        let status = trouble.firstMatch(of: /status ([0-9]{3})/).flatMap { Int($0.1) } ?? 0
        return switch status {
        case 401, 403:
            Remedy(
                "The server does not accept the signature: write the secret that it has into the file that "
                    + "secret_file names.")
        case 404, 405, 410: Remedy("The server has nothing at this address: correct url.")
        case 300..<400:
            Remedy(
                "The server redirects, and a webhook follows no redirect: write the final address into url.",
                run: "curl -sSI \((sink.settings.servers.first?.url ?? "URL").shellWord)")
        case 0 where trouble.contains("has not answered"), 408, 429, 500...:
            Remedy("The server has trouble of its own: see its log. Events wait in the journal.")
        default:
            Remedy(
                "A receiver has to accept every type of event, even one that it does not know "
                    + "(docs/events.md).")
        }
    }

    private func program(_ program: String, _ name: String) -> [Finding] {
        if !program.contains("/"), !isInPath(program) {
            return finding(
                .fails, "\(name): no command \(program.quoted(upTo: .max)) is in PATH",
                mend: Remedy("Install it, or write its path into the configuration."))
        }
        guard program.hasPrefix("/") else { return [] }
        guard files.facts(program) != nil else {
            return files.isHidden(program)
                ? unseen("\(name): this user may not look for \(program)")
                : finding(
                    .fails, "\(name): its command \(program) is not there",
                    mend: Remedy("Install it there, or name another one in the configuration."))
        }
        return barred(from: program, .passing, of: name)
    }

    /// Whether a program is in this process's PATH, or in a folder that systemd units search by default.
    private func isInPath(_ program: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/local/bin", "/usr/bin"]
        return folders.contains { files.facts("\($0)/\(program)") != nil }
    }

    private func keyboard(_ name: String) -> [Finding] {
        let node = "/dev/uinput"
        guard files.facts(node) != nil else {
            return finding(
                .fails, "\(name): there is no \(node)",
                mend: Remedy("Load the module.", run: "modprobe uinput"))
        }
        return barred(
            from: node, .writing, of: name,
            mend: Remedy(
                "Give it access to the node; a program with that access can type anything (docs/sinks.md).",
                file: "/etc/udev/rules.d/72-keywedge-keyboard.rules",
                containing: [
                    "KERNEL==\"uinput\", GROUP=\"keywedge\", MODE=\"0660\","
                        + " OPTIONS+=\"static_node=uinput\""
                ],
                run: [
                    "udevadm control --reload", "modprobe uinput",
                    "udevadm trigger --name-match=uinput", "systemctl restart keywedge",
                ]))
    }
}

extension SinkConfiguration {
    fileprivate var hosts: [String] {
        settings.servers.map(\.host).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension SinksCheck {
    private func remedy(for trouble: SinkTrouble, of sink: SinkConfiguration) -> Remedy {
        let host = sink.hosts.joined(separator: " or ")
        let hasUser = sink.settings.needs.count > sink.settings.tls.files.count
        switch trouble.cause {
        case .credentials where !hasUser:
            return Remedy(
                "\(host) runs, and wants a user and a password: write them into files, and name these.",
                into: file,
                setting: [
                    "events:", "  - mqtt:", "      user_file: /etc/keywedge/mqtt-user",
                    "      password_file: /etc/keywedge/mqtt-password",
                ])
        case .content:
            return Remedy(
                "Write what is expected into the file. The daemon reads it again on its own, or at once "
                    + "after a restart.", run: "systemctl restart keywedge")
        case .credentials:
            return Remedy(
                "\(host) runs, and knows another user or password: write its own into the files that "
                    + "user_file and password_file name, or let it know these (mosquitto_passwd), "
                    + "with the right to publish.")
        case .refusal where trouble.description.contains("before it answered"):
            return Remedy(
                "Perhaps the port is for TLS: write mqtts:// in place of mqtt:// (port 8883), or the port "
                    + "without TLS (1883). With mqtts://, the broker may want a certificate_file.")
        case .refusal where trouble.description.contains("has not answered"):
            return Remedy(
                "\(host) accepts the connection, but says nothing: check that a broker listens at "
                    + "that port, and whether it is for TLS (mqtts://).")
        case .refusal:
            return Remedy(
                "\(host) can be reached, but refuses the connection for the reason that it names: fix it "
                    + "there, or in the sink's settings.")
        case .connection(let error):
            let starting = error.kind == .refused ? localService(sink) : nil
            return starting.map { Remedy("Start it.", run: $0) }
                ?? .connecting(to: host, error.kind)
        }
    }
}
