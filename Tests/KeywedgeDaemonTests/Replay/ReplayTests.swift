import Barcodes
import Catalog
import Events
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import Testing
import WireText

@Suite struct ReplayTests {
    @Test func aTypedScanBecomesAProductEvent() async throws {
        let shelf = Shelf(["04006381333931": Product(id: "pen", name: "Fineliner")])
        let events = try await replay(#"type "4006381333931\n""#, sources: [shelf])
        #expect(
            events == [
                #"{"specversion":"1.0","id":"\#(try #require(events.first?.eventID))","#
                    + #""source":"/keywedge/replay/scanners/default","type":"keywedge.scan","#
                    + #""time":"1970-01-01T00:00:00.052000Z","datacontenttype":"application/json","#
                    + #""sequence":"00000000000000000001","data":{"#
                    + #""scanner":{"name":"default","interface":"keyboard"},"text":"4006381333931","aim":null,"#
                    + #""symbology":"ean-13","inferred":true,"kind":"gtin","#
                    + #""gtin":"04006381333931","check_digit":"valid","problems":[],"#
                    + #""keystrokes":{"count":14,"duration_ms":52},"#
                    + #""lookup":{"status":"found","origin":"embedded"},"#
                    + #""product":{"id":"pen","name":"Fineliner"},"#
                    + #""charge":{"amount":null,"reason":"no-price"}}}"#
            ])
    }

    @Test func theSameRecordingGivesTheSameBytes() async throws {
        let text = "type \"1\\n\"\nwait 1s\ntype \"1\\n\"\ndropped\ntype \"2\\n\"\ntype \"3\\n\""
        let first = try await replay(text)
        let second = try await replay(text)
        #expect(first == second)
        #expect(first.count == 4)
        #expect(Set(first.map(\.eventID)).count == 4)
    }

