import Events
import Foundation
import GRDB
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import Journal

/// Tests `keywedge journal` on a journal with three scans: two by `counter`, one by `cordless`.
@Suite(.blocking) struct JournalCommandTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }
    private let epoch: Epoch

    init() async throws {
        folder = try TemporaryFolder()
        let journal = try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite")))
        for (scanner, text) in [
            ("counter", "4006381333931"), ("cordless", "a\u{1b}[31m"), ("counter", "4011"),
        ] {
            let sequence = journal.nextSequence()
            journal.append(JournalEntry(Self.event(scanner, text, sequence)))
            try await journal.committed(sequence)
        }
        let entries = try await journal.page(after: nil, limit: 3).entries
        try await journal.addDeadLetter(
            entries[1], of: "erp", reason: "422 \u{1b}", at: entries[1].time)
        epoch = journal.epoch
        await journal.close()
    }

    private static func event(_ scanner: String, _ text: String, _ sequence: UInt64) -> Event {
        let gtin = text.count == 13 ? JSONValue.string("0" + text) : .null
        return Event(
            id: "id-\(sequence)", source: "/keywedge/r/scanners/\(scanner)", type: .scan,
            // Far in the future, so that the event does not expire.
            time: EventTime(
                microsecondsSince1970: 4_102_444_800_000_000 + Int64(sequence) * 60_000_000),
            sequence: sequence,
            data: ["scanner": ["name": .string(scanner)], "text": .string(text), "gtin": gtin])
    }

    private func run(_ arguments: String...) throws -> CommandRun { try run(arguments) }

    private func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(
            arguments: ["journal"] + arguments + ["--config", "/dev/null", "--journal", path])
    }

    private func texts(_ arguments: [String]) throws -> [String] {
        let run = try CommandRun(
            arguments: [
                "journal", "list", "--format", "text", "--config", "/dev/null", "--journal",
            ]
                + [path] + arguments)
        #expect(run.exitCode == 0)
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test func theBytesAreThoseThatWereKept() throws {
        let lines = try run("list", "--format", "json").output.split(separator: "\n")
        let kept = [("counter", "4006381333931"), ("cordless", "a\u{1b}[31m"), ("counter", "4011")]
            .enumerated().map { index, scan in
                JournalEntry(Self.event(scan.0, scan.1, UInt64(index + 1))).line
            }
        #expect(lines.map { Array($0.utf8) } == kept)
    }

    @Test func aListCanBeNarrowed() throws {
        #expect(try texts([]) == ["4006381333931", #"a\x1b[31m"#, "4011"])
        #expect(try texts(["--scanner", "counter"]) == ["4006381333931", "4011"])
        #expect(try texts(["--code", "4011", "--code", "04006381333931"]).count == 2)
        #expect(try texts(["--code", "4006381333931"]) == ["4006381333931"])
        #expect(try texts(["--type", "keywedge.started"]) == [])
        let since = ["--since", "2100-01-01T00:02:00Z"]
        #expect(try texts(since + ["--until", "2100-01-01T00:03:00Z"]) == [#"a\x1b[31m"#])
    }

    @Test func aCountIsThatOfTheEventsThatFit() throws {
        #expect(try run("list", "--count").output == "3\n")
        #expect(try run("list", "--count", "--scanner", "counter").output == "2\n")
        #expect(try run("list", "--count", "--type", "keywedge.started").output == "0\n")
    }

    @Test func aListWithoutEventsSaysSo() throws {
        let run = try run("list", "--scanner", "nope")
        #expect(run.output == "" && run.errors == "keywedge: no event of the journal matches\n")
        #expect(try self.run("list", "--scanner", "nope", "-q").errors == "")
        let backwards = try self.run(
            "list", "--since", "2100-01-02T00:00:00Z", "--until", "2100-01-01T00:00:00Z")
        #expect(
            backwards.exitCode == 2 && backwards.errors.contains("--until: expected a time after"))
    }

    /// The first event is from 2100-01-01T00:01:00Z, which is 09:01 in Japan.
    @Test func peopleGetLocalTimeWithItsDate() throws {
        let run = try CommandRun.shell(
            """
            TZ=JST-9 $KEYWEDGE journal list --format pretty --config /dev/null --journal \(path)
            """)
        #expect(run.lines.first?.hasPrefix("2100-01-01 09:01:00  ") == true, "\(run.output)")
    }

    @Test func verifyIsForProgramsToo() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "UPDATE event SET time = 7 WHERE sequence = 2") }
        try queue.close()
        for format in ["--json", "--format=json"] {
            #expect(
                try run("verify", format).output == #"{"message":"The event 2 has changed."}"#
                    + "\n")
        }
    }

    @Test func aTypeThatIsNoneIsRefused() throws {
        let run = try run("list", "--type", "keywedge.scam")
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("The value 'keywedge.scam' is invalid for '--type <type>'"))
        #expect(run.errors.contains("expected one of keywedge."))
    }

    @Test func verifyNamesTheEventThatHasChanged() throws {
        let whole = try run("verify")
        #expect(whole.exitCode == 0)
        #expect(whole.errors == "keywedge: 3 events, each as it was written\n")
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "UPDATE event SET time = 7 WHERE sequence = 2") }
        try queue.close()
        let changed = try run("verify")
        #expect(changed.exitCode == 1)
        #expect(changed.output == "The event 2 has changed.\n")
        let list = try run("list", "--format", "text")
        #expect(list.output == "4006381333931\n4011\n")
        let counted = try run("list", "--count", "--quiet")
        #expect(counted.output == "2\n")
        #expect(list.exitCode == 1)
    }

    @Test(arguments: [
        ("DELETE FROM event WHERE sequence = 1", "Events before 2 are missing.\n"),
        ("DELETE FROM event WHERE sequence = 2", "Events between 1 and 3 are missing.\n"),
        ("DELETE FROM event WHERE sequence = 3", "Events after 2 are missing.\n"),
        ("UPDATE event SET id = 'x' WHERE sequence = 1", "The event 1 has changed.\n"),
        ("UPDATE dead_letter SET reason = 'x'", "A dead letter has changed.\n"),
        ("UPDATE journal SET epoch = 'aaaaaaaaaaaa'", "The journal's first row has changed.\n"),
    ])
    func verifySaysWhatIsMissing(sql: String, output: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
        #expect(try run("verify").output == output)
    }

    @Test func replaySetsACursorThatTheJournalKnows() async throws {
        let cursor = "\(epoch)-1"
        let unknown = try run("replay", "--sink", "mqtt", "--from", cursor)
        #expect(unknown.exitCode == 1)
        #expect(
            unknown.errors
                == "keywedge: the journal knows no sink \"mqtt\"; expected one of: \"erp\"\n")
        let moved = try run("replay", "--sink", "erp", "--from", cursor)
        #expect(moved.exitCode == 0)
        #expect(moved.errors == "keywedge: the sink \"erp\" resumes after \(cursor)\n")
        #expect(
            try OfflineJournal(reading: path).survey().readers[.sink("erp")]?.cursor
                == Cursor(cursor))
        #expect(try run("replay", "--sink", "erp", "--from", "oldest").exitCode == 0)
        #expect(
            try OfflineJournal(reading: path).survey().readers[.sink("erp")]?.cursor.sequence == 0)
        #expect(try run("replay", "--sink", "erp", "--from", "aaaaaaaaaaaa-1").exitCode == 1)
        let asJSON = try run("replay", "--sink", "erp", "--from", "1", "--json")
        #expect(asJSON.output == #"{"sink":"erp","cursor":"\#(cursor)"}"# + "\n")
        #expect(
            try OfflineJournal(reading: path).survey().readers[.sink("erp")]?.cursor.sequence == 1)
        #expect(try run("replay", "--sink", "erp", "--from", "1x").exitCode == 2)
        #expect(try run("replay", "--from", cursor).exitCode == 2)
        let daemon = try EventJournal(opening: JournalSettings(file: path))
        let refused = try run("replay", "--sink", "erp", "--from", cursor)
        #expect(refused.exitCode == 1)
        for fact in ["listen", "systemctl stop keywedge", "systemctl start keywedge"] {
            #expect(refused.errors.contains(fact))
        }
        let configuration = try folder.write(
            "listen: {socket: \(folder.path("s"))}\n", to: "k.yaml")
        let unreachable = try CommandRun(
            "journal", "replay", "--sink", "erp", "--from", cursor, "--config", configuration,
            "--journal", path)
        #expect(unreachable.exitCode == 1)
        #expect(unreachable.errors.contains("a daemon has the journal and cannot be asked"))
        #expect(unreachable.errors.contains("systemctl stop keywedge"))
        await daemon.close()
    }

    @Test func deadLettersAreListedSentAgainAndDropped() throws {
        let list = try run("dead", "list", "--format", "json")
        let letter = try #require(try JSONReader.read(Array(list.output.utf8)).object)
        #expect(letter["sink"] == "erp")
        #expect(letter["reason"] == "422 \u{1b}")
        #expect(!list.output.contains("\u{1b}"))
        #expect(letter["event"]?.object?["id"] == "id-2")
        for command in [["list"], ["send", "--all"], ["drop", "--all"]] {
            let unknown = try run(["dead"] + command + ["--sink", "nope"])
            #expect(unknown.exitCode == 1)
            #expect(
                unknown.errors
                    == "keywedge: neither the configuration nor the journal knows a sink \"nope\"; "
                    + "expected one of: \"erp\"\n")
        }
        #expect(try run("dead", "send", "9").exitCode == 1)
        #expect(try run("dead", "send").exitCode == 2)
        #expect(try run("dead", "send", "1").errors == "keywedge: 1 dead letter to be sent again\n")
        var isToBeSent: [Bool] = []
        try OfflineJournal(reading: path).forEachDeadLetter(of: nil) {
            isToBeSent.append($0.isToBeSent)
        }
        #expect(isToBeSent == [true])
        #expect(try run("dead", "drop", "--all").errors == "keywedge: 1 dead letter dropped\n")
        #expect(try run("dead", "list", "--format", "json").output == "")
    }

    @Test func theDeadLettersOfOtherSinksStay() async throws {
        let journal = try EventJournal(opening: JournalSettings(file: path))
        let entries = try await journal.page(after: nil, limit: 3).entries
        try await journal.addDeadLetter(entries[2], of: "mqtt", reason: "-", at: entries[2].time)
        await journal.close()
        #expect(try run("dead", "drop", "1", "--sink", "mqtt").exitCode == 1)
        #expect(try run("dead", "drop", "--all", "--sink", "mqtt").exitCode == 0)
        var sinks: [String] = []
        try OfflineJournal(reading: path).forEachDeadLetter(of: nil) { sinks.append($0.sink) }
        #expect(sinks == ["erp"])
    }

    @Test func aSinkThatIsNoLongerConfiguredIsForgotten() throws {
        let configuration = try folder.write(
            """
            catalog: {sources: []}
            journal: {file: \(path)}
            events: [{exec: {name: erp, command: [/bin/true]}}]
            """, to: "k.yaml")
        let configured = try CommandRun("journal", "forget", "erp", "--config", configuration)
        #expect(configured.exitCode == 1)
        #expect(configured.errors.contains("the sink \"erp\" is still configured"))
        #expect(try run("forget", "mqtt").errors.contains("the journal knows no sink \"mqtt\""))
        let forgotten = try run("forget", "erp")
        #expect(forgotten.exitCode == 0)
        #expect(forgotten.errors == "keywedge: 1 event no longer waits for \"erp\"\n")
        #expect(try OfflineJournal(reading: path).survey().readers[.sink("erp")] == nil)
    }

    @Test func whatIsNoJournalIsASentence() throws {
        let missing = try CommandRun(
            "journal", "verify", "--config", "/dev/null", "--journal", folder.path("none"))
        #expect(missing.exitCode == 1)
        #expect(
            missing.errors.hasPrefix(
                "keywedge: There is no journal at \"\(folder.path("none"))\". "))
        #expect(missing.errors.contains("Run: systemctl start keywedge"))
        let other = try folder.write("text", to: "other")
        let refused = try CommandRun(
            "journal", "list", "--config", "/dev/null", "--journal", other)
        #expect(refused.errors.contains("is not a journal"))
    }
}
