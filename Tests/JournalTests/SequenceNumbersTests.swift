import Foundation
import GRDB
import TestFolders
import Testing

@testable import Journal

@Suite struct SequenceNumbersTests {
    @Test func anUncleanEndSkipsTheRestOfItsBlock() async throws {
        let folder = try JournalFolder()
        let settings = folder.settings
        _ = try await folder.withJournal { try await $0.commit(texts: ["a"]) }
        // Leaves a reserved block in the file, as a crash of the daemon does.
        var store = try JournalDatabase(opening: settings.file)
        try store.write { $1.reserved = 1_001 }
        store.close()
        try await folder.withJournal { journal async throws in
            #expect(try await journal.commit(texts: ["b"]) == [1_002])
            #expect(try await journal.texts() == ["a", "b"])
        }
    }

    @Test func aBlockIsInTheFileBeforeANumberOfItIsGiven() async throws {
        let folder = try JournalFolder()
        try await folder.withJournal { journal async throws in
            let file = try JournalConnection.open(folder.path)
            defer { JournalConnection.close(file) }
            for _ in 0..<2_500 {
                let reserved = try await file.read { try JournalBounds($0).reserved }
                let number = journal.nextSequence()
                #expect(number <= reserved)
                // The journal reserves the next block when half of the current one is left.
                if number % 400 == 0 { try await journal.commit(texts: ["a"]) }
            }
        }
    }

    @Test func withoutABlockNumbersGoOnFromTheTimeOfDay() {
        var numbers = SequenceNumbers(after: 41)
        #expect(numbers.wanted == 1_041)
        numbers.reserve(upTo: 43)
        #expect(numbers.next { 5_000_000 } == 42)
        #expect(numbers.next { 5_000_000 } == 43)
        #expect(numbers.next { 5_000_000 } == 5_000_001)
        #expect(numbers.next { 5_000_000 } == 5_000_002)
        #expect(numbers.next { 6_000_000 } == 6_000_001)
        #expect(numbers.wanted == 6_001_001)
        numbers.reserve(upTo: 6_001_001)
        #expect(numbers.next { 7_000_000 } == 6_000_002)
        // No number is assigned twice after the clock was set back.
        numbers = SequenceNumbers(after: 9_000_000)
        #expect(numbers.next { 1 } == 9_000_001)
    }

    @Test func aFolderThatComesLateIsUsedThen() async throws {
        let folder = try JournalFolder()
        let path = folder.folder.path("later/journal.sqlite")
        let journal = try EventJournal(opening: JournalSettings(file: path))
        let sequences = journal.append(texts: ["a", "b"])
        #expect((sequences.first ?? 0) > 1_000_000)
        try makeFolder(folder.folder.path("later"))
        try await journal.committed(sequences[1])
        #expect(try await journal.texts() == ["a", "b"])
        #expect(await journal.close() == 0)
    }
}

private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
}
