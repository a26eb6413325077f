import Events
import Foundation
import Journal
import TestFolders
import TestTexts
import TestWaiting
import Testing
import WireText

/// Tests the daemon's sinks that read the journal.
@Suite(.blocking, .timeLimit(.minutes(10))) struct RunningSinksTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Adds a scan for each text to the journal.
    private func fill(_ texts: [String]) async throws {
        let journal = try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite")))
        for text in texts {
            let sequence = journal.nextSequence()
            let event = Event(
                id: "id-\(sequence)", source: "/keywedge/r/scanners/counter", type: .scan,
                // Far in the future, so that the event does not expire.
                time: EventTime(microsecondsSince1970: 4_102_444_800_000_000),
                sequence: sequence, data: ["text": .string(text)])
            journal.append(JournalEntry(event))
        }
        await journal.close()
    }

    /// Runs a script while a daemon without scans runs; `lines FILE N` waits until the file has N lines.
    private func run(
        _ sinks: String, _ script: String, environment: String = ""
    ) throws -> CommandRun {
        try folder.write(
            """
            catalog: {sources: []}
            journal: {file: \(folder.path("journal.sqlite"))}
            listen: {socket: \(folder.path("s"))}
            events: [\(sinks)]

            """, to: "k.yaml")
        try folder.write("device name=\"x\"\n", to: "nothing.keys")
        return try CommandRun.shell(
            """
            cd \(folder.path)
            \(environment)
            $KEYWEDGE run --config k.yaml --replay nothing.keys >out 2>said & daemon=$!
            lines() { until_true "[ -e '$1' ] && [ \\$(wc -l <'$1') -ge $2 ]"; }
            \(script)
            result=$?
            kill $daemon
            wait $daemon || exit 9
            exit $result
            """)
    }

    @Test func aSinkOfARunningDaemonIsSetBack() async throws {
        try await fill((1...5).map { "text \($0)" })
        let run = try run(
            """
            {exec: {name: erp, from: oldest, types: keywedge.scan, command: [/bin/sh, -c, "cat >>\(folder.path("taken"))"]}}
            """,
            """
            lines taken 5 || exit 3
            epoch=$(sqlite3 -readonly journal.sqlite 'SELECT epoch FROM journal')
            replay() { $KEYWEDGE journal replay --config k.yaml --sink erp --from "$@"; }
            replay $epoch-3 || exit 4
            lines taken 7 || exit 5
            replay oldest || exit 6
            lines taken 12 || exit 7
            replay $epoch-99999 && exit 8
            jq -r .data.text taken
            grep -c "moves the sink .erp. to" said
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        let numbers = [1, 2, 3, 4, 5, 4, 5, 1, 2, 3, 4, 5]
        #expect(run.lines == numbers.map { "text \($0)" } + ["2"])
        #expect(run.errors.contains("409, The cursor is ahead of all events"), "\(run.errors)")
    }

    @Test func theEventsOfARenamedSinkAreReportedAndDropped() async throws {
        try await fill((1...3).map { "text \($0)" })
        let journal = try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite")))
        let first = Cursor(epoch: journal.epoch, sequence: 1)
        try await journal.move(.sink("old"), to: first)
        await journal.close()
        let run = try run(
            "{exec: {name: new, from: oldest, types: keywedge.scan, command: [/bin/sh, -c, \"cat >>taken\"]}}",
            """
            lines taken 3 || exit 3
            until_true "grep -q 'events wait for the sink' said"
            grep -cE '[2-9] events wait for the sink "old"' said || exit 4
            $KEYWEDGE status --config k.yaml | grep -cE 'old: no longer configured; [2-9] events wait'
            $KEYWEDGE journal forget old --config k.yaml 2>/dev/null || exit 5
            $KEYWEDGE status --config k.yaml --json | jq -c .former_sinks
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.lines == ["1", "1", "[]"])
    }

    /// A command prints scanned texts unchanged, but each line on standard error begins with the daemon's prefix, which
    /// is a priority for the system's log.
    @Test(arguments: [("", "keywedge: "), ("export JOURNAL_STREAM=1:2", "<6>")])
    func hostileTextsLeaveTheLogEscapedOnLinesOfItsOwn(
        environment: String, prefix: String
    ) async throws {
        let texts = HostileTexts.all.enumerated().filter { $0.offset % 16 == 0 }.map {
            $0.element + "\r\n<0>keywedge: forged\n"
        }
        try await fill(texts)
        let command = try folder.write(
            """
            jq -j .data.text
            echo >>\(folder.path("done"))

            """, to: "print")
        // A shell reads the file, because it cannot be executed while another test's command still has it open.
        let run = try run(
            "{exec: {from: oldest, types: keywedge.scan, command: [/bin/sh, \(command)]}}",
            "lines done \(texts.count); code=$?; cat said; (exit $code)", environment: environment)
        #expect(run.exitCode == 0, "\(run.errors)")
        let own = prefix + "sink exec: \"/bin/sh\": "
        let printed = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        // Compare bytes: the first character of a text may be a mark that joins the character before it.
        let others = printed.filter { !$0.utf8.starts(with: own.utf8) }
        #expect(others.isEmpty, "\(others)")
        #expect(printed.filter { $0.hasPrefix(own + "<0>keywedge: forged") }.count == texts.count)
        #expect(!run.output.unicodeScalars.contains { HostileTexts.isForbidden($0) && $0 != "\n" })
    }
}
