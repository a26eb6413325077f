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
    private static let policy = "LocalNetworkAccessAllowedForUrls"

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
        guard let http = settings.http, !settings.origins.isEmpty else { return [] }
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
        return browsers.map { policies(in: $0.policies, settings.origins) }
    }

    private func policies(in folder: String, _ origins: [String]) -> DoctorReport.Finding {
        let names = files.names(in: folder).filter { $0.hasSuffix(".json") }
        let set = names.map { "\(folder)/\($0)" }.compactMap { path in
            policy(path).map { (path, $0.object, $0.urls) }
        }
        let allowed = Set(set.flatMap(\.2))
        let isAllowed = { (origin: String) in
            allowed.contains("*") || allowed.contains(origin) || allowed.contains(origin + "/")
        }
        let missing = origins.filter { !isAllowed($0) }
        guard !missing.isEmpty else {
            return finding(.holds, "\(folder) lets \(origins.joined(separator: ", ")) ask this box")
        }
        let text =
            "\(folder) does not let \(missing.joined(separator: ", ")) ask this box: the browser "
            + "asks a person for leave, or refuses"
        // Of two files that set a policy one counts: it is added to the one that sets it.
        let (path, object, urls) = set.last ?? ("\(folder)/keywedge.json", JSONObject(), [])
        var changed = object
        changed.append(Self.policy, .lines(urls + missing))
        let advice = "Allow it, and start the browser anew; its page chrome://policy shows it."
        return finding(
            .fails, text,
            mend: [Remedy(advice, file: path, containing: Self.lines(changed), run: [])])
    }

    /// A file with the policy in it, and the pages it names.
    private func policy(_ path: String) -> (object: JSONObject, urls: [String])? {
        guard let text = files.text(path),
            let object = try? JSONReader.read(Array(text.utf8)).object,
            let urls = object[Self.policy]?.array
        else { return nil }
        return (object, urls.compactMap(\.string))
    }

    private static func lines(_ object: JSONObject) -> [String] {
        JSONWriter.indentedText(of: .object(object)).split(separator: "\n").map(String.init)
    }
}
