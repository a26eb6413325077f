import Testing

@testable import Journal

/// Tests that every way to set a cursor refuses one past the journal's end.
@Suite struct CursorBoundTests {
    private let folder: JournalFolder

    init() throws { folder = try JournalFolder() }

    private static let ahead: [UInt64] = [4, 9_000, UInt64(Int64.max), .max]

    @Test(arguments: ahead) func theDaemonRefusesACursorAheadOfTheEnd(sequence: UInt64) async throws
    {
        try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["a", "b", "c"])
            let cursor = Cursor(epoch: journal.epoch, sequence: sequence)
            for reader in [JournalReader.sink("erp"), .consumer("till")] {
                await #expect(throws: JournalError.cursorAhead(cursor, end: journal.end)) {
                    try await journal.move(reader, to: cursor)
                }
                #expect(try await journal.cursor(of: reader) == nil)
            }
        }
    }

    @Test(arguments: ahead) func aFileRefusesACursorAheadOfTheEnd(sequence: UInt64) async throws {
        let end = try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["a", "b", "c"])
            return journal.end
        }
        let cursor = Cursor(epoch: end.epoch, sequence: sequence)
        let file = try OfflineJournal(reading: folder.path)
        for reader in [JournalReader.sink("erp"), .consumer("till")] {
            #expect(throws: JournalError.cursorAhead(cursor, end: end)) {
                try file.move(reader, to: cursor)
            }
        }
        try await folder.withJournal { journal async throws in
            await journal.checked()
            #expect(journal.epoch == end.epoch)
            #expect(try await journal.cursors() == [:])
        }
    }

    @Test func aCursorOfAnEventThatWasGivenUpStandsForTheEnd() async throws {
        try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["a"])
            // The number is assigned, but its event is never written.
            let live = Cursor(epoch: journal.epoch, sequence: journal.nextSequence())
            try await journal.move(.consumer("till"), to: live)
            #expect(try await journal.cursor(of: .consumer("till")) == journal.end)
        }
    }
}
