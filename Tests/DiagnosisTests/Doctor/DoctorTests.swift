import Catalog
import EventService
import Events
import Foundation
import HTTPService
import Journal
import KeywedgeConfiguration
import TestFolders
import TestWaiting
import Testing
import WebAPI
import WireText

@testable import Diagnosis

/// Returns a fixed output for a program and its first argument.
enum StubPrograms {
    static func output(_ outputs: [String: String] = [:]) -> Programs {
        { words in outputs.first { words.joined(separator: " ").hasPrefix($0.key) }?.value }
    }
}

extension DaemonStatus {
    /// The answer of a daemon with these scanners, in JSON.
    static func stub(version: String = "0", scanners: String = "") throws -> DaemonStatus {
        let time = "2026-11-21T08:00:00.000000Z"
        let answer = """
            {"register": "r", "version": "\(version)", "started": "\(time)", "time": "\(time)", \
            "journal": {"file": "j", "state": "open"}, "scanners": [\(scanners)]}
            """
        return try DaemonStatus(Response(status: 200, payload: Array(answer.utf8)))
    }
}

extension Box {
    /// Makes a box with these files, and with the values that `change` sets.
    init(_ files: BoxFiles, _ change: (inout Box) -> Void) {
        self.init(file: "/k.yaml")
        self.files = files
        change(&self)
    }
}

@Suite struct DoctorTests {
    private struct Fixed: DoctorCheck {
        let subject = Finding.Subject.journal
        let box = Box(file: "/k.yaml")
        let verdicts: [Finding.Verdict]

        func findings() async -> [Finding] { verdicts.flatMap { finding($0, "said") } }
    }

    private struct Hanging: DoctorCheck {
        let subject = Finding.Subject.sinks
        let box = Box(file: "/k.yaml")

        func findings() async -> [Finding] {
            try? await Task.sleep(for: .seconds(3600))
            return []
        }
    }

    @Test(arguments: [
        ([Finding.Verdict.holds, .notTried], Finding.Verdict.holds),
        ([.holds, .unseen], .unseen), ([.unseen, .warns], .warns), ([.warns, .fails], .fails),
    ])
    func theWorstThatWasFoundCounts(
        verdicts: [Finding.Verdict], worst: Finding.Verdict
    ) async throws {
        #expect(
            try await Doctor(checks: [Fixed(verdicts: verdicts)], limit: .patience).run().worst
                == worst
        )
    }

    @Test func whatHangsIsGivenUpAndTheRestIsTried() async throws {
        let checks: [any DoctorCheck] = [Hanging(), Fixed(verdicts: [.holds])]
        for limit in Duration.rising {
            let report = try await Doctor(checks: checks, limit: limit).run()
            let hanging = try #require(report.findings.first)
            #expect(hanging.verdict == .unseen)
            #expect(hanging.text == "given up after \(limit.text): something does not answer")
            if report.findings.map(\.verdict) == [.unseen, .holds] { return }
        }
        throw StillWaiting(for: "the check that ends")
    }

    @Test func aFindingSaysWhatToDoAndNothingActsOnTheTerminal() {
        let remedy = Remedy(
            "Write it.", file: "/etc/a\u{1b}b", containing: ["x: 1"], run: ["true", "false"])
        let finding = Finding(.unit, .fails, "it\u{1b}[2J is off", mend: [remedy])
        #expect(
            finding.lines == [
                "✗ FAILED    unit           it\\x1b[2J is off", "            → Write it.",
                "              Make the file /etc/a\\x1bb of these lines:",
                "                  x: 1", "              Then run:",
                "                  true", "                  false",
            ])
    }

    @Test func programsGetTheRemedyAsItIsToBeCarriedOut() {
        let remedy = Remedy("Do.", into: "/k.yaml", setting: ["a: 1"], run: ["true"])
        var bytes: [UInt8] = []
        JSONWriter.append(remedy.json, to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"advice":"Do.","file":"/k.yaml","setting":["a: 1"],"commands":["true"]}"#)
    }
}

