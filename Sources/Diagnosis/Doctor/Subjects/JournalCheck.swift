package import Journal
import WireText

/// The journal: there, whole, with room to grow; and how far its readers are.
package struct JournalCheck: DoctorCheck {
    package let subject = DoctorReport.Subject.journal
    private let settings: JournalSettings?
    private let file: String
    private let sinks: Set<String>
    private let isRunning: Bool
    private let now: Int64
    private let user: BoxUser?
    private let files: BoxFiles

    /// `file` is the configuration, to which remedies write settings; `sinks` are the names of the durable
    /// sinks in it; `now` is in seconds since 1970; `user` is the one that the daemon runs as.
    package init(
        _ settings: JournalSettings?, file: String, sinks: Set<String>, isRunning: Bool, now: Int64,
        user: BoxUser?, files: BoxFiles = BoxFiles()
    ) {
        self.settings = settings
        self.file = file
        self.sinks = sinks
        self.isRunning = isRunning
        self.now = now
        self.user = user
        self.files = files
    }

    package func findings() async -> [DoctorReport.Finding] {
        guard let settings else {
            return [finding(.notTried, "nothing in the configuration asks for a journal")]
        }
        return await Bounded.waiting {
            [self.closed(settings), self.room(settings)].compactMap(\.self)
                + self.content(settings)
        }
    }

    private func closed(_ settings: JournalSettings) -> DoctorReport.Finding? {
        let folder = BoxFiles.folder(of: settings.file)
        guard let user else { return nil }
        let obstacle =
            user.obstacle(to: .writing, settings.file, files)
            ?? user.obstacle(to: .writing, folder, files)
        guard let obstacle else { return nil }
        return finding(
            .fails, "the daemon's user \(user.name) may not write to \(obstacle)",
            mend: [.opening(obstacle, for: user, writing: true, files)])
    }

    /// The disk must have room for all that the journal may still grow by.
    private func room(_ settings: JournalSettings) -> DoctorReport.Finding? {
        let folder = BoxFiles.folder(of: settings.file)
        guard let space = files.space(folder) else { return nil }
        let size = ["", "-wal"].compactMap { files.facts(settings.file + $0)?.size }.reduce(0, +)
        let used = UInt64(max(0, size))
        let limit = UInt64(settings.keep.megabytes) << 20
        let free = "\(space.free >> 20) MB free in \(folder)"
        guard limit > used, limit - used > space.free else {
            return finding(
                .holds, "\(free), which is enough for \(settings.keep.megabytes) MB of events")
        }
        let fitting = ((used + space.free) / 2) >> 20
        let text = "\(free), and the journal may grow by \((limit - used) >> 20) MB more"
        var remedies = [
            Remedy(
                "Make room: the largest folders, and the system's log.",
                run: "du -xh --max-depth=2 / | sort -h | tail -n 20",
                "journalctl --vacuum-size=64M")
        ]
        if fitting >= 16 {
            remedies.insert(
                Remedy(
                    "Keep less.", into: file,
                    setting: ["journal:", "  keep: {megabytes: \(fitting)}"],
                    run: ["systemctl restart keywedge"]), at: 0)
        }
        return finding(fitting < 64 ? .fails : .warns, text, mend: remedies)
    }

    private func content(_ settings: JournalSettings) -> [DoctorReport.Finding] {
        do {
            let journal = try OfflineJournal(reading: files.place(settings.file))
            let whole = try whole(journal, settings)
            guard whole.verdict == .holds else { return [whole] }
            let survey = try journal.survey()
            return [whole, letters(survey)].compactMap(\.self) + formerSinks(survey)
        } catch JournalError.missing {
            return [missing(settings)]
        } catch JournalError.formerSchema {
            let text = "an earlier keywedge wrote it: the daemon converts it when it starts"
            return [finding(.notTried, text)]
        } catch let error as JournalError where error.isOfAnother {
            return [foreign(error, settings)]
        } catch {
            if files.text(settings.file) == nil {
                return [finding(.unseen, "this user may not read the journal: \(Remedy.asRoot)")]
            }
            return [damaged("\(error)", [])]
        }
    }

    private func missing(_ settings: JournalSettings) -> DoctorReport.Finding {
        if files.trouble(settings.file) == 13 {
            return finding(
                .unseen, "this user may not look for \(settings.file): \(Remedy.asRoot)")
        }
        guard isRunning else {
            return finding(
                .notTried, "there is no journal at \(settings.file) yet: the daemon makes it")
        }
        return finding(
            .fails, "the daemon runs and there is no journal at \(settings.file)",
            mend: [Remedy("Have it made.", run: "systemctl restart keywedge")])
    }

    /// The file is not a journal of this keywedge, which must not write to it.
    private func foreign(
        _ error: JournalError, _ settings: JournalSettings
    ) -> DoctorReport.Finding {
        let path = settings.file.shellWord
        return finding(
            .fails, "\(error)",
            mend: [
                Remedy(
                    "Put it aside, and a new journal begins.", run: "systemctl stop keywedge",
                    "mv \(path) \(path).old", "systemctl start keywedge")
            ])
    }

    private func whole(
        _ journal: OfflineJournal, _ settings: JournalSettings
    ) throws -> DoctorReport.Finding {
        var wrong: [String] = []
        let count = try journal.verify { found in
            if wrong.count < 5 { wrong.append("\(found)") }
        }
        guard wrong.isEmpty else { return damaged("\(settings.file) is damaged", wrong) }
        let changed = ["", "-wal"].compactMap { files.facts(settings.file + $0)?.changed }.max()
        let age = Duration.seconds(max(0, now - (changed ?? now))).text
        return finding(
            .holds,
            "\(settings.file): \(count.counted("event")), each as it was written, the last write "
                + "\(age) ago")
    }

    private func damaged(_ text: String, _ details: [String]) -> DoctorReport.Finding {
        finding(
            .fails, text, details,
            mend: [
                Remedy(
                    "When it starts, the daemon puts a damaged journal aside and goes on with what "
                        + "can be read of it.", run: "systemctl restart keywedge")
            ])
    }

    /// Events that wait for sinks that are no longer configured.
    private func formerSinks(_ survey: JournalSurvey) -> [DoctorReport.Finding] {
        let former = survey.readers.filter { $0.key.isSink && !sinks.contains($0.key.name) }
        return former.sorted { $0.key.name < $1.key.name }.compactMap { sink, lag in
            guard lag.events > 0 else { return nil }
            let events = Int(lag.events).counted("event waits", "events wait")
            return finding(
                .warns,
                "\(events) for the sink \(sink.name.quoted()), which is no longer configured",
                mend: [
                    Remedy(
                        "Have another sink send them (keywedge journal replay --sink NAME --from "
                            + "\(lag.cursor)), or drop them.",
                        run: "keywedge journal forget \(sink.name.shellWord)")
                ])
        }
    }

    private func letters(_ survey: JournalSurvey) -> DoctorReport.Finding? {
        let counts = survey.deadLetters
        guard !counts.isEmpty else { return nil }
        let sinks = counts.sorted { $0.key < $1.key }.map {
            "\(Escaping.line.escaped($0.key)) (\($0.value))"
        }
        return finding(
            .warns,
            "\(counts.values.reduce(0, +).counted("event")) were refused for good by "
                + sinks.joined(separator: ", "),
            mend: [
                Remedy(
                    "See why (keywedge journal dead list). Once it is mended, send them again.",
                    run: "keywedge journal dead send --all")
            ])
    }
}

extension JournalError {
    /// Whether the file is no journal of this keywedge, or of one before it.
    fileprivate var isOfAnother: Bool {
        switch self {
        case .notAJournal, .newerSchema: true
        default: false
        }
    }
}
