import Glibc
import Journal
import KeywedgeConfiguration
import WireText

/// A check of the journal: its permissions, free space, integrity and dead letters.
struct JournalCheck: DoctorCheck {
    let subject = Finding.Subject.journal
    let judgesSettings = true
    let box: Box

    func findings() async -> [Finding] {
        guard let settings = box.configuration.journalInUse else {
            return finding(.notTried, "nothing in the configuration asks for a journal")
        }
        return await Bounded.waiting {
            self.closed(settings) + self.room(settings) + self.content(settings)
        }
    }

    private func closed(_ settings: JournalSettings) -> [Finding] {
        let folder = settings.file.folder
        if files.isReadOnly(folder) {
            return finding(
                .fails, "nothing can be written to \(folder): its file system is read-only",
                mend: .mounting(folder, "In a container, mount a folder for it"))
        }
        return [settings.file, settings.file + ".lock", folder].lazy
            .map { barred(from: $0, .writing) }.first { !$0.isEmpty } ?? []
    }

    private func room(_ settings: JournalSettings) -> [Finding] {
        let folder = settings.file.folder
        guard let space = files.space(folder) else { return [] }
        let size = ["", "-wal"].compactMap { files.facts(settings.file + $0)?.size }.reduce(0, +)
        let used = UInt64(max(0, size))
        let limit = UInt64(settings.keep.megabytes) << 20
        let free = "\(space >> 20) MB free in \(folder)"
        guard limit > used, limit - used > space else {
            return finding(
                .holds, "\(free), which is enough for \(settings.keep.megabytes) MB of events")
        }
        let fitting = ((used + space) / 2) >> 20
        let less = Remedy(
            "Keep less.", into: file, setting: ["journal:", "  keep: {megabytes: \(fitting)}"])
        let disk = "\"$(findmnt -no TARGET -T \(folder.shellWord))\""
        return finding(
            fitting < 64 ? .fails : .warns,
            "\(free), and the journal may grow by \((limit - used) >> 20) MB more",
            mend: fitting < 16 ? nil : less,
            Remedy(
                "Free some space: the largest folders, and the system's log.",
                run: "du -xh --max-depth=2 \(disk) | sort -h | tail -n 20",
                "journalctl --vacuum-size=64M"))
    }

    private func content(_ settings: JournalSettings) -> [Finding] {
        do {
            let journal = try OfflineJournal(reading: files.place(settings.file))
            let whole = try whole(journal, settings)
            guard whole.allSatisfy(\.isWell) else { return whole }
            let survey = try journal.survey()
            return whole + letters(survey) + formerSinks(survey)
        } catch JournalError.missing {
            return missing(settings)
        } catch JournalError.formerSchema {
            return finding(
                .notTried, "an earlier keywedge wrote it: the daemon converts it when it starts")
        } catch JournalError.forbidden where geteuid() != 0 {
            return unseen("this user may not read \(settings.file)")
        } catch {
            return finding(.fails, "\(error)", mend: Remedy(for: error))
        }
    }

    private func missing(_ settings: JournalSettings) -> [Finding] {
        if files.isHidden(settings.file) {
            return unseen("this user may not look for \(settings.file)")
        }
        let folder = settings.file.folder
        // systemd creates the standard journal's folder (StateDirectory=).
        let isOfUnit = box.unit != nil && settings.file == JournalSettings().file
        if !isOfUnit, files.facts(folder) == nil {
            return finding(
                .fails, "there is no folder \(folder) for the journal, and the daemon makes none",
                mend: Remedy(
                    "Create it, and give it to the daemon's user.",
                    run: "mkdir -p \(folder.shellWord)",
                    "chown \(user?.name ?? "keywedge") \(folder.shellWord)",
                    "systemctl restart keywedge"))
        }
        guard box.isRunning else {
            return finding(
                .notTried, "there is no journal at \(settings.file) yet: the daemon makes it")
        }
        return finding(
            .fails, "the daemon runs and there is no journal at \(settings.file)",
            mend: Remedy("Create it.", run: "systemctl restart keywedge"))
    }

    private func whole(
        _ journal: OfflineJournal, _ settings: JournalSettings
    ) throws -> [Finding] {
        var wrong: [String] = []
        let count = try journal.verify { found in
            if wrong.count < 5 { wrong.append("\(found)") }
        }
        guard wrong.isEmpty else {
            let damage = JournalError.damaged(path: settings.file, reason: "see below")
            return finding(.fails, "\(settings.file) is damaged", wrong, mend: Remedy(for: damage))
        }
        let changed = ["", "-wal"].compactMap { files.facts(settings.file + $0)?.changed }.max()
        let age = Duration.seconds(max(0, box.now - (changed ?? box.now))).text
        return finding(
            .holds,
            "\(settings.file): \(count.counted("event")), each as it was written, the last write "
                + "\(age) ago")
    }

    private func formerSinks(_ survey: JournalSurvey) -> [Finding] {
        let sinks = Set(box.configuration.events.compactMap(\.durableName))
        let former = survey.readers.filter { $0.key.isSink && !sinks.contains($0.key.name) }
        return former.sorted { $0.key.name < $1.key.name }.flatMap { sink, lag in
            guard lag.events > 0 else { return [Finding]() }
            let events = Int(lag.events).counted("event waits", "events wait")
            return finding(
                .warns,
                "\(events) for the sink \(sink.name.quoted()), which is no longer configured",
                mend: Remedy(
                    "Have another sink send them (keywedge journal replay --sink NAME --from "
                        + "\(lag.cursor)), or drop them.",
                    run: "keywedge journal forget \(sink.name.shellWord)"))
        }
    }

    private func letters(_ survey: JournalSurvey) -> [Finding] {
        let counts = survey.deadLetters
        guard !counts.isEmpty else { return [] }
        let sinks = counts.sorted { $0.key < $1.key }.map {
            "\(Escaping.line.escaped($0.key)) (\($0.value))"
        }
        return finding(
            .warns,
            "\(counts.values.reduce(0, +).counted("event")) were refused for good by "
                + sinks.joined(separator: ", "),
            mend: Remedy(
                "Find the reason (keywedge journal dead list), and send them again once it is fixed.",
                run: "keywedge journal dead send --all"))
    }
}
