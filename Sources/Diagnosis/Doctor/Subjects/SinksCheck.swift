import EventService
import Glibc
import KeywedgeConfiguration
import Sinks
import WireText

/// Checks that events can reach each sink: its secrets, its connection, and the daemon's own report.
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
        if let trouble = await box.connect(sink) { return refused(sink, trouble) }
        if let denied = await box.network?.denial(of: sink.hosts, to: name) {
            return finding(.fails, "\(name): \(denied.text)", mend: denied.remedy)
        }
        let trouble = daemonsTrouble(name)
        return (trouble.isEmpty ? works : trouble) + (await tested(sink))
    }

    /// Checks one need of a sink: a secret, a program or the virtual keyboard; returns no finding if the need is met.
    private func obstacle(_ need: SinkNeed, _ name: String) -> [Finding] {
        switch need {
        case .secret(let source): secret(source, of: name)
        case .program(let program): self.program(program, name)
        case .virtualKeyboard: keyboard(name)
        }
    }

    private func refused(_ sink: SinkConfiguration, _ trouble: SinkTrouble) -> [Finding] {
        let remedy = Remedy(
            for: trouble, of: sink, host: sink.hosts.joined(separator: " or "),
            starting: localService(sink), file: file)
        return finding(.fails, "\(sink.name): \(trouble)", mend: remedy)
    }

    /// The command that starts the sink's server on this box; nil if the server runs elsewhere or is not installed.
    private func localService(_ sink: SinkConfiguration) -> String? {
        guard let service = type(of: sink.settings).localService,
            sink.hosts.contains(where: { ["localhost", "127.0.0.1", "::1"].contains($0) }),
            files.facts(service.program) != nil
        else { return nil }
        return "systemctl enable --now \(service.unit)"
    }

    /// Returns a failure if the daemon reports a problem with a sink to which this command can connect.
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
}

extension SinksCheck {
    /// Chooses the remedy for a refused test event by the HTTP status or exit code in the message.
    private func refusal(_ sink: SinkConfiguration, _ trouble: String) -> Remedy {
        if let program = sink.settings.needs.lazy.compactMap(\.command).first {
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
        if files.trouble(program) == EACCES {
            return unseen("\(name): this user may not look for \(program)")
        }
        guard files.facts(program) != nil else {
            return finding(
                .fails, "\(name): its command \(program) is not there",
                mend: Remedy("Install it there, or name another one in the configuration."))
        }
        guard let user, let obstacle = user.obstacle(to: .passing, program, files) else {
            return []
        }
        return finding(
            .fails, "\(name): the daemon's user \(user.name) may not run \(program)",
            mend: Remedy(
                "Allow it.", run: "chmod a+rx \(obstacle.shellWord)", "systemctl restart keywedge"))
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
        guard let user, user.obstacle(to: .writing, node, files) != nil else { return [] }
        return finding(
            .fails, "\(name): the daemon's user \(user.name) may not write to \(node)",
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

extension SinkNeed {
    fileprivate var command: String? {
        if case .program(let program) = self { program } else { nil }
    }
}

extension SinkConfiguration {
    fileprivate var hosts: [String] {
        settings.servers.map(\.host).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
