import Events
import Foundation
import Journal
import Synchronization
import TestFolders
import Testing
import WebAPI
import WireText

@testable import EventService

/// Tests `GET /v1/status` and `GET /metrics`, which count the events of a run.
@Suite(.timeLimit(.minutes(10))) struct StatusTests {
    private static let code = "4006381333931"

    /// Returns the data of a scan event, as the pipeline builds it.
    private static func scan(_ scanner: String, took: UInt64 = 40) -> JSONObject {
        [
            "scanner": ["name": .string(scanner), "vendor": "0c2e", "product": "0b61"],
            "text": .string(code), "kind": "gtin", "problems": [],
            "lookup": [
                "status": "found", "origin": "embedded",
                "took_ms": .number(JSONNumber(thousandths: took)),
            ],
        ]
    }

    /// Returns the content of an answer, which must have status 200.
    private static func content(_ answer: String) throws -> String {
        try #require(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
        return try #require(answer.components(separatedBy: "\r\n\r\n").dropFirst().first)
    }

    private static func status(_ service: Service, _ query: String = "") async throws -> JSONObject
    {
        let answer = try await service.answer("GET", "/v1/status\(query)")
        #expect(
            answer.contains("Cache-Control: no-store") || answer.contains("cache-control: no-store")
        )
        return try #require(try JSONReader.read(Array(content(answer).utf8)).object)
    }

    @Test func theStatusTellsWhatAScannerDid() async throws {
        var parts = Service.parts()
        parts.scanners = { ["counter", "warehouse"] }
        let service = try Service(parts: parts)
        let scanner: JSONValue = ["name": "counter", "vendor": "0c2e", "product": "0b61"]
        service.publish(["scanner": scanner], type: .scannerConnected)
        service.publish(Self.scan("counter"), type: .scan)
        service.publish(
            ["scanner": scanner, "reason": "torn", "text": "40063"], type: .scanRejected)
        service.publish(["scanner": scanner, "reason": "torn"], type: .scanRejected)
        service.publish(
            [
                "scanner": scanner, "reason": "unmapped-key",
                "problems": [
                    ["code": "layout-suspect", "message": "The layout may be another: de."]
                ],
            ], type: .scanRejected)

        let status = try await Self.status(service)
        #expect(status["register"] == "test")
        #expect(status["lookups"] == ["found": 1])
        let scanners = try #require(status["scanners"]?.array).compactMap(\.object)
        #expect(scanners.map { $0["name"]?.string } == ["counter", "warehouse"])
        let counter = try #require(scanners.first)
        #expect(counter["scans"] == 1)
        #expect(counter["vendor"] == "0c2e")
        #expect(counter["rejections"] == ["torn": 2, "unmapped-key": 1])
        #expect(counter["lost_keys"]?.object?["count"] == 2)
        #expect(counter["last_rejection"]?.object?["reason"]?.string != nil)
        let suspicion = counter["layout_suspicion"]?.object
        #expect(suspicion?["message"] == "The layout may be another: de.")
        #expect(counter["held_since"]?.string != nil)
        // A configured scanner that is missing is listed too.
        #expect(scanners.last?["held_since"] == .null)

        service.publish(["scanner": scanner, "reason": "unplugged"], type: .scannerDisconnected)
        let after = try await Self.status(service)["scanners"]?.array?.first?.object
        #expect(after?["held_since"] == .null)
        try await service.stop()
    }

    /// A field without a value is null and not left out, so that clients need not check whether it exists.
    @Test func whatAPartDoesNotHaveIsNull() async throws {
        var parts = Service.parts()
        parts.scanners = { ["counter"] }
        parts.sources = { [SourceStatus(name: "shop", kind: "http")] }
        parts.sinks = { [SinkStatus(name: "stdout", isDurable: false)] }
        let service = try Service(parts: parts)
        let status = try await Self.status(service)
        for (list, name) in [
            ("listen", "trouble"), ("scanners", "held_since"), ("scanners", "last_text"),
            ("sources", "age_s"), ("sources", "feed"), ("sinks", "lag_events"),
        ] {
            #expect(status[list]?.array?.first?.object?[name] == .null, "\(list) \(name)")
        }
        try await service.stop()
    }

    @Test func aClientReadsTheStatusOfAnotherVersion() throws {
        let text = """
            {"register": "till", "version": "9", "started": "2026-11-21T08:00:00Z",
            "time": "2026-11-21T08:00:09.5Z", "new": {"a": 1},
            "scanners": [{"name": "counter", "new": [], "held_since": null, "rejections": {"torn": 2}}],
            "journal": {"file": "j", "state": "new"}, "sinks": [{"name": "erp", "lag_s": 1.25}]}
            """
        let status = try DaemonStatus(Response(status: 200, payload: Array(text.utf8)))
        #expect(
            status.time.microsecondsSince1970 - status.started.microsecondsSince1970 == 9_500_000)
        #expect(status.scanners.first?.rejections == ["torn": 2])
        #expect(status.scanners.first?.lostKeys.count == 0)
        #expect(status.listen.isEmpty && status.consumers.isEmpty && status.journal.events == nil)
        #expect(status.sinks.first?.lagS == 1.25)
    }

    @Test func metricsShowAPlaceThatIsTaken() async throws {
        let first = try Service(http: "127.0.0.1:0")
        let port = try await first.port()
        let second = try Service(http: "127.0.0.1:\(port)")
        let metrics = try Self.content(try await second.answer("GET", "/metrics"))
        #expect(metrics.contains("\nkeywedge_listen_ok{place=\"127.0.0.1:\(port)\"} 0\n"))
        #expect(metrics.contains("\nkeywedge_listen_ok{place=\"\(second.socket)\"} 1\n"))
        try await second.stop()
        try await first.stop()
    }

    @Test func noCodeIsToldUnlessAskedFor() async throws {
        let service = try Service()
        service.publish(Self.scan("counter"), type: .scan)
        for target in ["/v1/status", "/v1/status?codes=false", "/metrics"] {
            let answer = try await service.answer("GET", target)
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(!answer.contains(Self.code))
        }
        let shown = try await Self.status(service, "?codes=true")
        #expect(shown["scanners"]?.array?.first?.object?["last_text"] == .string(Self.code))
        // A card has no text to show, and the previous scan's text must not appear instead.
        service.publish(
            ["scanner": ["name": "counter"], "content": "payment-card"], type: .scanRedacted)
        let redacted = try await Self.status(service, "?codes=true")["scanners"]?.array?.first?
            .object
        #expect(redacted?["last_text"] == .null)
        #expect(redacted?["redacted"] == 1)
        try await service.stop()
    }

    @Test func theLagOfEachReaderIsCounted() async throws {
        var parts = Service.parts()
        parts.sinks = {
            var sink = SinkStatus(name: "erp", isDurable: true)
            sink.trouble = .init(
                message: "it answered with status 503", time: EventTime(microsecondsSince1970: 0))
            sink.lastError = sink.trouble
            return [sink, SinkStatus(name: "keyboard", isDurable: false)]
        }
        let service = try Service(parts: parts)
        let first = service.publish(Self.scan("counter"), type: .scan)
        for _ in 0..<3 { service.publish(Self.scan("counter"), type: .scan) }
        try await service.journal.committed(first + 3)
        let cursor = Cursor(epoch: service.journal.epoch, sequence: first)
        try await service.journal.move(.sink("erp"), to: cursor)
        try await service.journal.move(.consumer("till"), to: cursor)
        try await service.journal.move(.sink("old"), to: cursor)

        let status = try await Self.status(service)
        let sinks = try #require(status["sinks"]?.array).compactMap(\.object)
        #expect(sinks.map { $0["name"]?.string } == ["erp", "keyboard"])
        #expect(sinks[0]["lag_events"] == 3)
        #expect(sinks[0]["state"] == "trouble")
        #expect(sinks[0]["last_error"]?.object?["message"] == "it answered with status 503")
        #expect(sinks[0]["dead_letters"] == 0)
        #expect(sinks[1]["lag_events"] == .null)
        let former = status["former_sinks"]?.array?.compactMap(\.object)
        #expect(former?.map { $0["name"]?.string } == ["old"])
        #expect(former?.first?["lag_events"] == 3)
        let consumer = status["consumers"]?.array?.first?.object
        #expect(consumer?["name"] == "till")
        #expect(consumer?["lag_events"] == 3)
        #expect(status["journal"]?.object?["events"] == 4)
        #expect(status["journal"]?.object?["state"] == "open")

        let metrics = try Self.content(try await service.answer("GET", "/metrics"))
        #expect(metrics.contains("\nkeywedge_sink_lag_events{sink=\"erp\"} 3\n"))
        #expect(metrics.contains("\nkeywedge_sink_ok{sink=\"erp\"} 0\n"))
        #expect(metrics.contains("\nkeywedge_consumer_lag_events{consumer=\"till\"} 3\n"))
        try await service.stop()
    }

    @Test func aSinkWithDeadLettersIsNotOK() async throws {
        var parts = Service.parts()
        parts.sinks = {
            ["erp", "mqtt"].map { SinkStatus(name: $0, isDurable: true) }
        }
        let service = try Service(parts: parts)
        let number = service.publish(Self.scan("counter"), type: .scan)
        try await service.journal.committed(number)
        let entry = try #require(
            try await service.journal.page(after: nil, limit: 1).entries.first)
        for sink in ["erp", "erp", "former"] {
            try await service.journal.addDeadLetter(
                entry, of: sink, reason: "no", at: EventTime(microsecondsSince1970: 0))
        }
        let status = try await Self.status(service)
        let sinks = try #require(status["sinks"]?.array).compactMap(\.object)
        #expect(sinks.map { $0["state"]?.string } == ["refused", "ok"])
        #expect(sinks.map { $0["dead_letters"] } == [2, 0])
        #expect(status["journal"]?.object?["dead_letters"] == 3)
        let metrics = try Self.content(try await service.answer("GET", "/metrics"))
        for line in [
            #"keywedge_sink_ok{sink="erp"} 0"#, #"keywedge_sink_ok{sink="mqtt"} 1"#,
            #"keywedge_sink_dead_letters{sink="erp"} 2"#,
            #"keywedge_sink_dead_letters{sink="mqtt"} 0"#,
            #"keywedge_sink_dead_letters{sink="former"} 1"#,
        ] { #expect(metrics.contains("\n\(line)\n"), "\(line)") }
        try await service.stop()
    }

    @Test func metricsAreCountersAndBuckets() async throws {
        var parts = Service.parts()
        parts.rejectionReasons = ["idle", "torn"]
        let service = try Service(parts: parts)
        service.publish(Self.scan("counter", took: 4_000), type: .scan)
        service.publish(Self.scan("counter", took: 7_000), type: .scan)
        service.publish(Self.scan("counter", took: 11_000_000), type: .scan)
        let answer = try await service.answer("GET", "/metrics")
        #expect(answer.contains("text/plain; version=0.0.4; charset=utf-8"))
        let lines = try Self.content(answer).split(separator: "\n").map { String($0) }
        for line in [
            "# TYPE keywedge_scans_total counter", "keywedge_scans_total{scanner=\"counter\"} 3",
            // Counters exist from the start: Prometheus does not see a rise from nothing to 1.
            "keywedge_scans_rejected_total{scanner=\"counter\",reason=\"torn\"} 0",
            "# TYPE keywedge_lookup_seconds histogram",
            "keywedge_lookup_seconds_bucket{status=\"found\",le=\"0.005\"} 1",
            "keywedge_lookup_seconds_bucket{status=\"found\",le=\"0.01\"} 2",
            "keywedge_lookup_seconds_bucket{status=\"found\",le=\"10\"} 2",
            "keywedge_lookup_seconds_bucket{status=\"found\",le=\"+Inf\"} 3",
            "keywedge_lookup_seconds_sum{status=\"found\"} 11.011",
            "keywedge_lookup_seconds_count{status=\"found\"} 3",
            "keywedge_enter_to_event_seconds_count 3",
            "keywedge_build_info{version=\"0\",register=\"test\"} 1",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        try await service.stop()
    }

    @Test(arguments: [
        ("a\"b", #"a\"b"#), (#"a\b"#, #"a\\\\b"#), ("a\nb", #"a\\nb"#), ("\u{1B}[2J", #"\\x1b[2J"#),
        ("\u{202E}evil", #"\\u202eevil"#), ("Kasse 1 – Süd", "Kasse 1 – Süd"),
    ])
    func hostileNamesStayInTheirLabel(name: String, label: String) async throws {
        let service = try Service()
        service.publish(Self.scan(name), type: .scan)
        let metrics = try Self.content(try await service.answer("GET", "/metrics"))
        #expect(metrics.contains("\nkeywedge_scans_total{scanner=\"\(label)\"} 1\n"), "\(metrics)")
        let status = try await service.answer("GET", "/v1/status")
        #expect(
            status.unicodeScalars.allSatisfy {
                !Escaping.isUnsafe($0) || "\r\n".unicodeScalars.contains($0)
            })
        try await service.stop()
    }

    @Test func aJournalInTroubleKeepsNothingElseFromBeingTold() async throws {
        let service = try Service()
        service.publish(Self.scan("counter"), type: .scan)
        await service.journal.close()
        let status = try await Self.status(service)
        #expect(status["scanners"]?.array?.count == 1)
        #expect(status["journal"]?.object?["events"] == .null)
        let metrics = try Self.content(try await service.answer("GET", "/metrics"))
        #expect(metrics.contains("\nkeywedge_scans_total{scanner=\"counter\"} 1\n"))
        #expect(!metrics.contains("\nkeywedge_journal_events "))
        try await service.stop()
    }

    @Test func manyMayAskAtOnce() async throws {
        let service = try Service()
        service.publish(Self.scan("counter"), type: .scan)
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<40 {
                let target = number.isMultiple(of: 2) ? "/v1/status" : "/metrics"
                group.addTask { try await service.answer("GET", target) }
            }
            for try await answer in group { #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n")) }
        }
        try await service.stop()
    }

    @Test(arguments: ["/v1/status", "/metrics"])
    func theRulesOfEventsHoldForIt(target: String) async throws {
        let folder = try TemporaryFolder()
        try Data("abcdefghijklmnop1234\n".utf8).write(
            to: URL(fileURLWithPath: folder.path("token")))
        let service = try Service(
            http: "127.0.0.1:0", origins: ["https://pos.example"], token: folder.path("token"))
        let port = try await service.port()
        let shown = "Authorization: Bearer abcdefghijklmnop1234"
        func status(_ method: String, _ fields: [String], host: String? = nil) async throws
            -> String
        {
            let answer = try await service.answer(
                method, target, fields, host: host ?? "localhost:\(port)", on: port)
            return answer.split(separator: " ").dropFirst().first.map(String.init) ?? answer
        }
        #expect(try await status("GET", [shown]) == "200")
        #expect(try await status("HEAD", [shown]) == "200")
        #expect(try await status("GET", []) == "401")
        #expect(try await status("GET", ["Authorization: Bearer abcdefghijklmnop1235"]) == "401")
        #expect(try await status("GET", [shown], host: "evil.example:\(port)") == "421")
        #expect(try await status("GET", [shown, "Origin: https://evil.example"]) == "403")
        #expect(try await status("GET", [shown, "Sec-Fetch-Site: cross-site"]) == "403")
        #expect(try await status("GET", [shown, "Origin: https://pos.example"]) == "200")
        for method in ["POST", "PUT", "DELETE"] {
            #expect(try await status(method, [shown]) == "405")
        }
        // The unix socket needs no token, because the mode of its file protects it.
        #expect(try await service.answer("GET", target).hasPrefix("HTTP/1.1 200"))
        let head = try await service.answer("HEAD", target)
        #expect(head.hasSuffix("\r\n\r\n"))
        try await service.stop()
    }

    @Test(arguments: [
        "/v1/status?codes=1", "/v1/status?codes=", "/v1/status?code=true", "/metrics?codes=true",
    ])
    func whatIsWrongIsRefused(target: String) async throws {
        let service = try Service()
        #expect(try await service.answer("GET", target).hasPrefix("HTTP/1.1 400"))
        try await service.stop()
    }

    @Test func scannersWithoutEndAreCountedTogether() {
        var counts = EventCounts()
        let time = EventTime(microsecondsSince1970: 0)
        for number in 0..<1_000 {
            let event = Event(
                id: "\(number)", source: "/keywedge/test", type: .scan, time: time,
                sequence: UInt64(number), data: Self.scan("device-\(number)"))
            counts.count(event, at: time)
        }
        #expect(counts.scanners.count == EventCounts.scannerLimit + 1)
        #expect(counts.scanners.values.reduce(0) { $0 + $1.scans } == 1_000)
    }
}
