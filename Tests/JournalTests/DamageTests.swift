import Events
import Foundation
import GRDB
import Glibc
import TestFolders
import TestWaiting
import Testing

@testable import Journal

@Suite(.blocking) struct DamageTests {
    private let folder: JournalFolder

    init() throws { folder = try JournalFolder() }

    /// Writes events 1…100, two cursors at 50 and 100, and a dead letter; returns the journal's epoch.
    private func fill() async throws -> Epoch {
        try await folder.withJournal { journal async throws in
            try await journal.commit(texts: (1...100).map { "text \($0)" })
            let middle = Cursor(epoch: journal.epoch, sequence: 50)
            try await journal.move(.sink("mqtt"), to: middle)
            try await journal.move(.consumer("till"), to: journal.end)
            let page = try await journal.page(after: nil, limit: 1)
            try await journal.addDeadLetter(
                page.entries[0], of: "webhook", reason: "410", at: page.entries[0].time)
            return journal.epoch
        }
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func flip(_ offset: Int, bit: UInt8 = 1) throws {
        let file = try FileHandle(forUpdating: URL(filePath: folder.path))
        try file.seek(toOffset: UInt64(offset))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data([byte ^ bit]))
        try file.close()
    }

    @Test func aChangedEventIsNeverGivenAndTheOthersAreTakenOver() async throws {
        let ended = try await fill()
        try change("UPDATE event SET line = CAST('{}' AS BLOB) WHERE sequence = 40")
        let notices = Notices()
        try await folder.withJournal(tell: { notices.add($0) }) { journal async throws in
            // A check at the start finds the damage, and the journal is replaced before a later commit.
            while notices.replacement == nil { try await journal.commit(texts: ["more"]) }
            #expect(journal.epoch != ended)
            let texts = try await journal.texts()
            #expect(texts.prefix(99) == (1...100).filter { $0 != 40 }.map { "text \($0)" }[...])
            #expect(texts.dropFirst(99).allSatisfy { $0 == "more" })
        }
        let replacement = try #require(notices.replacement)
        #expect(replacement.ended == ended)
        #expect(replacement.reason == "the event 40 has changed")
        #expect(replacement.holes == 1)
        let file = try #require(replacement.file)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test func readersGoOnWhereTheyWereAndAreToldWhatIsMissing() async throws {
        let ended = try await fill()
        try change("UPDATE event SET time = time + 1 WHERE sequence = 60")
        try await folder.withJournal { journal async throws in
            while journal.epoch == ended { try await journal.commit(texts: ["more"]) }
            let cursor = try #require(try await journal.cursor(of: .sink("mqtt")))
            #expect(cursor == Cursor(epoch: journal.epoch, sequence: 50))
            let before = try await journal.page(after: cursor, limit: 20)
            #expect(before.entries.map(\.sequence) == Array(51...59))
            #expect(before.gap == nil)
            let behind = try await journal.page(after: before.next, limit: 20)
            #expect(behind.gap == JournalGap(first: 60, last: 60, reason: .replaced))
            #expect(behind.entries.map(\.sequence) == Array(61...80))
            // A cursor of the epoch that ended still refers to the same event.
            let old = try await journal.page(
                after: Cursor(epoch: ended, sequence: 59), limit: 20)
            #expect(old == behind)
            #expect(try await journal.deadLetters(of: "webhook", limit: 5).count == 1)
            #expect(try await journal.cursor(of: .consumer("till"))?.sequence == 100)
        }
    }

    @Test(arguments: [
        "DELETE FROM event WHERE sequence BETWEEN 20 AND 22",
        "DELETE FROM event WHERE sequence > 90",
        "DELETE FROM event WHERE sequence < 5",
        "UPDATE journal SET reserved = 7", "UPDATE dead_letter SET reason = 'x'",
        "UPDATE journal SET epoch = 'aaaaaaaaaaaa'", "DELETE FROM journal", "DROP TABLE cursor",
        "PRAGMA user_version = 99", "PRAGMA application_id = 7",
        "UPDATE event SET hash = zeroblob(32) WHERE sequence = 3",
    ])
    func whatIsMissingOrChangedIsFound(sql: String) async throws {
        let ended = try await fill()
        try change(sql)
        let notices = Notices()
        try await folder.withJournal(tell: { notices.add($0) }) { journal async throws in
            while notices.replacement == nil { try await journal.commit(texts: ["more"]) }
            let texts = try await journal.texts().filter { $0 != "more" }
            let expected = (1...100).map { "text \($0)" }
            #expect(texts.allSatisfy(expected.contains))
            #expect(texts.count >= 90, "\(notices.all)")
            #expect(try await journal.page(after: nil, limit: 500).entries.last?.text == "more")
        }
        #expect(notices.replacement?.epoch != ended)
    }

