import Foundation
import Journal
import ScannerInput
import Synchronization
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import Sinks

/// Tests commands that succeed, fail, do not end, or leave processes behind.
@Suite(.blocking) struct ExecOutletTests {
    /// Keeps the lines that a command prints.
    final class Printed: Sendable {
        private let kept = Mutex<[String]>([])
        var lines: [String] { kept.withLock { $0 } }
        func note(_ line: String) { kept.withLock { $0.append(line) } }
    }

    private static func shell(
        _ script: String, limit: Duration = .patience, _ printed: Printed = Printed()
    ) -> ExecOutlet {
        ExecOutlet(
            ExecSettings(command: ["/bin/sh", "-c", script], limit: limit), log: printed.note)
    }

    private static func isGone(_ file: String) throws -> Bool {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let pid = try #require(pid_t(text.filter { !$0.isWhitespace }))
        return kill(pid, 0) != 0
    }

    @Test func hostileContentComesByStandardInputByteForByteAndByNothingElse() async throws {
        let folder = try TemporaryFolder()
        let script = """
            cat >>\(folder.path)/input; env >>\(folder.path)/rest; tr '\\0' ' ' </proc/$$/cmdline \
            >>\(folder.path)/rest
            """
        let entries = Entries.hostile.enumerated().filter { $0.offset % 9 == 0 }.map(\.element)
        let settled = Settled()
        #expect(await Self.shell(script).take(entries, settled: settled.note) == .all)
        #expect(settled.indices == Array(entries.indices))
        let input = try Data(contentsOf: URL(filePath: folder.path("input")))
        #expect(Array(input) == entries.flatMap { $0.line + [0x0A] })
        let rest = try String(contentsOfFile: folder.path("rest"), encoding: .utf8)
        #expect(!rest.contains("keywedge.scan") && !rest.contains("register-3"))
    }

