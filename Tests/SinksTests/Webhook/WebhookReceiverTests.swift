import Events
import Foundation
import Journal
import TestFolders
import TestWaiting
import Testing
import WebAPI
import WireText

@testable import Sinks

/// The path of a Python that has the reference library; nil if the environment does not name one.
private let verifyingPython = ProcessInfo.processInfo.environment["KEYWEDGE_WEBHOOK_PYTHON"]

/// Tests that the reference library of Standard Webhooks can verify the requests.
@Suite(
    .blocking,
    .enabled(
        if: verifyingPython != nil,
        "KEYWEDGE_WEBHOOK_PYTHON names no Python with standardwebhooks: make test-webhooks"))
struct WebhookReceiverTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../WebhookReceiver/webhook_receiver.py").standardized.path()

    /// Returns the requests that the receiver has written to a file.
    private static func requests(_ file: String) throws -> [JSONObject] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            .compactMap { try JSONReader.read(String($0)).object }
    }

    @Test(arguments: ["taken", "unwell"])
    func everyRequestIsVerifiedAndEveryEventComesInOrder(path: String) async throws {
        let folder = try TemporaryFolder()
        let secret =
            "whsec_" + Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        let output = folder.path("output")
        let receiver = try TestProcess(
            [try #require(verifyingPython), Self.script, secret], output: output)
        defer { receiver.end(SIGKILL) }
        #expect(
            await eventually {
                (try? String(contentsOfFile: output, encoding: .utf8))?.contains("\n") == true
            })
        let text = try String(contentsOfFile: output, encoding: .utf8)
        let port = try #require(text.split(separator: "\n").first)
        let journal = try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite")), sinks: ["s"])
        let texts = ["4006381333931", "\u{1d}\r\n\u{202e}ü\0", "{scanner}/#"]
        for text in texts {
            let number = journal.nextSequence()
            journal.append(JournalEntry(Entries.event(number, text: text)))
        }
        try await journal.committed(3)
        let ear = Ear()
        let outlet = WebhookOutlet(
            to: try Location("http://127.0.0.1:\(port)/\(path)"),
            over: try AsyncHTTPClientTransport(), secrets: { [try WebhookSecret(secret)] },
            // Long enough for every answer except one, which never arrives.
            limit: .seconds(60))
        let runner = SinkRunner(
            name: "s", outlet: outlet, journal: journal, start: .oldest, filter: EventFilter(),
            reporter: ear.reporter, clock: SinkRunnerTests.Waits(),
            now: { EventTime(microsecondsSince1970: 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            try await waitUntil("the last event") {
                try await journal.cursor(of: .sink("s"))?.sequence == 3
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        let requests = try Self.requests(output)
        #expect(requests.allSatisfy { $0["verified"] == true })
        let times = path == "taken" ? 1 : 6
        let entries = try await journal.page(after: nil, limit: 10).entries
        let expected = entries.flatMap { Array(repeating: $0, count: times) }
        #expect(requests.map { $0["id"]?.string } == expected.map(\.id))
        #expect(
            requests.map { $0["body"]?.string }
                == expected.map { String(decoding: $0.line, as: UTF8.self) })
        await journal.close()
    }
}
