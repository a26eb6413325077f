import Events
import Foundation
import GRDB
import Testing

@testable import Journal

/// Journals that an earlier keywedge wrote.
@Suite struct FormerSchemaTests {
    private let folder: JournalFolder

    init() throws { folder = try JournalFolder() }

    /// A file of schema 1 or 2 with the events 3…12, of which 1 and 2 were removed, a sink at 5, and in
    /// schema 2 a dead letter.
    private func write(schema: Int) throws {
        let queue = try DatabaseQueue(path: folder.path)
        let tables = Self.firstTables + (schema > 1 ? Self.letterTable : "")
        try queue.write { db in
            try db.execute(sql: JournalSchema.readerTables + tables)
            try db.execute(sql: "PRAGMA application_id = \(JournalSchema.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(schema)")
            var end = (sequence: UInt64(2), hash: [UInt8](repeating: 7, count: 32))
            let removed = end
            for sequence in UInt64(3)...12 {
                end = try Self.insert(
                    JournalEntry(.scan("text \(sequence)", sequence: sequence)), after: end, db)
            }
            try Self.insertState(schema: schema, removed: removed, newest: end, db)
            try CursorRow.set(.sink("mqtt"), to: 5, db)
            if schema > 1 { try Self.insertLetter(db) }
        }
        try queue.close()
    }

    private static func insert(
        _ entry: JournalEntry, after end: (sequence: UInt64, hash: [UInt8]), _ db: Database
    ) throws -> (UInt64, [UInt8]) {
        var hash = RowHash()
        hash.add(end.hash)
        hash.add(end.sequence)
        hash.add(entry)
        try db.execute(
            sql: "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                Int64(entry.sequence), Int64(end.sequence), entry.source, entry.id,
                entry.type.rawValue, entry.time.microsecondsSince1970, entry.line.blob,
                end.hash.blob, hash.value.blob,
            ])
        return (entry.sequence, hash.value)
    }

    private static func insertState(
        schema: Int, removed: (sequence: UInt64, hash: [UInt8]),
        newest: (sequence: UInt64, hash: [UInt8]), _ db: Database
    ) throws {
        var hash = RowHash()
        hash.add(Int64(schema))
        hash.add("abcdefghijkl")
        hash.add(UInt64(12))
        for end in [removed, newest] {
            hash.add(end.sequence)
            hash.add(end.hash)
        }
        try db.execute(
            sql: "INSERT INTO journal VALUES (1, ?, 'abcdefghijkl', 12, ?, ?, ?, ?, ?)",
            arguments: [
                schema, Int64(removed.sequence), removed.hash.blob, Int64(newest.sequence),
                newest.hash.blob, hash.value.blob,
            ])
    }

    private static func insertLetter(_ db: Database) throws {
        let entry = JournalEntry(.scan("text 4", sequence: 4))
        var hash = RowHash()
        hash.add(entry)
        hash.add("mqtt")
        hash.add("no")
        hash.add(Int64(9))
        try db.execute(
            sql: "INSERT INTO dead_letter VALUES (8, 'mqtt', 4, ?, ?, ?, ?, ?, 'no', 9, 1, ?)",
            arguments: [
                entry.source, entry.id, entry.type.rawValue, entry.time.microsecondsSince1970,
                entry.line.blob, hash.value.blob,
            ])
    }

    @Test(arguments: [1, 2]) func anOlderJournalKeepsItsEventsCursorsAndDeadLetters(
        schema: Int
    ) async throws {
        try write(schema: schema)
        try await folder.withJournal(sinks: ["mqtt"]) { journal async throws in
            #expect(journal.epoch.description == "abcdefghijkl")
            #expect(try await journal.texts() == (3...12).map { "text \($0)" })
            #expect(try await journal.commit(texts: ["more"]) == [13])
            let survey = try await journal.survey()
            #expect(survey.events == 11)
            #expect(survey.readers[.sink("mqtt")]?.events == 8)
            let letters = try await journal.deadLetters(of: "mqtt", toBeSent: true, limit: 5)
            #expect(letters.map(\.entry.sequence) == (schema > 1 ? [4] : []))
        }
        var findings: [JournalFinding] = []
        _ = try JournalFile(reading: folder.path).verify { findings.append($0) }
        #expect(findings == [])
    }

    @Test func anOlderJournalIsReadAsItIs() throws {
        try write(schema: 2)
        let file = try JournalFile(reading: folder.path)
        var findings: [JournalFinding] = []
        #expect(try file.verify { findings.append($0) } == 10)
        #expect(findings == [])
        #expect(try file.cursors()[.sink("mqtt")]?.sequence == 5)
        #expect(try file.deadLetterCounts() == ["mqtt": 1])
    }

    @Test func whatIsIntactInADamagedOlderJournalIsTakenOver() async throws {
        try write(schema: 2)
        let queue = try DatabaseQueue(path: folder.path)
        try await queue.write {
            try $0.execute(sql: "UPDATE event SET time = 1 WHERE sequence = 7")
        }
        try queue.close()
        try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["more"])
            #expect(journal.epoch.description != "abcdefghijkl")
            #expect(
                try await journal.texts()
                    == (3...12).filter { $0 != 7 }.map { "text \($0)" } + ["more"])
        }
    }

    private static let firstTables = """
        CREATE TABLE journal (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            schema INTEGER NOT NULL,
            epoch TEXT NOT NULL,
            reserved INTEGER NOT NULL,
            removed INTEGER NOT NULL,
            removed_hash BLOB NOT NULL,
            newest INTEGER NOT NULL,
            newest_hash BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY,
            previous INTEGER NOT NULL,
            source TEXT NOT NULL,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            time INTEGER NOT NULL,
            line BLOB NOT NULL,
            link BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        """
    private static let letterTable = """
        CREATE TABLE dead_letter (
            number INTEGER PRIMARY KEY,
            sink TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            source TEXT NOT NULL,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            time INTEGER NOT NULL,
            line BLOB NOT NULL,
            reason TEXT NOT NULL,
            refused INTEGER NOT NULL,
            again INTEGER NOT NULL DEFAULT 0,
            hash BLOB NOT NULL
        ) STRICT;
        """
}