    @Test(arguments: [
        "ended INTEGER", "reason TEXT", "last INTEGER", "reserved INTEGER", "clock INTEGER",
    ])
    func aTableThatIsNotAsItWasMadeIsFound(column: String) async throws {
        let ended = try await fill()
        let file = try Data(contentsOf: URL(filePath: folder.path))
        try flip(try #require(file.range(of: Data(column.utf8))).lowerBound)
        let notices = Notices()
        try await folder.withJournal(tell: { notices.add($0) }) { journal async throws in
            #expect(journal.epoch != ended)
        }
        #expect(notices.replacement?.reason == "its tables have changed")
    }

    @Test func aHeaderThatSQLiteDoesNotKnowIsDamage() async throws {
        let ended = try await fill()
        // Changes the schema format number, which is 4 (SQLite's file format, section 1.3.10).
        try flip(47)
        let notices = Notices()
        try await folder.withJournal(tell: { notices.add($0) }) { journal async throws in
            #expect(journal.epoch != ended)
        }
        #expect(notices.replacement?.reason == "unsupported file format")
    }

    @Test func aFileOfSomebodyElseIsLeftAlone() async throws {
        try "precious".write(toFile: folder.path, atomically: true, encoding: .utf8)
        #expect(throws: JournalError.notAJournal(path: folder.path)) {
            try EventJournal(opening: folder.settings)
        }
        #expect(try String(contentsOfFile: folder.path, encoding: .utf8) == "precious")
        try FileManager.default.removeItem(atPath: folder.path)
        try change("CREATE TABLE product (id); CREATE TABLE event (id)")
        let before = try Data(contentsOf: URL(filePath: folder.path))
        #expect(throws: JournalError.notAJournal(path: folder.path)) {
            try EventJournal(opening: folder.settings)
        }
        #expect(try Data(contentsOf: URL(filePath: folder.path)) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.folder.path)
        #expect(names == ["journal.sqlite"])
    }

    @Test func aJournalOfANewerKeywedgeIsRefused() async throws {
        _ = try await fill()
        let newer = JournalSchema.version + 1
        try change("PRAGMA user_version = \(newer); UPDATE journal SET schema = \(newer)")
        #expect(
            throws: JournalError.newerSchema(
                path: folder.path, found: newer, supported: JournalSchema.version)
        ) { try EventJournal(opening: folder.settings) }
    }

    @Test func twoDaemonsCannotWriteToOneJournal() async throws {
        let other = open(folder.path + ".lock", O_RDWR | O_CREAT, 0o600)
        // F_OFD_SETLK of fcntl.h: such a lock also excludes other locks of the same process.
        let setOpenFileLock: Int32 = 37
        var range = flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        try #require(fcntl(other, setOpenFileLock, &range) == 0)
        #expect(throws: JournalError.inUse(path: folder.path)) {
            try EventJournal(opening: folder.settings)
        }
        close(other)
        _ = try await folder.withJournal { $0.epoch }
    }

    @Test func damageThatWasReadInAFileThatIsPutAsideIsNoneOfTheNext() async throws {
        let ended = try await fill()
        try change("UPDATE event SET type = 'x' WHERE sequence = 7")
        let notices = Notices()
        try await folder.withJournal(tell: { notices.add($0) }) { journal async throws in
            while notices.replacement == nil { try await journal.commit(texts: ["more"]) }
            // A check that started before the replacement may report the same damage later.
            journal.writer.change { $0.found(Damage("the event after 6 has changed"), in: ended) }
            try await journal.commit(texts: ["more"])
        }
        #expect(notices.all.count == 1)
    }

    @Test func aFileThatSaysItMustNotBeWrittenToIsReplaced() async throws {
        _ = try await fill()
        try flip(18, bit: 4)
        try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["more"])
            #expect(try await journal.texts() == (1...100).map { "text \($0)" } + ["more"])
        }
    }

    @Test(arguments: [
        "UPDATE cursor SET sequence = 99 WHERE name = 'mqtt'",
        "UPDATE cursor SET sequence = -1 WHERE name = 'mqtt'",
        "UPDATE cursor SET name = 'mqtu' WHERE name = 'mqtt'",
    ])
    func aSinkWhoseCursorHasChangedGetsEverythingAgainFromTheSameJournal(sql: String) async throws {
        let epoch = try await fill()
        try change(sql)
        let notices = Notices()
        try await folder.withJournal(sinks: ["mqtt"], tell: { notices.add($0) }) {
            journal async throws in
            await journal.checked()
            try await journal.commit(texts: ["more"])
            #expect(journal.epoch == epoch)
            #expect(try await journal.cursor(of: .sink("mqtt"))?.sequence == 0)
            #expect(try await journal.cursor(of: .consumer("till"))?.sequence == 100)
        }
        #expect(notices.all == [])
    }

    @Test func aYoungJournalSaysInItsFileThatItIsOne() async throws {
        try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["text"])
            try flip(6)
            _ = try JournalSchema.recognize(folder.path)
            try flip(6)
        }
    }

    @Test func aLockGoesWithItsProcessAndNotWithACopyOfItsDescriptor() async throws {
        // A command that the daemon starts while it is killed has such a copy.
        let copy = try {
            let lock = try JournalMarker(beside: folder.path)
            return withExtendedLifetime(lock) { dup(lock.descriptor) }
        }()
        defer { close(copy) }
        _ = try await folder.withJournal { try await $0.commit(texts: ["text"]) }
    }

    @Test func aPageThatCannotBeReadCostsNoMoreThanWhatItLeadsTo() async throws {
        _ = try await fill()
        // Damages each page after the first in turn, in its header and in its middle.
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: folder.path)[.size] as? Int)
        let whole = try Data(contentsOf: URL(filePath: folder.path))
        for page in 1..<size / 4_096 {
            for place in [0, 3, 8, 2_000] {
                try? FileManager.default.removeItem(atPath: folder.path)
                try whole.write(to: URL(filePath: folder.path))
                try flip(page * 4_096 + place, bit: 0x40)
                try await folder.withJournal { journal async throws in
                    try await journal.commit(texts: ["more"])
                    while (try? await journal.texts()) == nil {
                        try await journal.commit(texts: ["more"])
                    }
                    let texts = try await journal.texts().filter { $0 != "more" }
                    let expected = (1...100).map { "text \($0)" }
                    #expect(texts.allSatisfy(expected.contains), "\(page) \(place)")
                    // Such a page contains rows, and not pointers to other pages.
                    let isLeaf = whole[page * 4_096] == 0x0D
                    #expect(!isLeaf || texts.count >= 80, "\(page) \(place) \(texts.count)")
                }
            }
        }
    }
}
