import Barcodes
import Events
import HTTPCatalog
import Journal
import KeyLayouts
import Keystrokes
import ScannerInput
import Sinks
import Testing
import WebAPI
import WireText

@testable import KeywedgeConfiguration

@Suite struct ConfigurationTests {
    static let everything = """
        scanners:
          - name: counter
            match: {vendor: "0c2e", product: 0b61, name: Reader, path: /dev/input/event5,
                    phys: usb-1/input0, uniq: "00:11"}
            layout: us
            caps: inverted
            alt_numpad: true
            unicode_entry: true
            start: [B]
            terminators: [enter, tab, esc, "#", KEY_F1]
            terminator_pause: 100ms
            encoding: shift_jis
            code_identifiers: {d: "]E0", P00: ""}
            control_names: [braces, angle]
            substitutes: {"|": "\\u001d"}
            content: gs1
            upc_e: unexpanded
            idle_timeout: 1.5s
            recovery: 3s
            repeats: {within: 2s, then: reject}
            length: {min: 4, max: 80}
            prefix: "<"
            suffix: null-
            aim: false
            keys: {KEY_F8: "\\u001d", KEY_F9: ignore, KEY_F10: terminator, KEY_0x2f0: é}
          - name: door.2_b-c
        barcodes: {region: DE, eight_digits: upc-e}
        catalog:
          sources: [{embedded: catalog.sqlite}, {embedded: /srv/c.sqlite}]
          currency: EUR
          deadline: 250ms
        events:
          - {stdout: {format: tsv}}
          - mqtt:
              name: shop.1
              from: oldest
              types: [keywedge.scan, keywedge.scan.rejected]
              scanners: [counter]
              kinds: [gtin, gs1]
              url: ["mqtts://broker.lan:8884", "mqtts://[::1]"]
              catch_up: 30/min
              topic: shop/{register}/{scanner}/{type}
              version: 3.1.1
              client_id: till-3
              user_file: "credential:user"
              password_file: /run/password
              ca_file: ca.pem
              only_ca_file: true
              certificate_file: till.pem
              key_file: "credential:key"
              expiry: {keywedge.scan: 1d}
              in_flight: 1
              no_subscriber: hold
              presence: {topic: "shop/{register}/here", retain: false, will_delay: 0s}
              home_assistant: homeassistant
          - webhook:
              name: erp
              url: "https://erp.example/scans?shop=1"
              secret_file: [old, "credential:new"]
              timeout: 5s
              tls: {minimum: 1.3}
          - exec: {command: [/usr/local/bin/on-scan, --till, "3"], timeout: 1min, kinds: gtin}
          - keyboard:
              types: keywedge.scan
              template: "{product.id|gtin}{tab}{text}{enter}"
              rejection: "?{enter}"
              layout: de
              controls: true
              pace: 5ms

        """

    static let everythingRead = Configuration(
        scanners: [
            ScannerConfiguration(
                name: "counter",
                match: DeviceMatch(
                    vendor: 0x0c2e, product: 0x0b61, name: Glob("Reader"),
                    path: "/dev/input/event5",
                    phys: "usb-1/input0", uniq: "00:11")
            ) {
                $0.caps = .inverted
                $0.altNumpad = true
                $0.unicodeEntry = true
                $0.start = ScanSettings.Terminators(characters: ["B"])
                $0.terminators = ScanSettings.Terminators(
                    keys: [.enter, .kpenter, .tab, .esc, KeyCode(rawValue: 59)], characters: ["#"])
                $0.terminatorPause = .milliseconds(100)
                $0.idleTimeout = .milliseconds(1500)
                $0.recovery = .seconds(3)
                $0.repeats = .seconds(2)
                $0.length = 4...80
                $0.encoding = .shiftJIS
                $0.prefix = "<"
                $0.suffix = "null-"
                $0.aim = false
                $0.codeIdentifiers = CodeIdentifiers(["d": "]E0", "P00": ""])
                $0.controlNames = [.angle, .braces]
                $0.substitutes = ["|": "\u{1d}"]
                $0.content = .gs1
                $0.upcE = .unexpanded
                $0.keys = [
                    KeyCode(rawValue: 66): .character("\u{1d}"),
                    KeyCode(rawValue: 67): .ignored,
                    KeyCode(rawValue: 68): .terminator,
                    KeyCode(rawValue: 0x2f0): .character("é"),
                ]
            },
            ScannerConfiguration(name: "door.2_b-c"),
        ],
        barcodes: BarcodeDecoder.Settings(region: .germany, ambiguousEightDigits: .upcE),
        catalog: CatalogConfiguration(
            sources: [
                .embedded(path: "/etc/keywedge/catalog.sqlite"), .embedded(path: "/srv/c.sqlite"),
            ],
            currency: "EUR", deadline: .milliseconds(250)),
        events: [
            SinkConfiguration(StandardOutputConfiguration(format: .tsv)),
            SinkConfiguration(mqttRead), SinkConfiguration(webhookRead),
            SinkConfiguration(execRead), SinkConfiguration(keyboardRead),
        ])