    @Test(arguments: [
        (0, TakeOutcome.all, [Sinks.Verdict.taken, .taken]),
        (65, .all, [.refused("the command ended with 65"), .refused("the command ended with 65")]),
        (75, .later("\"/bin/sh\": it ended with 75"), []),
        (1, .later("\"/bin/sh\": it ended with 1"), []),
    ])
    func whatACommandEndsWithSaysWhatBecomesOfTheEvent(
        code: Int, outcome: TakeOutcome, verdicts: [Sinks.Verdict]
    ) async {
        let settled = Settled()
        #expect(
            await Self.shell("exit \(code)").take(Entries.scans(2), settled: settled.note)
                == outcome)
        #expect(settled.verdicts == verdicts)
    }

    @Test func aCommandThatASignalEndsIsGivenTheEventAgain() async {
        #expect(
            await Self.shell("kill -KILL $$").take(Entries.scans(1)) { _, _ in }
                == .later("\"/bin/sh\": signal 9 ended it"))
    }

    @Test func aCommandThatIsNotThereIsSaid() async {
        let outlet = ExecOutlet(ExecSettings(command: ["/nowhere/on-scan"])) { _ in }
        let outcome = await outlet.take(Entries.scans(1)) { _, _ in }
        guard case .later(let reason, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.hasPrefix("\"/nowhere/on-scan\": it cannot be run: "), "\(reason)")
    }

    @Test func aCommandThatReadsNothingTakesTheEventAllTheSame() async {
        let long = [JournalEntry(Entries.event(1, text: String(repeating: "8", count: 300_000)))]
        #expect(await Self.shell("exec true").take(long) { _, _ in } == .all)
    }

    @Test(arguments: [
        "sleep 1000", "exec >&- 2>&-; sleep 1000", "trap '' TERM; while :; do sleep 1; done",
        "yes", "sleep 1000 & wait",
    ])
    func aCommandThatDoesNotEndIsEnded(script: String) async throws {
        let printed = Printed()
        try await expectEnd(of: "echo $$ >PID; \(script)", printed)
        #expect(printed.lines.count <= ExecOutlet.mostLines + 1)
    }

    @Test func whatACommandStartedIsEndedWithIt() async throws {
        try await expectEnd(of: "(trap '' TERM; exec sleep 1000) & echo $! >PID; wait", Printed())
    }

    /// Expects that an endless command is ended, together with the process whose number it writes to the file `PID`.
    private func expectEnd(of script: String, _ printed: Printed) async throws {
        for limit in Duration.rising {
            let folder = try TemporaryFolder()
            let pid = folder.path("pid")
            let outlet = Self.shell(script.replacing("PID", with: pid), limit: limit, printed)
            #expect(
                await outlet.take(Entries.scans(1)) { _, _ in }
                    == .later(
                        "\"/bin/sh\": it had not ended after \(limit.text), and was killed"))
            // The script was killed before it wrote the number, so try a longer limit.
            guard (try? String(contentsOfFile: pid, encoding: .utf8)) ?? "" != "" else { continue }
            try await waitUntil("its end") { try Self.isGone(pid) }
            return
        }
        throw StillWaiting(for: "the process's number")
    }

    @Test func whatACommandLeavesInTheBackgroundIsNotWaitedFor() async throws {
        let folder = try TemporaryFolder()
        let printed = Printed()
        let outlet = Self.shell(
            "sleep 1000 & echo $! >\(folder.path)/pid; echo done", printed)
        #expect(await outlet.take(Entries.scans(1)) { _, _ in } == .all)
        #expect(printed.lines == ["\"/bin/sh\": done"])
        let text = try String(contentsOfFile: folder.path("pid"), encoding: .utf8)
        kill(try #require(pid_t(text.dropLast())), SIGKILL)
    }

    @Test func aCommandBeginsWithoutOurSignalsAndDescriptors() throws {
        let pipe = Pipe()
        // Blocks a signal of this thread, which starts the command.
        var (blocked, before) = (sigset_t(), sigset_t())
        sigaddset(&blocked, SIGUSR1)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        func run(_ words: String...) throws -> [String] {
            let command = try RunningCommand.start(words, input: [], readsErrors: true)
            let run = command.wait(limit: .patience, stop: try Wakeup())
            #expect(run.ending == .exited(0))
            return String(decoding: run.output, as: UTF8.self).split(separator: "\n").map(
                String.init)
        }
        // Without a shell, because a shell blocks signals for a moment.
        let lines = try run("grep", "-E", "Sig(Blk|Ign)", "/proc/self/status")
        let signals = lines.compactMap { UInt64($0.suffix(16), radix: 16) }
        // Signals 32 and 33 are glibc's own.
        #expect(signals.map { $0 & 0x7FFF_FFFF } == [0, 0], "\(lines)")
        #expect(pipe.fileHandleForReading.fileDescriptor > 2)
        // The last one is the descriptor through which ls reads the folder.
        #expect(try run("ls", "/proc/self/fd") == ["0", "1", "2", "3"])
    }

    @Test func standardErrorCanBeLeftOut() async throws {
        let run = try await RunningCommand.run(
            ["/bin/sh", "-c", "echo out; echo error >&2; exit 3"], readsErrors: false,
            limit: .patience)
        #expect(run.ending == .exited(3))
        #expect(run.output == Array("out\n".utf8))
    }

    @Test func whatIsPrintedIsEscapedAndBounded() async {
        let printed = Printed()
        let script = "printf '\\033[31mred\\033[0m\\n'; echo error >&2; seq 100; printf 'end'"
        #expect(await Self.shell(script, printed).take(Entries.scans(1)) { _, _ in } == .all)
        #expect(printed.lines.first == "\"/bin/sh\": \\x1b[31mred\\x1b[0m")
        #expect(printed.lines.contains("\"/bin/sh\": error"))
        #expect(printed.lines.count == ExecOutlet.mostLines + 1)
        #expect(printed.lines.last == "\"/bin/sh\": … and more")
    }

    @Test func aSinkThatIsCancelledEndsItsCommand() async throws {
        let folder = try TemporaryFolder()
        let outlet = Self.shell("echo $$ >\(folder.path)/pid; sleep 1000")
        let outcome = await withTaskGroup(of: TakeOutcome.self) { group in
            group.addTask { await outlet.take(Entries.scans(1)) { _, _ in } }
            _ = await eventually {
                (try? String(contentsOfFile: folder.path("pid"), encoding: .utf8)) ?? "" != ""
            }
            group.cancelAll()
            return await group.next()
        }
        #expect(outcome == .cancelled)
        #expect(try await eventually { try Self.isGone(folder.path("pid")) })
    }

    /// The command accepts its event when SIGTERM asks it to end, and no command may get the next event.
    @Test func anEventThatIsAcceptedDuringAStopIsSettledAndNoCommandStarts() async throws {
        let folder = try TemporaryFolder()
        let outlet = Self.shell(
            """
            trap 'exit 0' TERM
            echo started >>\(folder.path("starts"))
            while :; do sleep 0.01; done
            """)
        let settled = Settled()
        let starts = { try? String(contentsOfFile: folder.path("starts"), encoding: .utf8) }
        let outcome = await withTaskGroup(of: TakeOutcome.self) { group in
            group.addTask { await outlet.take(Entries.scans(3), settled: settled.note) }
            _ = await eventually { starts() == "started\n" }
            group.cancelAll()
            return await group.next()
        }
        #expect(outcome == .cancelled)
        #expect(settled.verdicts == [.taken])
        #expect(starts() == "started\n")
    }

    @Test func aCancelledTaskStartsNoCommand() async throws {
        let folder = try TemporaryFolder()
        let script = "touch \(folder.path("started"))"
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await RunningCommand.run(["/bin/sh", "-c", script], limit: .patience)
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(access(folder.path("started"), F_OK) != 0)
    }
}