/// Tests each subject on a box simulated by a folder.
@Suite struct DoctorSubjectTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var files: BoxFiles { BoxFiles(root: folder.path) }

    private static func box(_ path: String, _ error: ConfigurationError?) -> Box {
        Box(BoxFiles()) {
            $0.path = path
            $0.error = error
        }
    }

    private func write(_ text: String, to path: String) throws {
        let file = URL(filePath: folder.path + path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    @Test func aWrongLineMayBecomeACommentWhereTheRestIsRightThen() async throws {
        try write("journal:\n  keep: {days: 9}\nfrobnicate: 1\n", to: "/k.yaml")
        let path = folder.path + "/k.yaml"
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.load(path: path)
        }
        let check = ConfigurationCheck(box: Self.box(path, error))
        let finding = try #require(await check.findings().first)
        #expect(finding.verdict == .fails)
        #expect(finding.details.first?.contains("k.yaml:3") == true)
        #expect(finding.remedies[0].commands[0].hasPrefix("sed -i '3s/^/#/' "))
    }

    @Test func aLineThatOthersHangOnIsNotTakenOut() async throws {
        try write("journal: 3\n  keep: {days: 9}\n", to: "/k.yaml")
        let path = folder.path + "/k.yaml"
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.load(path: path)
        }
        let finding = try #require(
            await ConfigurationCheck(box: Self.box(path, error)).findings().first)
        #expect(finding.remedies[0].commands == ["keywedge config check \(path)"])
    }

    @Test func theRuleThatIsMissingIsWrittenWhole() async throws {
        let user = BoxUser(name: "keywedge", number: 990, groups: [990])
        let check = RightsCheck(box: Box(files) { $0.user = user })
        try write("", to: "/run/udev/control")
        let missing = try #require(await check.findings().first)
        #expect(missing.verdict == .fails)
        let remedy = missing.remedies[0]
        try write(
            remedy.setting.joined(separator: "\n"), to: try #require(remedy.file))
        #expect(await check.findings().map(\.verdict) == [.holds])
        try write("", to: "/etc/udev/rules.d/72-keywedge.rules")
        #expect(await check.findings().map(\.verdict) == [.fails])
    }

    private func scans(_ scanner: String) async throws -> [Finding] {
        let status = try DaemonStatus.stub(scanners: scanner)
        return await ScansCheck(
            box: Box(files) {
                $0.answer = .answers(status)
                $0.configuration.scanners = [ScannerConfiguration(name: "default")]
            }
        ).findings()
    }

    @Test func aScannerThatOnlyPausesEndsNoScan() async throws {
        let findings = try await scans(
            #"{"name": "0c2e-0b61", "scans": 0, "rejections": {"idle": 2}}"#)
        #expect(findings.map(\.verdict) == [.fails])
        #expect(
            findings[0].remedies[0].setting == [
                "scanners:", "  - name: default", "    terminators: [none]",
            ])
        #expect(findings[0].remedies[1].advice.contains("Add CR Suffix"))
    }

    @Test func onePauseAmongManyScansIsNothing() async throws {
        let findings = try await scans(
            #"{"name": "a", "scans": 90, "rejections": {"idle": 3}}"#)
        #expect(findings.map(\.text) == ["\"a\" has read 90 scans, rejected: 3 idle"])
    }

    @Test func theLayoutThatIsSuspectedIsWritten() async throws {
        let findings = try await scans(
            """
            {"name": "default", "scans": 2, "layout_suspicion": {"count": 1, "message": "The layout \
            may be another: on layout fr (or be) the same keys give a number of digits only; the \
            scanner may be set to it."}}
            """)
        #expect(findings[0].remedies[0].setting.last == "    layout: fr")
    }

    @Test(arguments: [
        ("ActiveState=active\nUnitFileState=enabled", [Finding.Verdict.holds, .holds]),
        ("ActiveState=active\nUnitFileState=disabled", [.holds, .fails, .holds]),
        ("ActiveState=failed\nSubState=failed\nResult=exit-code", [.fails, .holds]),
        ("ActiveState=active\nNeedDaemonReload=yes", [.holds, .holds, .warns]),
        ("ActiveState=active\nPrivateDevices=yes", [.holds, .fails]),
        ("ActiveState=active\nProtectSystem=no", [.holds, .warns]),
    ])
    func theUnitIsSeenThroughSystemd(
        shown: String, verdicts: [Finding.Verdict]
    ) async throws {
        let state = UnitState(
            "LoadState=loaded\nDevicePolicy=closed\nDeviceAllow=char-input r\n" + shown)
        let check = UnitCheck(
            box: Box(files) {
                $0.unit = state
                $0.programs = StubPrograms.output()
            })
        #expect(await check.findings().map(\.verdict) == verdicts)
    }

    @Test func whatTheDaemonSaidLastIsShownWithoutItsEvents() async throws {
        let log = "keywedge: a\n{\"data\":{\"text\":\"secret\"}}\nkeywedge: it is wrong\n"
        let check = UnitCheck(
            box: Box(files) {
                $0.unit = UnitState("LoadState=loaded\nActiveState=failed\nDevicePolicy=auto")
                $0.programs = StubPrograms.output(["journalctl": log])
            })
        let findings = await check.findings()
        #expect(findings[0].details == ["keywedge: a", "keywedge: it is wrong"])
    }

    @Test func theProgramThatWasReplacedIsNotTheOneThatRuns() async throws {
        try write("old", to: "/proc/7/exe")
        try write("new", to: "/usr/bin/keywedge")
        let unit = UnitState("MainPID=7\nExecStart={ path=/usr/bin/keywedge ; argv[]=x }")
        for (running, unit) in [("1.0", unit), ("0.9", nil)] {
            let status = try DaemonStatus.stub(version: running)
            let check = VersionCheck(
                box: Box(files) {
                    $0.version = "1.0"
                    $0.unit = unit
                    $0.answer = .answers(status)
                })
            #expect(await check.findings().map(\.verdict) == [.fails])
        }
    }

    /// The finding about a missing catalog says nothing about the products of another catalog.
    @Test(arguments: [
        ("[{embedded: /none.sqlite}]", "no scan finds a product"),
        ("[{embedded: /none.sqlite}, {embedded: /other.sqlite}]", "its products are missing"),
    ])
    func aMissingCatalogSpeaksForItself(sources: String, words: String) async throws {
        let configuration = try Configuration.parse(
            text: "catalog: {sources: \(sources)}", file: "/k.yaml")
        let check = CatalogCheck(box: Box(files) { $0.configuration = configuration })
        let finding = try #require(await check.findings().first)
        #expect(finding.verdict == .fails)
        #expect(finding.text == "there is no catalog at /none.sqlite: \(words)")
    }

    @Test(arguments: [("yes\n", Finding.Verdict.holds), ("no\n", .warns), ("", .notTried)])
    func theClockIsAskedFor(said: String, verdict: Finding.Verdict) async throws {
        let check = ClockCheck(
            box: Box(files) { $0.programs = StubPrograms.output(["timedatectl": said]) })
        #expect(await check.findings().map(\.verdict) == [verdict])
    }

    @Test func aJournalThatMayOutgrowTheDiskIsMadeSmaller() async throws {
        var settings = JournalSettings(file: "/journal.sqlite")
        settings.keep.megabytes = 1 << 40
        let check = JournalCheck(box: Box(files) { $0.configuration.journal = settings })
        let room = try #require(await check.findings().first)
        #expect(room.text.contains("and the journal may grow by 1099511627776 MB more"))
        let setting = try #require(room.remedies[0].setting.last)
        #expect(setting.hasPrefix("  keep: {megabytes: "))
        settings.keep.megabytes = try #require(Int(setting.filter(\.isNumber)))
        let mended = JournalCheck(box: Box(files) { $0.configuration.journal = settings })
        #expect(await mended.findings().map(\.verdict) == [.holds, .notTried])
    }

    @Test func aLockThatTheDaemonMayNotUseIsNamed() async throws {
        let user = BoxUser(name: "keywedge", number: 990, groups: [990])
        for (name, mode) in [("", 0o777), ("/j.sqlite", 0o666), ("/j.sqlite.lock", 0o600)] {
            if !name.isEmpty { try write("", to: name) }
            try #require(chmod(folder.path + name, mode_t(mode)) == 0)
        }
        let check = JournalCheck(
            box: Box(files) {
                $0.user = user
                $0.configuration.journal = JournalSettings(file: "/j.sqlite")
            })
        let finding = try #require(await check.findings().first)
        #expect(
            finding.text == "the daemon's user keywedge may not write to /j.sqlite.lock")
    }

    @Test func whatTheJournalHasTakenIsNotAskedOfTheDiskAgain() async throws {
        let gigabyte = 1 << 30
        let path = try folder.write("", to: "journal.sqlite")
        // A sparse file takes no room on the disk.
        #expect(truncate(path, 2 * gigabyte) == 0)
        var settings = JournalSettings(file: "/journal.sqlite")
        let free = try #require(files.space("/"))
        settings.keep.megabytes = (Int(free) + gigabyte) >> 20
        let check = JournalCheck(box: Box(files) { $0.configuration.journal = settings })
        #expect(await check.findings().first?.verdict == .holds)
    }

    @Test(arguments: [1, 2]) func aJournalOfAnEarlierKeywedgeIsNotDamaged(schema: Int) async throws
    {
        let tests = URL(filePath: #filePath).appending(path: "../../..").standardized
        try FileManager.default.copyItem(
            at: tests.appending(path: "JournalTests/Files/schema-\(schema).sqlite"),
            to: URL(filePath: folder.path("journal.sqlite")))
        let check = JournalCheck(
            box: Box(files) { $0.configuration.journal = JournalSettings(file: "/journal.sqlite") })
        #expect(await check.findings().last?.verdict == .notTried)
    }

    @Test func eventsOfASinkThatIsNoLongerConfiguredAreCounted() async throws {
        let settings = JournalSettings(file: "/journal.sqlite")
        let journal = try EventJournal(
            opening: JournalSettings(file: folder.path + settings.file))
        for _ in 0..<3 {
            let sequence = journal.nextSequence()
            journal.append(
                JournalEntry(
                    Event(
                        id: "id-\(sequence)", source: "/keywedge/r", type: .started,
                        time: EventTime(microsecondsSince1970: 0), sequence: sequence, data: [:])))
            try await journal.committed(sequence)
        }
        let first = Cursor(epoch: journal.epoch, sequence: 1)
        for sink in ["old", "new"] { try await journal.move(.sink(sink), to: first) }
        await journal.close()
        let sinks = try Configuration.parse(
            text: "events: [{exec: {name: new, command: [/bin/true]}}]", file: "/k.yaml")
        let check = JournalCheck(
            box: Box(files) {
                $0.configuration = sinks
                $0.configuration.journal = settings
            })
        let finding = try #require(await check.findings().last)
        #expect(finding.verdict == .warns)
        #expect(finding.text.hasPrefix("2 events wait for the sink \"old\""), "\(finding.text)")
        #expect(finding.remedies[0].commands == ["keywedge journal forget old"])
    }

    @Test func anAddressIsAddedToThePolicyThatIsThere() async throws {
        let folder = "/etc/chromium/policies/managed"
        try write(
            #"{"X":1,"LocalNetworkAccessAllowedForUrls":["https://a.example"]}"#,
            to: folder + "/shop.json")
        let finding = try #require(await policyFindings.first { $0.text.contains("managed") })
        #expect(finding.verdict == .fails)
        #expect(finding.remedies[0].file == folder + "/shop.json")
        let written = finding.remedies[0].setting.joined(separator: "\n")
        #expect(written.contains("https://a.example") && written.contains("\"X\": 1"))
        try write(written, to: folder + "/shop.json")
        #expect(
            await policyFindings.first { $0.text.contains("managed") }?.verdict == .holds)
    }

    @Test(arguments: [
        ("*", true), ("https://pos.example", true), ("https://pos.example/", true),
        ("pos.example", true), ("[*.]example", true), ("https://[*.]pos.example", true),
        ("http://pos.example", false), ("os.example", false), ("https://pos.example.org", false),
        ("[*.]os.example", false),
    ])
    func aPatternOfAPolicyStandsForPages(pattern: String, isAllowed: Bool) {
        #expect(InterfaceCheck.matches(pattern, "https://pos.example") == isAllowed)
    }

    private var policyFindings: [Finding] {
        get async {
            var settings = ListenSettings(socket: "/s")
            settings.http = ListenAddress("127.0.0.1:8691")
            settings.origins = ["https://pos.example"]
            return await InterfaceCheck(
                box: Box(files) { $0.configuration.listen = settings }
            ).findings()
        }
    }

    @Test func rightsAreTheKernels() throws {
        try write("", to: "/a/b")
        let path = folder.path + "/a/b"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let facts = try #require(files.facts("/a/b"))
        let member = BoxUser(name: "m", number: 990, groups: [facts.group])
        let other = BoxUser(name: "o", number: 991, groups: [991])
        #expect(member.may(.reading, facts) && !member.may(.writing, facts))
        #expect(!other.may(.reading, facts))
        #expect(other.obstacle(to: .reading, "/a/b", files) == "/a/b")
        #expect(facts.rights == "rw-r-----")
    }

    @Test(arguments: [
        ("a", "a"), ("a b", "\"a b\""), ("no", "\"no\""), ("007", "\"007\""), ("", "\"\""),
    ])
    func aNameIsATextInYAML(text: String, word: String) { #expect(text.yamlWord == word) }

    @Test func aPathIsOneWordOfAShell() {
        #expect("/a/b".shellWord == "/a/b")
        #expect("/a b'c".shellWord == "'/a b'\\''c'")
    }
}
