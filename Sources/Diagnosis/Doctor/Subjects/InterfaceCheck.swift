package import EventService
import HTTPService
import WireText

/// The daemon's interface: its socket, and the pages that may use it.
package struct InterfaceCheck: DoctorCheck {
    /// Whether the daemon answers.
    package enum Answer: Equatable, Sendable {
        case answers
        /// It does not: why.
        case fails(String)
    }

    package let subject = DoctorReport.Subject.interface
    private let settings: ListenSettings?
    private let file: String
    private let answer: Answer?
    private let unit: UnitState?
    private let socketUnit: UnitState?
    private let files: BoxFiles

    /// Where browsers look for policies, and what tells that the browser is there.
    private static let browsers = [
        (policies: "/etc/chromium/policies/managed", programs: ["/usr/bin/chromium"]),
        (
            policies: "/etc/opt/chrome/policies/managed",
            programs: ["/opt/google/chrome/chrome", "/usr/bin/google-chrome"]
        ),
    ]
    /// The policies that let a page ask this box: that of all versions, and one of newer ones.
    private static let policies = [
        "LocalNetworkAccessAllowedForUrls", "LoopbackNetworkAllowedForUrls",
    ]

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - settings: Where the interface is; nil for none.
    ///   - file: The configuration, for what is to be written.
    ///   - answer: Whether the daemon answers; nil where it was not asked.
    ///   - unit: What systemd says of the daemon.
    ///   - socketUnit: What it says of its socket.
    ///   - files: The box's files.
    package init(
        _ settings: ListenSettings?, file: String, answer: Answer?, unit: UnitState?,
        socketUnit: UnitState?, files: BoxFiles = BoxFiles()
    ) {
        self.settings = settings
        self.file = file
        self.answer = answer
        self.unit = unit
        self.socketUnit = socketUnit
        self.files = files
    }

    package func findings() async -> [DoctorReport.Finding] {
        guard let settings else {
            return [
                finding(
                    .notTried,
                    "the configuration has no listen: nobody can ask a running daemon how it is",
                    mend: [
                        Remedy(
                            "To have it answer keywedge status and doctor, switch it on.",
                            into: file,
                            setting: ["listen: {socket: \(ListenSettings.standardSocket)}"],
                            run: ["systemctl restart keywedge"])
                    ])
            ]
        }
        return socket(settings) + origins(settings)
    }

    private func socket(_ settings: ListenSettings) -> [DoctorReport.Finding] {
        guard let facts = files.facts(settings.socket) else { return [missing(settings)] }
        guard facts.isSocket else {
            return [
                finding(
                    .fails, "\(settings.socket) is no socket",
                    mend: [
                        Remedy(
                            "Take it out of the way.",
                            run: "mv \(settings.socket.shellWord) "
                                + "\(settings.socket.shellWord).old", starting(settings))
                    ])
            ]
        }
        return [rights(settings, facts), answering(settings)].compactMap(\.self)
    }

    /// The unit that makes the socket makes this one.
    private func isOfTheUnit(_ settings: ListenSettings) -> Bool {
        settings.socket == ListenSettings.standardSocket && socketUnit?.isInstalled == true
    }

    private func starting(_ settings: ListenSettings) -> String {
        isOfTheUnit(settings)
            ? "systemctl stop keywedge.service && systemctl enable --now keywedge.socket "
                + "&& systemctl restart keywedge.socket && systemctl start keywedge.service"
            : "systemctl restart keywedge.service"
    }

    private func missing(_ settings: ListenSettings) -> DoctorReport.Finding {
        if files.trouble(settings.socket) == 13 {
            return finding(
                .unseen, "this user may not look for \(settings.socket): \(Remedy.asRoot)")
        }
        guard isOfTheUnit(settings) || unit?.isRunning == true else {
            return finding(
                .notTried, "there is no \(settings.socket): the daemon makes it when it runs")
        }
        return finding(
            .fails, "there is no socket \(settings.socket): no program gets an event",
            mend: [Remedy("Have it made.", run: starting(settings))])
    }

    /// Whoever may open the socket reads all scans; and nobody does where its user may not.
    private func rights(
        _ settings: ListenSettings, _ facts: BoxFiles.Facts
    ) -> DoctorReport.Finding? {
        let path = settings.socket
        let shown =
            "\(facts.rights), \(BoxUser.userName(facts.user)):\(BoxUser.groupName(facts.group))"
        let group = isOfTheUnit(settings) ? "chgrp keywedge \(path.shellWord)" : nil
        let remedy = { (advice: String) in
            var remedy = Remedy(advice)
            remedy.commands = [group, "chmod 660 \(path.shellWord)"].compactMap(\.self)
            return remedy
        }
        if facts.mode & 0o007 != 0 {
            return finding(
                .fails, "\(path) is \(shown): every user of the box reads all scans",
                mend: [remedy("Let its group alone have it.")])
        }
        let isClosed = facts.mode & 0o060 != 0o060
        let isForeign = isOfTheUnit(settings) && BoxUser.groupName(facts.group) != "keywedge"
        guard isClosed || isForeign else { return nil }
        return finding(
            isOfTheUnit(settings) ? .fails : .warns,
            "\(path) is \(shown): the members of the group keywedge cannot use it",
            mend: [remedy("Let its group have it; a till's user has to be a member of it.")])
    }

    private func answering(_ settings: ListenSettings) -> DoctorReport.Finding? {
        switch answer {
        case .answers: return finding(.holds, "the daemon answers at \(settings.socket)")
        case .fails(let reason) where reason.contains("(errno 13)"):
            return finding(.unseen, "this user may not use \(settings.socket): \(Remedy.asRoot)")
        case .fails(let reason):
            let text = "the daemon does not answer at \(settings.socket): \(reason)"
            let remedy = Remedy("Start it anew.", run: "systemctl restart keywedge")
            return finding(unit?.isRunning == true ? .fails : .notTried, text, mend: [remedy])
        case nil: return nil
        }
    }
}