    private static let mqttRead: MQTTConfiguration = {
        var mqtt = MQTTConfiguration(
            addresses: ["mqtts://broker.lan:8884", "mqtts://[::1]"].compactMap(MQTTAddress.init))
        mqtt.durable = DurableSinkConfiguration(
            name: "shop.1", start: .oldest,
            filter: EventFilter(
                types: [.scan, .scanRejected], scanners: ["counter"], kinds: ["gtin", "gs1"]))
        mqtt.durable.catchUp = CatchUpRate("30/min")
        mqtt.settings.topic = (try? TopicTemplate("shop/{register}/{scanner}/{type}")) ?? .status
        mqtt.settings.version = .v311
        mqtt.clientID = "till-3"
        mqtt.user = .credential(name: "user")
        mqtt.password = .file(path: "/run/password")
        mqtt.tls.authorityFile = .file(path: "/etc/keywedge/ca.pem")
        mqtt.tls.trustsOnlyThese = true
        mqtt.tls.certificateFile = .file(path: "/etc/keywedge/till.pem")
        mqtt.tls.keyFile = .credential(name: "key")
        mqtt.settings.expiry = [.scan: .seconds(86_400)]
        mqtt.settings.inFlight = 1
        mqtt.settings.noSubscriber = .hold
        mqtt.settings.presence = MQTTSettings.Presence(
            topic: (try? TopicTemplate("shop/{register}/here")) ?? .status, willDelay: .zero)
        mqtt.settings.presence?.isRetained = false
        mqtt.settings.discoveryPrefix = "homeassistant"
        return mqtt
    }()

    private static let webhookRead: WebhookConfiguration = {
        var webhook = WebhookConfiguration(
            url: "https://erp.example/scans?shop=1",
            secrets: [.file(path: "/etc/keywedge/old"), .credential(name: "new")])
        webhook.durable.name = "erp"
        webhook.timeout = .seconds(5)
        webhook.tls.minimum = .tls13
        return webhook
    }()

    private static let execRead: ExecConfiguration = {
        var exec = ExecConfiguration(
            settings: ExecSettings(
                command: ["/usr/local/bin/on-scan", "--till", "3"], limit: .seconds(60)))
        exec.durable.filter.kinds = ["gtin"]
        return exec
    }()

    private static let keyboardRead: KeyboardConfiguration = {
        let template = try? KeyboardTemplate("{product.id|gtin}{tab}{text}{enter}")
        var keyboard = KeyboardConfiguration(template: template ?? .text)
        keyboard.filter.types = [.scan]
        keyboard.rejection = try? KeyboardTemplate("?{enter}")
        keyboard.layout = (try? CompiledLayout(named: "de")) ?? .us
        keyboard.allowsControls = true
        keyboard.pace = .milliseconds(5)
        return keyboard
    }()

