import Foundation
import Glibc
import Synchronization
import TestFolders
import TestWaiting
import Testing

@testable import Journal

/// Tests that a journal that is restored from a backup reuses no number assigned after the backup.
@Suite(.blocking, .timeLimit(.minutes(10))) struct RestoredTests {
    private let folder: JournalFolder
    private let backup: String

    init() throws {
        folder = try JournalFolder()
        backup = folder.folder.path("backup")
    }

    /// Shell commands that restore a backup; `$STATE` is the journal's folder, and `$BACKUP` its copy.
    enum Restoring: String, CaseIterable {
        case fileAlone = "cp $BACKUP/journal.sqlite $STATE/journal.sqlite"
        case fileAloneInAnother =
            "rm $STATE/journal.sqlite* && cp $BACKUP/journal.sqlite $STATE/journal.sqlite"
        case folderOverTheOther = "cp -a $BACKUP/. $STATE/"
        case folderAnew = "rm -r $STATE && cp -a $BACKUP $STATE"
        case contentOfEachFile = "for FILE in $BACKUP/*; do cat $FILE >$STATE/${FILE##*/}; done"
        case archive = "rm -r $STATE && mkdir $STATE && tar -C $BACKUP -c . | tar -C $STATE -xp"
        case archiveOverTheOther = "tar -C $BACKUP -c . | tar -C $STATE -xp"
        case movedBack = "rm -r $STATE && mv $BACKUP $STATE"
    }

    private func shell(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", command]
        process.environment = ["STATE": state, "BACKUP": backup, "PATH": "/usr/bin:/bin"]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(command)")
    }

    private var state: String { folder.folder.path("state") }
    private var settings: JournalSettings { JournalSettings(file: state + "/journal.sqlite") }

    /// Runs a journal in the folder `state`; returns the replacements that it reported.
    @discardableResult private func run(
        _ body: (EventJournal) async throws -> Void
    ) async throws -> [JournalReplacement] {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let replacements = Mutex<[JournalReplacement]>([])
        let journal = try EventJournal(opening: settings, sinks: ["mqtt"]) { notice in
            if case .replaced(let one) = notice { replacements.withLock { $0.append(one) } }
        }
        do {
            try await body(journal)
        } catch {
            await journal.close()
            throw error
        }
        await journal.close()
        return replacements.withLock { $0 }
    }

    /// Fills a journal with 1…50, makes a backup, and continues to 61.
    private func fill() async throws -> Epoch {
        try await run { journal in
            try await journal.commit(texts: (1...50).map { "text \($0)" })
            try await journal.move(.sink("mqtt"), to: Cursor(epoch: journal.epoch, sequence: 45))
        }
        try shell("cp -a $STATE $BACKUP")
        var epoch: Epoch?
        try await run { journal in
            try await journal.commit(texts: (51...61).map { "text \($0)" })
            epoch = journal.epoch
        }
        return try #require(epoch)
    }

    @Test(arguments: Restoring.allCases)
    func aNewEpochBeginsAndNoNumberIsGivenAgain(how: Restoring) async throws {
        let ended = try await fill()
        try shell(how.rawValue)
        let reported = try await run { journal in
            #expect(journal.epoch != ended)
            let number = try #require(try await journal.commit(texts: ["new"]).first)
            #expect(number > 61)
            #expect(try await journal.texts() == (1...50).map { "text \($0)" } + ["new"])
            // A sink continues from its position at the time of the backup.
            #expect(
                try await journal.cursor(of: .sink("mqtt"))
                    == Cursor(epoch: journal.epoch, sequence: 45))
            // A client whose cursor is past the backup's end gets the new events, and a gap for the lost ones.
            let page = try await journal.page(
                after: Cursor(epoch: ended, sequence: 55), limit: 10)
            #expect(page.entries.map(\.text) == ["new"])
            #expect(page.gap == JournalGap(first: 56, last: number - 1, reason: .replaced))
        }
        #expect(reported.map(\.file) == [nil])
        #expect(reported.map(\.ended) == [ended])
        #expect(reported.map(\.taken) == [50])
        #expect(try await run { _ in } == [], "it is reported only once")
    }

    @Test func aJournalThatWasKilledAndRestoredIsRecognised() async throws {
        try await run { _ = try await $0.commit(texts: ["one"]) }
        var last: UInt64 = 0
        try await run { journal in
            try await journal.commit(texts: (2...700).map { "text \($0)" })
            // Copies the files while the journal is open; the test restores this copy later.
            try shell("cp -a $STATE $BACKUP")
            let numbers = try await journal.commit(texts: (701...2_000).map { "text \($0)" })
            last = try #require(numbers.last)
            // A kill would leave the files as they are now.
            try shell("cp -a $STATE $BACKUP/killed")
        }
        // Undoes the orderly end. The marker remains the same file, and only its content changes.
        try shell("cp $BACKUP/killed/* $STATE/")
        try shell("cp $BACKUP/journal.sqlite $BACKUP/journal.sqlite-wal $STATE/")
        let reported = try await run { journal in
            let numbers = try await journal.commit(texts: ["new"])
            #expect(numbers.allSatisfy { $0 > last })
        }
        #expect(reported.count == 1)
    }

    @Test(arguments: [
        "chmod -R g+rX $STATE", "touch -d yesterday $STATE/*",
        "mv $STATE $BACKUP; mv $BACKUP $STATE",
        "ln $STATE/journal.sqlite $STATE/other; ln $STATE/journal.sqlite.lock $STATE/third",
        "chown -R $(id -u) $STATE", "cp -a $STATE $BACKUP", "true",
    ])
    func whatAnAdministratorDoesOtherwiseBeginsNoEpoch(command: String) async throws {
        var epoch: Epoch?
        try await run { journal in
            try await journal.commit(texts: ["text"])
            epoch = journal.epoch
        }
        try shell(command)
        let reported = try await run { journal in
            #expect(journal.epoch == epoch)
            let numbers = try await journal.commit(texts: ["more"])
            #expect(numbers == [2])
        }
        #expect(reported == [])
    }

    /// An administrator may run the daemon as root to look for a problem.
    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func whatRootCreatesBelongsToTheOwnerOfTheFolder() async throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try shell("chown 65534:65534 $STATE")
        for text in ["one", "two"] { try await run { _ = try await $0.commit(texts: [text]) } }
        try shell("[ -e $STATE/journal.sqlite.lock ]; [ -z \"$(find $STATE ! -uid 65534)\" ]")
    }

    /// In the second case, the log of a killed daemon is left beside the missing file.
    @Test(arguments: ["true", "cp $BACKUP/killed-wal $STATE/journal.sqlite-wal"])
    func aJournalThatIsGoneBeginsAnewAboveItsNumbers(leavingLog: String) async throws {
        let ended = try await fill()
        try await run { journal in
            for number in 1...3 as ClosedRange<UInt64> {
                try await journal.move(.sink("mqtt"), to: Cursor(epoch: ended, sequence: number))
            }
            try shell("cp $STATE/journal.sqlite-wal $BACKUP/killed-wal")
        }
        try shell("rm $STATE/journal.sqlite; \(leavingLog)")
        let reported = try await run { journal in
            #expect(try await journal.commit(texts: ["new"]) == [62])
            let page = try await journal.page(after: Cursor(epoch: ended, sequence: 10), limit: 10)
            #expect(page.gap == JournalGap(first: 11, last: 61, reason: .replaced))
        }
        #expect(reported.count == 1)
    }

    @Test func aRestoredAndDamagedJournalGivesNoNumberAgain() async throws {
        _ = try await fill()
        try shell("cp $BACKUP/journal.sqlite $STATE/; truncate -s -4096 $STATE/journal.sqlite")
        try await run { journal in
            let numbers = try await journal.commit(texts: ["new"])
            #expect(numbers.allSatisfy { $0 > 61 })
        }
    }

    @Test func aJournalOfAnEarlierKeywedgeHasAnEmptyLock() async throws {
        try await run { _ = try await $0.commit(texts: ["text"]) }
        try shell(": >$STATE/journal.sqlite.lock")
        #expect(try await run { _ in } == [])
    }

    @Test func aReplacementThatNobodyReportedIsReported() async throws {
        var witness = ""
        try await run { journal in
            try await journal.commit(texts: ["one", "two"])
            witness = try String(contentsOfFile: settings.file + ".lock", encoding: .utf8)
        }
        // A crash after the exchange leaves the new epoch in the journal, and the old one in the lock file.
        var store = try JournalDatabase(opening: settings.file)
        let old = store.bounds.epoch
        try store.write { db, bounds in
            bounds.epoch = .new()
            try EpochRow(epoch: old, ended: 2).write(db)
        }
        store.close()
        #expect(witness.hasPrefix("\(old) "))
        let reported = try await run { _ = try await $0.commit(texts: ["three"]) }
        #expect(reported.map(\.ended) == [old])
        #expect(try await run { _ in } == [])
    }

    @Test func twoLocksExcludeEachOtherWhileTheFileIsRenewed() throws {
        let lock = try JournalMarker(beside: folder.path)
        let bounds = JournalBounds(
            epoch: .new(), reserved: 7, moment: JournalClock.Moment(time: 0, wall: 0))
        let renewed = try lock.renewed(for: bounds)
        try renewed.record(bounds.epoch, 1_007)
        // Locks of one process do not exclude each other, so another process tries.
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            """
            import fcntl, sys
            try:
                fcntl.lockf(open(sys.argv[1], "r+"), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                sys.exit(7)
            """, folder.path + ".lock",
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 7)
        renewed.release()
        let next = try JournalMarker(beside: folder.path)
        #expect(next.content?.epoch == bounds.epoch)
        #expect(next.content?.reserved == 1_007)
    }
}
