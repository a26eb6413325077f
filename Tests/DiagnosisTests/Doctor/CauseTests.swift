import Catalog
import EventService
import Foundation
import Glibc
import HTTPService
import Journal
import KeywedgeConfiguration
import KeywedgeTestKit
import Sinks
import TestFolders
import Testing
import WebAPI
import WireText

@testable import Diagnosis

/// Tests that `doctor` advises by cause, and that something this user may not see is not reported as a failure.
@Suite struct CauseTests {
    private let folder: TemporaryFolder
    private var files: BoxFiles { BoxFiles(root: folder.path) }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to path: String) throws {
        let file = URL(filePath: folder.path + path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    private func sinks(
        _ yaml: String, _ trouble: SinkTrouble? = nil, credentialsFolder: String? = nil,
        answer: String? = nil
    ) async throws -> [Finding] {
        let configuration = try Configuration.parse(text: yaml, file: "/k.yaml")
        let box = Box(files) {
            $0.configuration = configuration
            $0.connect = { _ in trouble }
            $0.sendTest = { _ in answer }
            $0.sendsTestEvent = answer != nil
            $0.credentialsFolder = credentialsFolder
        }
        return await SinksCheck(box: box).findings()
    }

    private static let mqtt = "events: [{mqtt: {url: \"mqtt://localhost\"}}]"

    @Test(arguments: [
        (
            SinkTrouble.Cause.connection(ConnectionError(.refused, during: .connect)),
            ["systemctl enable --now mosquitto"], "Start it."
        ),
        (.credentials, ["systemctl restart keywedge"], "wants a user and a password"),
        (
            .connection(ConnectionError(.certificateExpired(.now), during: .tls)),
            ["timedatectl"], "has to renew it"
        ),
        (
            .connection(ConnectionError(.unknownHost, during: .dns)),
            ["resolvectl query localhost"], "the host's name"
        ),
        (.refusal, [], "for the reason that it names"),
        (.content, ["systemctl restart keywedge"], "Write what is expected into the file."),
    ])
    func theRemedyOfABrokerIsForTheCause(
        cause: SinkTrouble.Cause, commands: [String], advice: String
    ) async throws {
        try write("", to: "/usr/sbin/mosquitto")
        let finding = try #require(
            await sinks(Self.mqtt, SinkTrouble("mqtt://localhost: no", cause)).first)
        #expect(finding.verdict == .fails)
        #expect(finding.remedies.map(\.commands) == [commands])
        #expect(finding.remedies[0].advice.contains(advice), "\(finding.remedies[0].advice)")
    }

    @Test(arguments: [
        ("it closed the connection before it answered", "mqtts://"),
        ("it has not answered for 15s", "says nothing"),
    ])
    func aBrokerThatNamesNoReasonHasAPortOfAnotherKind(
        said: String, advice: String
    ) async throws {
        let remedies = try await sinks(Self.mqtt, SinkTrouble(said, .refusal))[0].remedies
        #expect(remedies[0].advice.contains(advice))
        #expect(!remedies[0].advice.contains("the reason that it names"))
    }

    @Test(arguments: [
        ("401", "secret_file"), ("403", "secret_file"), ("404", "correct url"),
        ("308", "final address"), ("503", "its log"), ("422", "every type of event"),
    ])
    func theRemedyOfATestEventIsForTheAnswer(status: String, advice: String) async throws {
        let yaml = "events: [{webhook: {url: \"https://a.example/\", secret_file: /s}}]"
        try write("whsec_x", to: "/s")
        let answer = "it answered with status \(status)"
        let finding = try #require(await sinks(yaml, answer: answer).last)
        #expect(finding.remedies[0].advice.contains(advice), "\(finding)")
    }

    @Test func theRemedyOfACommandIsForItsExitCode() async throws {
        let command = try folder.write("#!/bin/sh\n", to: "on-scan")
        try write("", to: command)
        for (answer, advice) in [
            ("it cannot be run: Permission denied", "Make it executable."),
            ("it ended with 3", "The command itself fails"),
            ("the command ended with 65", "every type of event"),
        ] {
            let yaml = "events: [{exec: {command: [\(command)]}}]"
            let finding = try #require(await sinks(yaml, answer: answer).last)
            #expect(finding.remedies[0].advice.contains(advice), "\(finding)")
        }
        let missing = try await sinks("events: [{exec: {command: [no-such-command]}}]")
        #expect(missing.map(\.verdict) == [.fails])
        #expect(missing[0].text.contains("is in PATH"))
    }

    @Test func aCommandThatCannotBeStartedHasItsNextCommand() throws {
        func remedy(_ path: String) -> Remedy? {
            Remedy(for: SystemCallError(operation: "posix_spawn", path: path, errno: EACCES))
        }
        let path = try folder.write("true\n", to: "on-scan")
        #expect(remedy(path)?.commands == ["chmod +x \(path)"])
        chmod(path, 0o755)
        #expect(remedy(path)?.commands == ["head -n 1 \(path)"])
        #expect(remedy("no-such-command")?.advice.contains("in PATH") == true)
    }

    @Test func aCatalogIsNotMovedAwayForAJournalNorAJournalForACatalog() throws {
        let catalog = folder.path("catalog.sqlite")
        _ = try CatalogFile(path: catalog, access: .writing)
        let taken = try #require(Remedy(for: JournalError.notAJournal(path: catalog)))
        #expect(taken.commands == ["ls -ld \(catalog)"])
        // A journal's header: its kind is in bytes 68 to 71.
        let header = "SQLite format 3\0" + String(repeating: "x", count: 52) + "kwJn"
        let journal = try folder.write(header, to: "journal.sqlite")
        let other = try #require(Remedy(for: CatalogError.notACatalog(path: journal)))
        #expect(other.commands == ["ls -ld \(journal)"])
    }

    @Test func aJournalNeedsItsFolder() async throws {
        let check = JournalCheck(
            box: Box(files) { $0.configuration.journal = JournalSettings(file: "/none/j.sqlite") })
        let finding = try #require(await check.findings().last)
        #expect(finding.verdict == .fails)
        #expect(finding.remedies[0].commands.first == "mkdir -p /none")
    }

    @Test func aCredentialIsNotLookedForWhileTheUnitDoesNotRun() async throws {
        let yaml = "events: [{webhook: {url: \"https://a.example/\", secret_file: credential:erp}}]"
        #expect(try await sinks(yaml).map(\.verdict) == [.notTried])
        let missing = try await sinks(yaml, credentialsFolder: "/run/credentials")
        #expect(missing.map(\.verdict) == [.fails])
        #expect(missing[0].remedies[0].setting.last == "LoadCredential=erp:/etc/keywedge/erp")
    }

    private static let outlived: Int64 = 60 * 86_400

    /// Opening a catalog rewrites its log, and a copy of its file is new.
    @Test(arguments: [true, false])
    func theAgeOfACatalogIsThatOfItsContent(isCopy: Bool) async throws {
        let path = folder.path("catalog.sqlite")
        let catalog = try CatalogFile(path: path, access: .writing)
        try catalog.importCSV(folder.write("id,code,price,currency\n1,a,1,EUR\n", to: "x.csv"))
        let written = try #require(try catalog.lastWritten())
        if !isCopy {
            let old = Date(timeIntervalSince1970: Double(written - Self.outlived))
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
        }
        let configuration = try Configuration.parse(
            text: "catalog: {sources: [{embedded: /catalog.sqlite}]}", file: "/k.yaml")
        let check = CatalogCheck(
            box: Box(files) {
                $0.configuration = configuration
                $0.now = isCopy ? written + Self.outlived : written
            })
        for _ in 0..<2 {
            let findings = await check.findings()
            #expect(
                findings.contains { $0.text.contains("was last written 60d ago") }, "\(findings)")
        }
    }

    @Test func aFileThatIsNoJournalStaysWhereItIs() async throws {
        try write("a text", to: "/journal.sqlite")
        let check = JournalCheck(
            box: Box(files) { $0.configuration.journal = JournalSettings(file: "/journal.sqlite") })
        let finding = try #require(await check.findings().last)
        #expect(finding.remedies[0].commands.allSatisfy { $0.hasPrefix("ls ") })
    }

    private func interface(_ settings: ListenSettings, now: Int64 = 0) async -> [Finding] {
        await InterfaceCheck(
            box: Box(files) {
                $0.now = now
                $0.configuration.listen = settings
                $0.answer = .fails("it does not run")
            }
        ).findings()
    }

    @Test func aPortThatAnotherProgramHasIsFoundByBinding() async throws {
        var settings = ListenSettings(socket: "/s")
        try await StubServer.answering { _ in
            StubAnswer()
        } _: { [settings] server in
            var settings = settings
            settings.http = ListenAddress("127.0.0.1:\(server.port)")
            let taken = await interface(settings)
            #expect(taken.map(\.verdict) == [.holds, .fails])
            #expect(taken[1].remedies[0].commands == ["ss -ltnp 'sport = :\(server.port)'"])
        }
        settings.http = ListenAddress("127.0.0.1:0")
        #expect(await interface(settings).map(\.verdict) == [.holds, .holds])
        // The trial leaves nothing behind.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func aCertificateThatHasExpiredIsAFailure() async throws {
        let pair = try TestAuthority().certificate(for: ["till"])
        try Data(pair.certificate).write(to: URL(filePath: folder.path("cert")))
        try Data(pair.key).write(to: URL(filePath: folder.path("key")))
        var settings = ListenSettings(socket: "/s")
        settings.http = ListenAddress("127.0.0.1:0")
        (settings.certificateFile, settings.keyFile) = ("/cert", "/key")
        let now = Int64(time(nil))
        #expect(await interface(settings, now: now).allSatisfy { $0.verdict == .holds })
        let late = await interface(settings, now: now + 100 * 366 * 86_400)
        let finding = try #require(late.first { $0.verdict == .fails })
        #expect(finding.text.hasPrefix("the certificate /cert expired at 20"))
    }

    @Test func aSocketInAMissingFolderIsFoundByBinding() async throws {
        let finding = try #require(await interface(ListenSettings(socket: "/none/s")).first)
        #expect(finding.verdict == .fails)
        #expect(finding.remedies[0].commands == ["mkdir -p \(folder.path("none"))"])
    }

    @Test func theDaemonThatThisUserMayNotAskIsNotSeen() async throws {
        let path = folder.path("s")
        let address = try #require(UnixPath(path))
        #expect(address.bind())
        chmod(path, 0o660)
        let check = InterfaceCheck(
            box: Box(files) {
                $0.configuration.listen = ListenSettings(socket: "/s")
                $0.answer = .forbidden("no")
            })
        #expect(await check.findings().map(\.verdict) == [.unseen])
    }

    @Test(arguments: [0o664, 0o662, 0o661] as [mode_t])
    func aSocketThatEveryUserMayUseInSomeWayIsAFailure(mode: mode_t) async throws {
        let path = folder.path("s")
        let address = try #require(UnixPath(path))
        #expect(address.bind())
        chmod(path, mode)
        let finding = try #require(await interface(ListenSettings(socket: "/s")).first)
        #expect(finding.verdict == .fails)
        #expect(finding.remedies.first?.commands == ["chmod 660 /s"])
    }

    @Test(arguments: [
        (CatalogError.missing(path: "/tmp/c"), "keywedge catalog import FILE.csv --catalog /tmp/c"),
        (.damaged(path: "/c d"), "mv '/c d' '/c d'.broken"),
        (.notADatabase(path: "/c.sqlite"), "mv /c.sqlite /c.sqlite.broken"),
        (.notADatabase(path: "/etc/passwd"), "ls -ld /etc/passwd"),
        (.notACatalog(path: "/etc"), "ls -ld /etc"),
        (.unreadable(path: "/etc", reason: "it is a directory"), "ls -l /etc"),
        (.locked(path: "/c"), "fuser -v /c"), (.diskFull(path: "/v/c"), "df -h /v"),
    ])
    func anErrorOfACatalogHasItsNextCommand(error: CatalogError, command: String) {
        #expect(Remedy(for: error)?.commands.first == command)
    }

    @Test(arguments: [
        (ENOENT, "/none/at/all/k.yaml", "ls -l /"), (EISDIR, "/etc", "ls -l /etc"),
        (ENOTDIR, "/etc/passwd/k.yaml", "ls -ld /etc/passwd"),
        (ENOENT, "/tmp/k.yaml", "ls -l /tmp"),
        (
            EACCES, "/etc/k.yaml",
            geteuid() == 0 ? "findmnt -T /etc" : "ls -ld /etc /etc/k.yaml"
        ), (ENOSPC, "/var/k", "df -h /var"),
    ])
    func anErrorOfTheSystemHasItsNextCommand(number: Int32, path: String, command: String) {
        let error = SystemCallError(operation: "open", path: path, errno: number)
        #expect(Remedy(for: error)?.commands.first == command)
        #expect(Remedy(for: ListenError.system(error))?.commands.first == command)
    }

    @Test func aFileToBeMadeInAMissingFolderNeedsTheFolder() {
        let error = SystemCallError(operation: "create", path: "/none/x", errno: ENOENT)
        #expect(Remedy(for: error)?.commands == ["mkdir -p /none"])
    }

    @Test func anEmptyFileIsFilledAndNotRenamed() throws {
        let path = try folder.write("", to: "empty.sqlite")
        #expect(
            Remedy(for: JournalError.notAJournal(path: path))?.commands
                == ["systemctl start keywedge"])
        #expect(
            Remedy(for: CatalogError.notACatalog(path: path))?.commands
                == ["keywedge catalog import FILE.csv --catalog \(path)"])
    }
}

/// A unix socket without a listener.
private struct UnixPath {
    private var address = sockaddr_un()

    init?(_ path: String) {
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard fits else { return nil }
    }

    func bind() -> Bool {
        let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(made) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
