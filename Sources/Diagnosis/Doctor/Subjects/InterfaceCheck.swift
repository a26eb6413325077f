import EventService
import Glibc
import HTTPCatalog
import HTTPService
import KeywedgeConfiguration
import WireText

/// A check of the HTTP interface: its sockets, its secrets, and browser policies.
struct InterfaceCheck: DoctorCheck {
    let subject = Finding.Subject.interface
    let judgesSettings = true
    let box: Box

    func findings() async -> [Finding] {
        guard let settings = box.configuration.listen else {
            return finding(
                .notTried,
                "the configuration has no listen, so a running daemon cannot report its status",
                mend: Remedy(
                    "Switch it on, so that it answers keywedge status and doctor.", into: file,
                    setting: ["listen: {socket: \(ListenSettings.standardSocket)}"]))
        }
        return socket(settings) + secrets(settings) + troubles + port(settings) + origins(settings)
    }

    private var troubles: [Finding] {
        (status?.listen ?? []).flatMap { place in
            guard let trouble = place.trouble else { return [Finding]() }
            return finding(
                .fails, "the daemon does not listen at \(place.place): \(trouble)",
                mend: trouble.contains("another program does") ? .occupied(place.place) : .trying)
        }
    }

    /// Checks the token and the certificate, unless a running daemon has already read them.
    private func secrets(_ settings: ListenSettings) -> [Finding] {
        guard status == nil else { return [] }
        let paths = [settings.tokenFile, settings.certificateFile, settings.keyFile]
        let obstacles = paths.compactMap(\.self).flatMap { path in
            let token = Remedy(
                "Make one.", run: "head -c 24 /dev/urandom | base64 >\(path.shellWord)")
            return secret(
                .file(path: path), of: "listen",
                missing: path == settings.tokenFile ? token : Remedy("Put the PEM file there."))
        }
        guard obstacles.isEmpty else { return obstacles }
        var placed = settings
        placed.tokenFile = settings.tokenFile.map { files.place($0) }
        placed.certificateFile = settings.certificateFile.map { files.place($0) }
        placed.keyFile = settings.keyFile.map { files.place($0) }
        if let error = ListenTrial.error(in: placed) {
            return finding(.fails, "\(error)", mend: .trying)
        }
        guard let expiry = ListenTrial.expiry(in: placed), expiry <= box.now else { return [] }
        let date = RFC3339.text(expiry * 1_000_000)
        return finding(
            .fails,
            "the certificate \(settings.certificateFile ?? "") expired at \(date): clients refuse it",
            mend: Remedy(
                "Have it renewed, and put the new one there.", run: "systemctl restart keywedge"))
    }

    private func port(_ settings: ListenSettings) -> [Finding] {
        guard let http = settings.http, status == nil, box.unit?.isRunning != true else {
            return []
        }
        if (1..<1024).contains(http.port), let user = box.user, user.number != 0 {
            return finding(
                .fails, "the daemon's user \(user.name) may not listen at \(http)",
                mend: Remedy("Only root may use ports below 1024: write a higher one."))
        }
        guard let error = ListenTrial.error(at: http) else {
            return finding(.holds, "\(http) is free for the daemon")
        }
        return refused(error, "\(http)")
    }

    private func refused(_ error: ListenError, _ place: String) -> [Finding] {
        guard case .system(let call) = error else {
            return finding(.fails, "\(error)", mend: Remedy(for: error))
        }
        if call.isForbidden, geteuid() != 0, !box.isDaemonsUser {
            return unseen("this user may not listen at \(place)")
        }
        // The error names the temporary socket of this check; show the configured path instead.
        return finding(
            .fails, "the daemon cannot listen at \(place): \(call.text)", mend: Remedy(for: error))
    }

    private func socket(_ settings: ListenSettings) -> [Finding] {
        guard let facts = files.facts(settings.socket) else { return missing(settings) }
        guard facts.isSocket else {
            return finding(
                .fails, "\(settings.socket) is not a socket", mend: .otherPath(settings.socket))
        }
        return rights(settings, facts) + answering(settings)
    }

    /// Whether systemd's socket unit creates the configured socket.
    private func isOfTheUnit(_ settings: ListenSettings) -> Bool {
        settings.socket == ListenSettings.standardSocket && box.socketUnit?.isInstalled == true
    }

    private func missing(_ settings: ListenSettings) -> [Finding] {
        if files.isHidden(settings.socket) {
            return unseen("this user may not look for \(settings.socket)")
        }
        guard isOfTheUnit(settings) || box.unit?.isRunning == true else { return made(settings) }
        let restart =
            isOfTheUnit(settings)
            ? "systemctl stop keywedge.service && systemctl enable --now keywedge.socket "
                + "&& systemctl restart keywedge.socket && systemctl start keywedge.service"
            : "systemctl restart keywedge.service"
        return finding(
            .fails, "there is no socket \(settings.socket): no program can connect to it",
            mend: Remedy("Create it.", run: restart))
    }

    private func made(_ settings: ListenSettings) -> [Finding] {
        let path = settings.socket
        let folder = path.folder
        // systemd creates the standard socket's folder when it starts the daemon (RuntimeDirectory=).
        if files.facts(folder) == nil, path == ListenSettings.standardSocket {
            guard box.unit == nil else {
                return finding(.notTried, "there is no \(path): the daemon makes it when it runs")
            }
            return finding(
                .fails, "there is no \(folder), where the daemon makes its socket",
                mend: .mounting(
                    folder, "In a container, mount a folder of user \(user?.name ?? "keywedge")"))
        }
        if let error = ListenTrial.error(beside: files.place(path)) { return refused(error, path) }
        let barred = barred(from: folder, .writing)
        guard barred.isEmpty else { return barred }
        return finding(.holds, "\(path) can be made: the daemon does so when it runs")
    }

    private func rights(_ settings: ListenSettings, _ facts: BoxFiles.Facts) -> [Finding] {
        let (path, shown, isOfTheUnit) = (settings.socket, facts.shown, isOfTheUnit(settings))
        let commands =
            (isOfTheUnit ? ["chgrp keywedge \(path.shellWord)"] : [])
            + ["chmod 660 \(path.shellWord)"]
        if facts.mode & 0o007 != 0 {
            return finding(
                .fails, "\(path) is \(shown): every user of the box reads all scans",
                mend: Remedy(advice: "Give only its group access.", commands: commands))
        }
        let isForeign = isOfTheUnit && BoxUser.groupName(facts.group) != "keywedge"
        guard isForeign || facts.mode & 0o060 != 0o060 else { return [] }
        let advice = "Give its group access; a till's user must be a member of it."
        return finding(
            isOfTheUnit ? .fails : .warns,
            "\(path) is \(shown): the members of the group keywedge cannot use it",
            mend: Remedy(advice: advice, commands: commands))
    }

    private func answering(_ settings: ListenSettings) -> [Finding] {
        switch box.answer {
        case .answers: return finding(.holds, "the daemon answers at \(settings.socket)")
        case .forbidden: return unseen("this user may not use \(settings.socket)")
        case .fails(let reason):
            let remedy = Remedy("Start it anew.", run: "systemctl restart keywedge")
            return finding(box.unit?.isRunning == true ? .fails : .notTried, reason, mend: remedy)
        case nil: return []
        }
    }
}

extension Remedy {
    static let trying = Remedy(
        "Mend what it says. The daemon tries again by itself, or at once after a restart.",
        run: "systemctl restart keywedge")
}