    @Test(arguments: [("alt_numpad: true", "Alt+20013"), ("alt_numpad: false", "Alt+KEY_KP2")])
    func aNumberOfFiveDigitsIsExplained(setting: String, key: String) async throws {
        let keys = """
            down KEY_LEFTALT
            key KEY_KP2 KEY_KP0 KEY_KP0 KEY_KP1 KEY_KP3
            up KEY_LEFTALT
            key KEY_ENTER
            """
        let configuration = "scanners: [{name: counter, \(setting)}]"
        let line = try #require(
            await replay(keys, configuration: configuration, scanner: "counter").first)
        let data = try #require(try JSONReader.read(line).object?["data"]?.object)
        #expect(data["key"]?.string == key)
        guard case .array(let problems)? = data["problems"] else {
            Issue.record("no problems in \(line)")
            return
        }
        #expect(problems.map { $0.object?["code"]?.string } == ["alt-number"])
        #expect(problems.first?.object?["message"]?.string?.contains("unicode_entry: true") == true)
    }

    @Test func aLabelOfADistributorHasFields() async throws {
        let keys = """
            type "[)>"
            key KEY_F9
            type "06"
            key KEY_F8
            type "PX-1"
            key KEY_F8
            type "D281231"
            key KEY_F9 KEY_ENTER
            """
        let line = try #require(await replay(keys).first)
        #expect(
            line.contains(
                #""kind":"mh10","gtin":null,"check_digit":null,"fields":["#
                    + #"{"di":"P","title":"customer part number","value":"X-1"},"#
                    + #"{"di":"D","title":"date","value":"281231"}],"problems":[]"#), "\(line)")
    }

    @Test func recordingsFollowOneAnotherInTimeAndSequence() async throws {
        var replay = try replayer()
        let events = SentEvents()
        let publisher = events.publisher
        for _ in 0..<2 {
            try await replay.play(recording("wait 1s\ntype \"1\\n\""), to: publisher)
        }
        let times = events.all.map { "\($0.sequence) \($0.time)" }
        #expect(times == ["1 1970-01-01T00:00:00.004000Z", "2 1970-01-01T00:00:00.010000Z"])
    }

    @Test func scansAheadOfABadLineAreEmittedAndTheOneItCutsIsTorn() async throws {
        var replay = try replayer()
        let events = SentEvents()
        let bad = "type \"1\\n\"\nkey KEY_2\nkey KEY_NONSENSE\ntype \"3\\n\""
        await #expect(throws: RecordingError.self) {
            try await replay.play(recording(bad), to: events.publisher)
        }
        #expect(events.all.map(\.summary) == ["keywedge.scan 1", "keywedge.scan.rejected 2"])
        #expect(replay.rejectionCount == 1)
    }

    @Test func aRecordingThatEndsInMidScanIsIdle() async throws {
        let events = try await replay("key KEY_1 KEY_2")
        try #require(events.count == 1)
        #expect(events.first?.contains(#""reason":"idle","text":"12","position":2"#) == true)
    }

    @Test func aFailingSourceIsToldOfOnlyWhereNoOtherHasTheProduct() async throws {
        let shelf = Shelf(["7": Product(id: "seven")])
        let events = try await replay(
            "type \"7\\n\"\ntype \"8\\n\"", sources: [BrokenSource(), shelf])
        #expect(
            events.first?.contains(
                #""lookup":{"status":"found","origin":"embedded","failures":[{"catalog":"broken","#
                    + #""code":"unreachable","reason":"It is broken."}],"attempts":2}"#) == true)
        #expect(
            events.last?.contains(
                #""lookup":{"status":"failed","catalog":"broken","code":"unreachable","#
                    + #""reason":"It is broken.","attempts":2}"#) == true)
    }

    @Test func withoutSourcesTheLookupIsSkipped() async throws {
        let events = try await replay("type \"7\\n\"", sources: [])
        #expect(events.first?.contains(#""lookup":{"status":"skipped"}"#) == true)
    }

    @Test func devicesOfAKeysRecordingScanAtTheSameTime() async throws {
        let story = try await summaries(
            """
            type "0"
            device name="A"
            type "1"
            device name="B"
            type "2"
            device name="A"
            type "1\\n"
            device name="B"
            type "2\\n"
            """)
        #expect(story == ["keywedge.scan 11", "keywedge.scan 22", "keywedge.scan.rejected 0"])
    }

    @Test func nodesOfOneScannerTypeOneScan() async throws {
        let story = try await summaries(
            """
            device vendor=0c2e product=0b61 name="Keys" phys="usb-1/input0"
            type "1"
            device vendor=0c2e product=0b61 name="Keys" phys="usb-2/input0"
            type "3"
            device vendor=0c2e product=0b61 name="More keys" phys="usb-1/input1"
            type "2"
            device vendor=0c2e product=0b61 name="Keys" phys="usb-1/input0"
            key KEY_ENTER
            device vendor=0c2e product=0b61 name="More keys" phys="usb-1/input1"
            type "4\\n"
            """)
        #expect(
            story == ["keywedge.scan 12", "keywedge.scan 4", "keywedge.scan.rejected 3"])
    }

    @Test func aDeviceIsIdleWhileOthersType() async throws {
        let story = try await summaries(
            """
            device name="A"
            type "1"
            wait 100ms
            device name="B"
            type "2"
            wait 450ms
            type "2"
            device name="A"
            type "1\\n"
            wait 200ms
            device name="B"
            type "2\\n"
            """)
        #expect(
            story == ["keywedge.scan.rejected 1", "keywedge.scan 222"])
    }

    @Test func manyDevicesEndInTheOrderInWhichTheyFellSilent() async throws {
        let numbers = (10..<60).map(String.init)
        let story = try await summaries(
            numbers.map { "device name=\"\($0)\"\ntype \"\($0)\"\n" }.joined()
                + "device name=\"10\"\ntype \"0\"\n"
                + "device name=\"last\"\nwait 15s\ntype \"9\\n\"\n"
                + "device name=\"11\"\ntype \"8\\n\"\n")
        let silent = (numbers.dropFirst() + ["100"]).map { "keywedge.scan.rejected \($0)" }
        #expect(story == silent + ["keywedge.scan 9", "keywedge.scan 8"])
    }

    @Test func devicesOfAGeteventRecordingScanAtTheSameTime() async throws {
        let story = try await summaries(
            """
            [   1.000000] /dev/input/event3: 0001 0002 00000001
            [   1.010000] /dev/input/event4: EV_KEY       KEY_2                DOWN
            [   1.020000] /dev/input/event3: EV_KEY       KEY_1                UP
            [   1.030000] /dev/input/event3: EV_KEY       KEY_ENTER            DOWN
            [   1.040000] /dev/input/event4: EV_KEY       KEY_ENTER            DOWN
            """)
        #expect(story == ["keywedge.scan 1", "keywedge.scan 2"])
    }

    @Test func whatIsPastedOfPythonEvdevGivesItsScan() async throws {
        let story = try await summaries(
            """
            Here is what I get:
            > key event at 1383327570.147000, 42 (KEY_LEFTSHIFT), down
            > key event at 1383327570.1479, 30 (KEY_A), down
            > key event at 1383327570.1480, 30 (KEY_A), up
            > key event at 1383327570.1481, 42 (KEY_LEFTSHIFT), up
            > key event at 1383327570.149, 28 (KEY_ENTER), down
            > key event at 1383327570.15, 28 (KEY_ENTER), up
            """)
        #expect(story == ["keywedge.scan A"])
    }

    @Test func aJoinedRecordingEndsTheOneBeforeIt() async throws {
        let key = "E: 0.000001 0001 0002 0001\n"
        let story = try await summaries("N: A\n\(key)N: A\n\(key)")
        #expect(story == ["keywedge.scan.rejected 1", "keywedge.scan.rejected 1"])
    }

    @Test func aWrongLineTearsWhatEveryDeviceIsInTheMidstOf() async throws {
        var replay = try replayer()
        let events = SentEvents()
        await #expect(throws: RecordingError.self) {
            try await replay.play(
                recording("device name=\"A\"\ntype \"1\"\ndevice name=\"B\"\ntype \"2\"\nwrong"),
                to: events.publisher)
        }
        let story = events.all.map {
            "\($0.data["reason"]?.string ?? "") \($0.summary)"
        }
        #expect(story == ["torn keywedge.scan.rejected 1", "torn keywedge.scan.rejected 2"])
    }

    private func summaries(_ text: String) async throws -> [String] {
        var replay = try replayer()
        let events = SentEvents()
        try await replay.play(recording(text), to: events.publisher)
        return events.all.map(\.summary)
    }

    @Test func atTheRecordingsPaceEachEventWaitsForItsTime() async throws {
        let clock = RecordingClock()
        var replay = try replayer(pace: clock)
        try await replay.play(
            recording("wait 1s\ntype \"1\\n\"\nwait 5s\ntype \"2\\n\""),
            to: SentEvents().publisher)
        #expect(clock.sleeps == [.milliseconds(4), .milliseconds(5_012)])
    }
}

