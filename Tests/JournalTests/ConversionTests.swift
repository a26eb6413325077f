import Foundation
import GRDB
import TestFolders
import Testing

@testable import Journal

/// Tests that journals of earlier versions are converted: both contain the events 2 to 10 without 5, which was lost
/// with a damaged journal, and the one with schema 2 also contains two dead letters.
@Suite struct ConversionTests {
    private let folder: JournalFolder
    private let texts = [
        "two", "three", String(repeating: "long ", count: 2_000), "six", "seven", "eight", "nine",
        "ten",
    ]

    init() throws { folder = try JournalFolder() }

    private func write(schema: Int) throws {
        let files = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files")
        try FileManager.default.copyItem(
            at: files.appending(path: "schema-\(schema).sqlite"), to: URL(filePath: folder.path))
        // The lock file of these versions is empty.
        try Data().write(to: URL(filePath: folder.path + ".lock"))
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test(arguments: [1, 2]) func anOlderJournalKeepsAllThereIs(schema: Int) async throws {
        try write(schema: schema)
        let notices = Notices()
        try await folder.withJournal(sinks: ["mqtt"], tell: notices.add) { journal async throws in
            let epoch = try #require(Epoch("nuvfh1gpdcvs"))
            #expect(journal.epoch == epoch)
            #expect(try await journal.texts() == texts)
            #expect(try await journal.commit(texts: ["more"]) == [11])
            let cursors = try await journal.cursors().mapValues(\.sequence)
            #expect(
                cursors == [
                    .sink("mqtt"): 6, .sink("webhook"): 3, .consumer("till"): 4,
                    .consumer("back office"): 10,
                ])
            let survey = try await journal.survey()
            #expect(survey.events == 9)
            #expect(survey.readers[.sink("mqtt")]?.events == 5)
            let letters = try await journal.deadLetters(of: nil, limit: 5)
            #expect(letters.map(\.entry.sequence) == (schema > 1 ? [2, 3] : []))
            #expect(letters.map(\.isToBeSent) == (schema > 1 ? [false, true] : []))
            // A cursor of the epoch before is still known, and reading after it reports the hole.
            let earlier = Cursor(epoch: try #require(Epoch("ea9rcr914d0d")), sequence: 4)
            let page = try await journal.page(after: earlier, limit: 1)
            #expect(page.gap == JournalGap(first: 5, last: 5, reason: .replaced))
        }
        #expect(notices.all == [])
        #expect(try OfflineJournal(reading: folder.path).verify { Issue.record("\($0)") } == 9)
        #expect(JournalExchange.damaged(beside: folder.path) == [])
    }

    @Test(arguments: [1, 2]) func noCommandReadsAnOlderJournal(schema: Int) throws {
        try write(schema: schema)
        #expect(throws: JournalError.formerSchema(path: folder.path)) {
            try OfflineJournal(reading: folder.path)
        }
    }

    @Test(arguments: [
        "UPDATE event SET time = 1 WHERE sequence = 7", "DELETE FROM event WHERE sequence = 7",
        "UPDATE journal SET reserved = 7", "UPDATE dead_letter SET reason = 'x' WHERE number = 1",
        "UPDATE event SET link = zeroblob(32) WHERE sequence = 7",
    ])
    func whatIsIntactInADamagedOlderJournalIsTakenOver(sql: String) async throws {
        try write(schema: 2)
        try change(sql)
        let notices = Notices()
        try await folder.withJournal(tell: notices.add) { journal async throws in
            try await journal.commit(texts: ["more"])
            #expect(journal.epoch.description != "nuvfh1gpdcvs")
            let expected = sql.contains("sequence = 7") ? texts.filter { $0 != "seven" } : texts
            #expect(try await journal.texts() == expected + ["more"])
            let letters = try await journal.deadLetters(of: nil, limit: 5)
            #expect(letters.map(\.isToBeSent) == (sql.contains("dead") ? [true] : [false, true]))
        }
        #expect(notices.replacement != nil)
    }
}
