import Events
import Foundation
import Glibc
import TestFolders
import Testing

@testable import Journal

/// Tests crashes between any two of the steps that exchange a damaged journal for a new one.
@Suite struct ReplacementStepTests {
    private let folder: JournalFolder
    private let time = EventTime(microsecondsSince1970: 1_000_000)
    private let texts = (1...20).map { "text \($0)" }

    init() throws { folder = try JournalFolder() }

    /// Returns the files of a killed daemon's journal, whose events are in the log and not in the database.
    private func killed(_ name: String, _ texts: [String]) async throws -> [String: Data] {
        let other = try JournalFolder()
        return try await other.withJournal { journal async throws in
            for text in texts { try await journal.commit(texts: [text]) }
            return try ["", "-wal"].reduce(into: [:]) { files, ending in
                files[name + ending] = try Data(contentsOf: URL(filePath: other.path + ending))
            }
        }
    }

    private func write(_ files: [String: Data]) throws {
        for name in names() { try FileManager.default.removeItem(atPath: folder.folder.path(name)) }
        for (name, data) in files { try data.write(to: URL(filePath: folder.folder.path(name))) }
    }

    private func names() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.folder.path).sorted()) ?? []
    }

    /// Returns the old journal with its log, and a finished new one, which has one more event.
    private func unfinished() async throws -> [String: Data] {
        let old = try await killed("journal.sqlite", texts)
        let new = try JournalFolder()
        try await new.withJournal { _ = try await $0.commit(texts: texts + ["new"]) }
        let data = try Data(contentsOf: URL(filePath: new.path))
        return old.merging(["journal.sqlite.new": data]) { $1 }
    }

    @Test func afterEachStepAStartHasTheOldJournalWithItsLogOrTheNewOne() async throws {
        let files = try await unfinished()
        let exchange = JournalExchange(of: folder.path, at: time)
        let steps = exchange.steps
        for count in 0...steps.count {
            try write(files)
            for step in steps.prefix(count) { try step() }
            let found = try await folder.withJournal { try await $0.texts() }
            #expect(found == (count == 0 ? texts : texts + ["new"]), "after \(count) steps")
            #expect(!names().contains { $0.contains(".next") }, "after \(count) steps: \(names())")
            guard count > 0 else { continue }
            let log = try Data(contentsOf: URL(filePath: exchange.old + "-wal"))
            #expect(log == files["journal.sqlite-wal"], "after \(count) steps")
            #expect(access(exchange.old, F_OK) == 0, "after \(count) steps: \(names())")
        }
    }

    @Test func aReplacementThatWasInterruptedBeforeItCountsIsMadeAnew() async throws {
        var files = try await killed("journal.sqlite", texts)
        var log = try #require(files["journal.sqlite-wal"])
        log[log.count / 2] ^= 1
        files["journal.sqlite-wal"] = log
        files["journal.sqlite.new"] = Data("half".utf8)
        files["journal.sqlite.new-wal"] = Data("a log".utf8)
        try write(files)
        let readable = try await folder.withJournal { journal async throws in
            // The damaged journal is replaced before the first commit.
            try await journal.commit(texts: ["more"])
            return try await journal.texts()
        }
        #expect(readable.count > 1 && readable.dropLast() == texts.prefix(readable.count - 1))
        #expect(JournalExchange.damaged(beside: folder.path).count == 1)
        #expect(!names().contains { $0.contains(".new") })
    }

    @Test func noCommandReadsAJournalWhoseReplacementIsUnfinished() async throws {
        try write(try await unfinished())
        let exchange = JournalExchange(of: folder.path, at: time)
        for step in exchange.steps.prefix(2) { try step() }
        #expect(throws: JournalError.self) { try OfflineJournal(reading: folder.path) }
    }

    @Test(arguments: [
        ([1, 2, 3, 4, 5], [3, 4, 5]),
        // The clock is wrong at the last exchange, so the newest file has the earliest time.
        ([6, 7, 8, 1], [1, 7, 8]),
    ]) func threeDamagedJournalsAreKept(times: [Int], kept: [Int]) throws {
        for time in times {
            for ending in ["", "-wal", ".new"] {
                try Data("x".utf8).write(to: URL(filePath: folder.path + ending))
            }
            let time = EventTime(microsecondsSince1970: Int64(time) * 1_000_000)
            try JournalExchange(of: folder.path, at: time).run()
        }
        let expected = kept.flatMap { time in
            let name = "journal.sqlite.damaged-1970010100000\(time)"
            return [name, name + "-wal"]
        }
        #expect(names() == ["journal.sqlite"] + expected)
    }

    @Test func journalsThatArePutAsideInTheSameSecondAreBothKept() throws {
        for content in ["first", "second"] {
            try Data(content.utf8).write(to: URL(filePath: folder.path))
            try Data("new".utf8).write(to: URL(filePath: folder.path + ".new"))
            try JournalExchange(of: folder.path, at: time).run()
        }
        let contents = try ["", "-2"].map {
            try String(
                contentsOfFile: folder.path + ".damaged-19700101000001" + $0, encoding: .utf8)
        }
        #expect(contents == ["first", "second"])
    }
}