/// Tests when a command gets which signals, without running one.
@Suite(.blocking) struct CommandTeardownTests {
    private static let start = ContinuousClock.now

    /// Returns the signals and their times after the start; `stop` is the time of a request to stop.
    private static func signals(limit: Duration, stop: Duration?) -> [(Duration, Int32)] {
        var teardown = CommandTeardown(limit: limit, now: start)
        var now = start
        var sent: [(Duration, Int32)] = []
        var stop = stop.map { start + $0 }
        while let next = [teardown.deadline, stop].compactMap(\.self).min() {
            now = next
            let isAsked = stop.map { $0 <= now } ?? false
            if isAsked { stop = nil }
            if let signal = teardown.signal(at: now, isAskedToStop: isAsked) {
                sent.append((start.duration(to: now), signal))
            }
        }
        return sent
    }

    @Test func aStopLetsACommandFinishBeforeItIsEnded() {
        let sent = Self.signals(limit: .seconds(60), stop: .seconds(5))
        #expect(sent.map(\.1) == [SIGTERM, SIGKILL])
        #expect(sent.map(\.0) == [.milliseconds(5500), .milliseconds(6500)])
    }

    @Test func aCommandThatTakesTooLongIsEndedAtOnce() {
        let sent = Self.signals(limit: .seconds(30), stop: nil)
        #expect(sent.map(\.1) == [SIGTERM, SIGKILL])
        #expect(sent.map(\.0) == [.seconds(30), .seconds(32)])
    }

    @Test func noStopTakesMoreThanTwoSeconds() throws {
        for stop in [Duration.zero, .milliseconds(29_900), .seconds(30), .milliseconds(30_100)] {
            let sent = Self.signals(limit: .seconds(30), stop: stop)
            #expect(try #require(sent.last).0 - stop <= .seconds(2), "\(stop)")
        }
    }
}