extension InterfaceCheck {
    /// A page on the internet asks this box only where the browser's policy lets it.
    private func origins(_ settings: ListenSettings) -> [DoctorReport.Finding] {
        // A page that the box itself serves needs nobody's leave.
        let origins = settings.origins.filter { !Self.isOfThisBox($0) }
        guard let http = settings.http, !origins.isEmpty else { return [] }
        let browsers = Self.browsers.filter { browser in
            ([browser.policies] + browser.programs).contains { files.facts($0) != nil }
        }
        guard !browsers.isEmpty else {
            return [
                finding(
                    .notTried,
                    "no Chromium is installed here: its policy for pages that ask "
                        + "\(http) was not looked at")
            ]
        }
        return browsers.map { policies(in: $0.policies, origins) }
    }

    private func policies(in folder: String, _ origins: [String]) -> DoctorReport.Finding {
        let names = files.names(in: folder).filter { $0.hasSuffix(".json") }
        let set = Self.policies.flatMap { policy in
            names.compactMap { setting(policy, in: "\(folder)/\($0)") }
        }
        let patterns = set.flatMap(\.urls)
        let missing = origins.filter { origin in
            !patterns.contains { Self.matches($0, origin) }
        }
        guard !missing.isEmpty else {
            return finding(.holds, "\(folder) lets \(origins.joined(separator: ", ")) ask this box")
        }
        let text =
            "\(folder) does not let \(missing.joined(separator: ", ")) ask this box: the browser "
            + "asks a person for leave, or refuses"
        // Of two files that set a policy one counts: it is added to the one that sets it.
        var there =
            set.first
            ?? Setting(
                policy: Self.policies[0], file: "\(folder)/keywedge.json", object: JSONObject(),
                urls: [])
        there.object.append(there.policy, .lines(there.urls + missing))
        let advice = "Allow it, and start the browser anew; its page chrome://policy shows it."
        return finding(
            .fails, text,
            mend: [Remedy(advice, file: there.file, containing: Self.lines(there.object), run: [])])
    }

    /// A file that sets a policy, and the pages it names.
    private struct Setting {
        var policy: String
        var file: String
        var object: JSONObject
        var urls: [String]
    }

    private func setting(_ policy: String, in path: String) -> Setting? {
        guard let text = files.text(path),
            let object = try? JSONReader.read(Array(text.utf8)).object,
            let urls = object[policy]?.array
        else { return nil }
        return Setting(
            policy: policy, file: path, object: object, urls: urls.compactMap(\.string))
    }

    /// Whether a pattern of a policy stands for an origin: all, the origin, its host, or a domain.
    ///
    /// Rule: Chromium's URL patterns of enterprise policies, without their ports and paths.
    static func matches(_ pattern: String, _ origin: String) -> Bool {
        let bare = pattern.hasSuffix("/") ? String(pattern.dropLast()) : pattern
        guard bare != "*", bare != origin, let scheme = origin.firstRange(of: "://") else {
            return true
        }
        let host = origin[scheme.upperBound...].prefix { $0 != ":" }
        let parts = bare.firstRange(of: "://").map {
            (bare[..<$0.lowerBound], bare[$0.upperBound...])
        }
        if let parts, parts.0 != origin[..<scheme.lowerBound] { return false }
        let wanted = parts?.1 ?? bare[...]
        guard wanted.hasPrefix("[*.]") else { return wanted == host || wanted == "*" }
        let domain = wanted.dropFirst(4)
        return host == domain || host.hasSuffix(".\(domain)")
    }

    private static func isOfThisBox(_ origin: String) -> Bool {
        ["127.0.0.1", "localhost", "[::1]"].contains { host in
            matches(host, origin)
        }
    }

    private static func lines(_ object: JSONObject) -> [String] {
        JSONWriter.indentedText(of: .object(object)).split(separator: "\n").map(String.init)
    }
}