    @Test func aMessageNamesTheLineOfItsKey() {
        let text = """
            scanners:
              - name: till
                layuot:
                  - us
                aim:
                  maybe
                match:
                  # any of a maker's

                  vendor: zz
                length:
                  - 1
            """
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(text: text, file: "k.yaml")
        }
        #expect(error?.problems.map(\.line) == [3, 5, 10, 11])
    }

    @Test func everySettingIsRead() throws {
        let file = "/etc/keywedge/keywedge.yaml"
        #expect(
            try Configuration.parse(text: Self.everything, file: file)
                == Self.everythingRead)
    }

    @Test func aScannersDecoderKnowsHowItSends() throws {
        let configuration = Self.everythingRead
        let decoders = configuration.scanners.map { configuration.decoder(for: $0).settings }
        #expect(decoders.map(\.content) == [.gs1, .any])
        #expect(decoders.map(\.upcE) == [.unexpanded, .expanded])
        #expect(decoders.map(\.region) == [.germany, .germany])
    }

    @Test func carriageReturnsAndAByteOrderMarkChangeNothing() throws {
        let text = "\u{FEFF}" + Self.everything.split(separator: "\n").joined(separator: "\r\n")
        let file = "/etc/keywedge/keywedge.yaml"
        #expect(try Configuration.parse(text: text, file: file) == Self.everythingRead)
    }

    @Test(arguments: [
        "", "\n", "# nothing\n", "---\n", "~", "\u{FEFF}", "{}", "scanners: [{name: default}]",
    ])
    func aFileThatSaysNothingMeansTheDefaults(_ text: String) throws {
        #expect(try Configuration.parse(text: text, file: "k.yaml") == .standard)
    }

    @Test(arguments: [
        ("/etc/keywedge/k.yaml", "catalog.sqlite", "/etc/keywedge/catalog.sqlite"),
        ("/etc/keywedge/k.yaml", "../c.sqlite", "/etc/keywedge/../c.sqlite"),
        ("/etc/keywedge/k.yaml", "/srv/c.sqlite", "/srv/c.sqlite"),
        ("/k.yaml", "c.sqlite", "/c.sqlite"),
        ("conf/k.yaml", "c.sqlite", "conf/c.sqlite"),
        ("k.yaml", "c.sqlite", "c.sqlite"),
    ])
    func aRelativePathStartsFromTheFilesFolder(file: String, path: String, is full: String) throws {
        let text = "catalog: {sources: [{embedded: \(path)}]}"
        let sources = try Configuration.parse(text: text, file: file).catalog.sources
        #expect(sources == [.embedded(path: full)])
    }

    @Test func noSourceIsNoLookup() throws {
        let text = "catalog: {sources: []}"
        #expect(try Configuration.parse(text: text, file: "k.yaml").catalog.sources.isEmpty)
    }

    @Test func whatYAMLReadsAsFalseIsACountryHere() throws {
        let text = "barcodes: {region: NO}"
        #expect(
            try Configuration.parse(text: text, file: "k.yaml").barcodes.region == .norway)
    }

    @Test func aJournalHasItsDefaultsWhereOnlyAPartIsSaid() throws {
        let text = "journal: {file: j.sqlite, keep: {days: 3}, when_full: newest}"
        let configuration = try Configuration.parse(text: text, file: "/etc/keywedge/k.yaml")
        #expect(
            configuration.journal
                == JournalSettings(
                    file: "/etc/keywedge/j.sqlite",
                    keep: JournalSettings.Keep(days: 3, megabytes: 512), whenFull: .newest))
        #expect(configuration.journalInUse == configuration.journal)
        let standard = try Configuration.parse(text: "journal: {}", file: "k.yaml")
        #expect(standard.journalInUse == JournalSettings())
    }

    @Test func aJournalIsOnWhereSomethingReadsIt() throws {
        #expect(Configuration.standard.journalInUse == nil)
        let text = "events: [{stdout: {after: journal}}]"
        let configuration = try Configuration.parse(text: text, file: "k.yaml")
        #expect(
            configuration.events == [
                SinkConfiguration(StandardOutputConfiguration(readsJournal: true))
            ])
        #expect(configuration.journal == nil)
        #expect(configuration.journalInUse == JournalSettings())
    }

    @Test(arguments: [EventFormat.json, .text, .tsv, .pretty])
    func stdoutHasEachFormat(_ format: EventFormat) throws {
        let text = "events: [{stdout: {format: \(format.rawValue)}}]"
        #expect(
            try Configuration.parse(text: text, file: "k.yaml").events == [
                SinkConfiguration(StandardOutputConfiguration(format: format))
            ])
    }

    /// The length of a unix socket's path is limited (unix(7)); without this check, only starting the daemon shows it.
    @Test(arguments: [(107, 0), (108, 1)]) func theSocketHasAPathThatTheKernelTakes(
        length: Int, problems: Int
    ) {
        let path =
            "/" + String(repeating: "ä", count: (length - 1) / 2)
            + String(repeating: "s", count: (length - 1) % 2)
        let found = sentences("register: a\nlisten:\n  socket: \(path)\n")
        #expect(found.count == problems)
        for sentence in found {
            #expect(
                sentence.hasPrefix(
                    "k.yaml:3: listen.socket: expected a path of at most 107 bytes, found 108 bytes, "
                ),
                "\(sentence)")
        }
    }

    @Test(arguments: [
        (
            "[a]",
            "k.yaml:1: expected a mapping with the keys register, scanners, barcodes, hide, catalog, journal, listen, events, found a list"
        ),
        (
            "text",
            "k.yaml:1: expected a mapping with the keys register, scanners, barcodes, hide, catalog, journal, listen, events, found \"text\""
        ),
        (
            "scaners: []",
            "k.yaml:1: scaners: expected a known key (did you mean scanners?), found an unknown key"
        ),
        (
            "else: 1",
            "k.yaml:1: else: expected one of the keys register, scanners, barcodes, hide, catalog, journal, listen or events, found an unknown key"
        ),
        ("{? [a] : 1}", "k.yaml:1: expected the name of a key, found a list"),
        (
            "\"a b.c\\e\": 1",
            "k.yaml:1: \"a b.c\\x1b\": expected one of the keys register, scanners, barcodes, hide, catalog, journal, listen or events, found an unknown key"
        ),
        ("scanners: []", "k.yaml:1: scanners: expected at least one scanner, found an empty list"),
        (
            "scanners:",
            "k.yaml:1: scanners: expected a list of scanners such as [{name: counter}], found nothing"
        ),
        (
            "barcodes: {region: de}",
            "k.yaml:1: barcodes.region: expected SE, NO, FI, EE, LT, LV, DK, DE, GB or US (did you mean DE?), found \"de\""
        ),
        (
            "barcodes: {eight_digits: ean8}",
            "k.yaml:1: barcodes.eight_digits: expected ean-8 or upc-e (did you mean ean-8?), found \"ean8\""
        ),
        (
            "catalog: {currency: EURO}",
            "k.yaml:1: catalog.currency: expected a currency's three capital letters such as EUR, found \"EURO\""
        ),
        (
            "catalog: {deadline: 2min}",
            "k.yaml:1: catalog.deadline: expected a duration from 1ms to 60s, found \"2min\""
        ),
        (
            "catalog: {sources: [{}]}",
            "k.yaml:1: catalog.sources[0]: expected one of embedded, preset and http, found none"
        ),
        (
            "catalog: {sources: [{embeded: x}]}",
            "k.yaml:1: catalog.sources[0].embeded: expected a known key (did you mean embedded?), found an unknown key"
        ),
        (
            "catalog: {sources: [{embedded: ~/c}]}",
            "k.yaml:1: catalog.sources[0].embedded: expected the path of a file, absolute or from the folder of the configuration file, found \"~/c\""
        ),
        (
            "catalog: {sources: [{embedded: \"a\\0\"}]}",
            "k.yaml:1: catalog.sources[0].embedded: expected the path of a file, absolute or from the folder of the configuration file, found \"a\\x00\""
        ),
        (
            "events: []",
            "k.yaml:1: events: expected at least one sink such as {stdout: {format: json}}, found an empty list"
        ),
        (
            "events: [stdout]",
            "k.yaml:1: events[0]: expected a mapping with the keys stdout, mqtt, webhook, exec, keyboard, found \"stdout\""
        ),
        (
            "events: [{}]",
            "k.yaml:1: events[0]: expected one of stdout, mqtt, webhook, exec and keyboard, found none"
        ),
        (
            "events: [{stdout: {}}, {stdout: {}}]",
            "k.yaml:1: events[1]: expected stdout once, found \"stdout\", as on line 1"
        ),
        (
            "events: [{stdout: {}, exec: {command: [a]}}]",
            "k.yaml:1: events[0].exec: expected one of stdout, mqtt, webhook, exec and keyboard, found "
                + "stdout and exec"
        ),
        (
            "events: [{stdout: {}}, {exec: {name: stdout, command: [a]}}]",
            "k.yaml:1: events[1]: expected stdout once, found \"stdout\", as on line 1"
        ),
        (
            "events: [{exec: {command: [a]}}, {exec: {command: [b]}}]",
            "k.yaml:1: events[1]: expected a name that no other sink has, found \"exec\", as on line 1"
        ),
        (
            "events: [{mqtt: {}}]",
            "k.yaml:1: events[0].mqtt.url: expected the address of a broker such as mqtts://broker.lan, found none"
        ),
        (
            "events: [{mqtt: {url: \"mqtt://user:secret@broker\"}}]",
            "k.yaml:1: events[0].mqtt.url: expected the address of a broker such as mqtts://broker.lan, without user and path, found \"mqtt://user:secret@broker\""
        ),
        (
            "events: [{mqtt: {url: \"mqtt://b\", topic: \"a/{text}\"}}]",
            "k.yaml:1: events[0].mqtt.topic: expected a topic (there is no field {\"text\"} here), found \"a/{text}\""
        ),
        (
            "events: [{mqtt: {url: \"mqtt://b\", presence: {topic: \"{scanner}\"}}}]",
            "k.yaml:1: events[0].mqtt.presence.topic: expected a topic (there is no field {\"scanner\"} here), found \"{scanner}\""
        ),
        (
            "events: [{mqtt: {url: \"mqtt://b\", ca_file: x}}]",
            "k.yaml:1: events[0].mqtt.url: expected mqtts:// beside ca_file and certificate_file, found mqtt://"
        ),
        (
            "events: [{mqtt: {url: [\"mqtts://a\", \"mqtt://b\"], ca_file: x}}]",
            "k.yaml:1: events[0].mqtt.url: expected mqtts:// beside ca_file and certificate_file, found mqtt://"
        ),
        (
            "events: [{mqtt: {url: \"mqtt://b\", types: keywedge.scans}}]",
            "k.yaml:1: events[0].mqtt.types: expected a type of events such as keywedge.scan, found \"keywedge.scans\""
        ),
        (
            "events: [{webhook: {url: \"http://b\", secret_file: [a, b, c]}}]",
            "k.yaml:1: events[0].webhook.secret_file: expected one secret or two, found 3"
        ),
        (
            "events: [{exec: {command: []}}]",
            "k.yaml:1: events[0].exec.command: expected at least a command, found an empty list"
        ),
        (
            "events: [{keyboard: {template: \"{text}{enter\"}}]",
            "k.yaml:1: events[0].keyboard.template: expected what is typed (a brace of it lacks its other one), found \"{text}{enter\""
        ),
        (
            "events: [{keyboard: {template: \"€{text}\"}}]",
            "k.yaml:1: events[0].keyboard.template: expected characters that layout us can type, found \"€\""
        ),
        (
            "events: [{stdout: {format: xml}}]",
            "k.yaml:1: events[0].stdout.format: expected json, text, tsv or pretty, found \"xml\""
        ),
    ])
    func aWrongValueIsOneSentence(text: String, sentence: String) {
        #expect(sentences(text) == [sentence])
    }

    @Test(arguments: [
        ("127.0.0.1:1", "", true), ("0.0.0.0:1", "", false),
        ("0.0.0.0:1", ", token_file: t", false),
        ("0.0.0.0:1", ", certificate_file: c, key_file: k", false),
        ("0.0.0.0:1", ", token_file: t, certificate_file: c, key_file: k", true),
    ])
    func otherBoxesNeedATokenAndACertificate(address: String, files: String, isAccepted: Bool) {
        let found = sentences("register: a\nlisten: {http: \"\(address)\"\(files)}")
        let sentence =
            "k.yaml:2: listen: expected token_file, certificate_file and key_file beside an address "
            + "that other boxes can reach, found not all of them"
        #expect(found == (isAccepted ? [] : [sentence]))
    }

    @Test func allThatIsWrongIsSaidInTheOrderOfTheFile() {
        let text = """
            events: [{stdout: {format: xml}}]
            scanners:
              - name: Counter
                idle_timeout: fast
                length: {min: 9, max: 8}
              - aim: maybe
            """
        #expect(
            sentences(text, file: "/etc/keywedge/keywedge.yaml") == [
                "/etc/keywedge/keywedge.yaml:1: events[0].stdout.format: expected json, text, tsv or pretty, found \"xml\"",
                "/etc/keywedge/keywedge.yaml:3: scanners[0].name: expected a name of a-z, 0-9, \".\", \"_\" and \"-\" that starts with a letter or digit, found \"Counter\"",
                "/etc/keywedge/keywedge.yaml:4: scanners[0].idle_timeout: expected a duration such as 500ms or 2s, found \"fast\"",
                "/etc/keywedge/keywedge.yaml:5: scanners[0].length: expected a min of at most max, found min 9 and max 8",
                "/etc/keywedge/keywedge.yaml:6: scanners[1].name: expected a name, found none",
                "/etc/keywedge/keywedge.yaml:6: scanners[1].aim: expected true or false, found \"maybe\"",
            ])
    }

    @Test func aProblemHasItsPartsAndItsColumn() {
        #expect(
            throws: ConfigurationError(problems: [
                ConfigurationProblem(
                    file: "k.yaml", line: 2, column: 9, key: "scanners[0].aim",
                    found: "\"1\"", expected: "true or false")
            ])
        ) {
            try Configuration.parse(text: "scanners:\n- aim:  1\n  name: a", file: "k.yaml")
        }
    }

    @Test func aSentenceIsSafeToPrintWhateverTheFileAndItsContentAre() {
        let problem = ConfigurationProblem(
            file: "a\u{1b}\n.yaml", line: 1, found: "nothing", expected: "something")
        #expect(problem.description == "a\\x1b\\n.yaml:1: expected something, found nothing")
        let text = "barcodes: {region: \"\\e[2J\\u202e\\x9b\\u2028\\U000e007f\\\"\\\\\"}"
        #expect(
            sentences(text) == [
                "k.yaml:1: barcodes.region: expected SE, NO, FI, EE, LT, LV, DK, DE, GB or US, "
                    + "found \"\\x1b[2J\\u202e\\u009b\\u2028\\U000e007f\\\"\\\\\""
            ])
    }

    @Test func aLongTextIsCutInTheSentence() {
        let text = "barcodes: {region: \(String(repeating: "x", count: 5000))}"
        #expect(
            sentences(text) == [
                "k.yaml:1: barcodes.region: expected SE, NO, FI, EE, LT, LV, DK, DE, GB or US, "
                    + "found \"\(String(repeating: "x", count: 80))…\""
            ])
    }
}

@Suite struct InStorePatternConfigurationTests {
    @Test func aShopsOwnPatternsAreReadAndShown() throws {
        let text = "barcodes: {in_store: [21IIIIIPPPPPK, 28IIIIIWW.WWWK]}"
        let configuration = try Configuration.parse(text: text, file: "k.yaml")
        #expect(
            configuration.barcodes.inStorePatterns.map(\.text) == [
                "21IIIIIPPPPPK", "28IIIIIWW.WWWK",
            ])
        let again = try Configuration.parse(text: configuration.yaml, file: "k.yaml")
        #expect(again == configuration)
        let barcode = BarcodeDecoder(settings: configuration.barcodes)
            .decode("2112345001999", aim: nil)
        #expect(barcode.inStore?.price?.description == "1.99")
        #expect(barcode.inStore?.item == "12345")
    }

    @Test func aPatternThatIsNoneSaysWhy() {
        let problems = sentences("barcodes: {in_store: [21IIIIIPPPPPY]}")
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasPrefix("k.yaml:1: barcodes.in_store[0]: expected the pattern")
                == true)
    }
}