@Suite struct ReplayScannersTests {
    private static let two = """
        scanners:
          - name: counter
            match: {vendor: "0c2e", product: "0b61"}
            prefix: C
          - name: store
            match: {name: "Symbol*"}
            prefix: S
        """

    @Test(arguments: [
        (#"device name="Hand" vendor=0c2e product=0b61"#, "counter"),
        (#"device name="Symbol LS2208" vendor=05e0 product=1200"#, "store"),
        (#"device name="Other" vendor=0001 product=0001"#, "default"),
        ("# no device", "default"),
    ])
    func aRecordingTakesTheScannerItsDeviceMatches(device: String, name: String) async throws {
        let events = try await replay("\(device)\ntype \"1\\n\"", configuration: Self.two)
        #expect(events.first?.contains(#""source":"/keywedge/replay/scanners/\#(name)""#) == true)
    }

    @Test func theOnlyScannerConfiguredIsTakenWhateverTheDevice() async throws {
        let events = try await replay(
            "device name=\"Other\" vendor=0001 product=0002\ntype \"P1\\n\"",
            configuration: "scanners: [{name: till, match: {vendor: \"ffff\"}, prefix: P}]")
        #expect(
            events.first?.contains(
                #""data":{"scanner":{"name":"till","interface":"keyboard","vendor":"0001","product":"0002"},"text":"1""#
            )
                == true)
    }

    @Test func theScannerNamedIsTakenWhateverTheDevice() async throws {
        let events = try await replay(
            "device name=\"Hand\" vendor=0c2e product=0b61\ntype \"S1\\n\"",
            configuration: Self.two, scanner: "store")
        #expect(events.first?.contains(#""text":"1""#) == true)
    }

    @Test func aScannerThatIsNotConfiguredIsNamed() throws {
        let configuration = try Configuration.parse(text: Self.two, file: "two.yaml")
        #expect(throws: ReplayScanners.UnknownScanner(name: "x\n", known: ["counter", "store"])) {
            try ReplayScanners(configuration: configuration, name: "x\n")
        }
        #expect(
            ReplayScanners.UnknownScanner(name: "x\n", known: ["counter", "store"]).description
                == #"no scanner "x\n" is configured; expected one of "counter", "store""#)
    }
}
