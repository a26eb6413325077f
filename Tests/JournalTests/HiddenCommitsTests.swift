import Foundation
import TestFolders
import Testing

@testable import Journal

/// Tests that the journal finds commits that SQLite ignores because a bit of its log has changed.
@Suite struct HiddenCommitsTests {
    private let folder: JournalFolder
    /// The journal of a killed daemon: a copy that was made while the journal was open.
    private let copy: String
    private let log: Data
    /// The size of a page in the log, including its frame header.
    private let frame = 4_096 + 24

    init() async throws {
        folder = try JournalFolder()
        copy = folder.folder.path("copy.sqlite")
        let (path, copy) = (folder.path, copy)
        try await folder.withJournal { journal async throws in
            for text in 1...20 { try await journal.commit(texts: ["text \(text)"]) }
            for companion in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: path + companion, toPath: copy + companion)
            }
        }
        log = try Data(contentsOf: URL(filePath: copy + "-wal"))
    }

    private func hidesCommits(_ log: Data) throws -> Bool {
        try log.write(to: URL(filePath: copy + "-wal"))
        try? FileManager.default.removeItem(atPath: copy + "-shm")
        return try JournalConnection.logHidesCommits(copy)
    }

    @Test func aWholeLogAndOneThatWasCutShortAreRight() throws {
        #expect(try !hidesCommits(log))
        for cut in [0, 10, 32, 40, 32 + frame, log.count - frame, log.count - 1] {
            #expect(try !hidesCommits(log.prefix(cut)))
        }
        // Tears the last commit.
        var torn = log
        torn[log.count - 100] ^= 1
        #expect(try !hidesCommits(torn))
    }

    @Test func aFrameThatWasRightOnceIsDamage() throws {
        for place in [32 + 8, 32 + 16, 32 + 24 + 1_000, 32 + 5 * frame + 30] {
            var changed = log
            changed[place] ^= 0x10
            #expect(try hidesCommits(changed), "\(place)")
        }
        var changed = log
        changed[25] ^= 1
        #expect(try hidesCommits(changed))
    }

    @Test func twoPowerCutsInOneLifeOfTheLogAreNoDamage() async throws {
        // The first cut tears a commit of many frames: all of them except the first are on the disk.
        var torn = try await folder.withJournal { journal async throws in
            for text in 1...5 { try await journal.commit(texts: ["more \(text)"]) }
            try Data(contentsOf: URL(filePath: folder.path)).write(to: URL(filePath: copy))
            let before = try Data(contentsOf: URL(filePath: folder.path + "-wal")).count
            try await journal.commit(texts: [String(repeating: "lost", count: 50_000)])
            var log = try Data(contentsOf: URL(filePath: folder.path + "-wal"))
            log[before + 24 + 100] ^= 1
            return log
        }
        #expect(try !hidesCommits(torn))
        // The second cut tears the first frame of the newest commit.
        let journal = try EventJournal(opening: JournalSettings(file: copy))
        try await journal.commit(texts: ["kept"])
        let before = try Data(contentsOf: URL(filePath: copy + "-wal"))
        try await journal.commit(texts: ["lost"])
        torn = try Data(contentsOf: URL(filePath: copy + "-wal"))
        let database = try Data(contentsOf: URL(filePath: copy))
        await journal.close()
        let start = zip(before, torn).prefix { $0 == $1 }.count
        torn[start + 24 + 100] ^= 1
        try database.write(to: URL(filePath: copy))
        #expect(try !hidesCommits(torn))
        let texts = try await folder.withJournal(JournalSettings(file: copy)) {
            try await $0.texts()
        }
        #expect(texts.suffix(6) == (1...5).map { "more \($0)" } + ["kept"])
    }

    @Test func noNumberThatTheLogHidesIsGivenAgain() async throws {
        var changed = log
        changed[32 + 24 + 1_000] ^= 1
        try changed.write(to: URL(filePath: copy + "-wal"))
        let journal = try EventJournal(opening: JournalSettings(file: copy))
        let number = journal.append(texts: ["more"])[0]
        #expect(number > 1_000_000)
        try await journal.committed(number)
        let start = Cursor(epoch: journal.epoch, sequence: 0)
        let page = try await journal.page(after: start, limit: 100)
        #expect(page.gap?.reason == .replaced)
        #expect(page.entries.last?.text == "more")
        await journal.close()
    }
}
