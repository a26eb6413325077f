import Keystrokes
import ScannerInput
import Testing

@testable import KeywedgeConfiguration

@Suite struct ConfigurationYAMLTests {
    @Test func theDefaultsAreWrittenInFull() throws {
        #expect(
            Configuration.standard.yaml == """
                scanners:
                - name: "default"
                  match: {}
                  layout: us
                  caps: track
                  alt_numpad: false
                  alt_numpad_check: true
                  unicode_entry: false
                  start: [none]
                  terminators: [enter]
                  terminator_pause: 0s
                  idle_timeout: 500ms
                  recovery: 10s
                  repeats: keep
                  length: {min: 1, max: 4096}
                  encoding: characters
                  prefix: ""
                  suffix: ""
                  aim: true
                  code_identifiers: none
                  control_names: none
                  substitutes: {}
                  content: any
                  upc_e: expanded
                  keys: {}
                  serial: {baud: 9600, bits: 8, parity: none, stop: 1}
                  feedback: {rejected: none, not_found: none, found: none}
                  feedback_commands: none
                barcodes:
                  eight_digits: ean-8
                hide: [payment-cards, licences, travel-documents, identity-cards, health-certificates]
                catalog:
                  sources:
                  - embedded: "/var/lib/keywedge/catalog.sqlite"
                  deadline: 1500ms
                events:
                - stdout: {}

                """)
    }

    @Test(arguments: [Configuration.standard, ConfigurationTests.everythingRead])
    func whatIsWrittenIsReadAsTheSame(_ configuration: Configuration) throws {
        let text = configuration.yaml
        #expect(try Configuration.parse(text: text, file: "/other/k.yaml") == configuration)
    }

    @Test(arguments: [
        "null", "~", "*a", "&a", "!b", "0627", "yes", "#", " ", "a\nb\n", "\t", "\0", "\u{1b}[2J",
        "\u{9b}", "\u{2028}\u{202e}", "a\u{feff}", "\u{ffff}", "😀é", "\"'\\", "a: b",
        String(repeating: "long ", count: 100),
    ])
    func anyTextSurvivesInPrintableASCII(_ text: String) throws {
        let character = try #require(text.unicodeScalars.first)
        let ends = ScannerConfiguration(
            name: "ends", match: DeviceMatch(name: Glob(text), phys: text)
        ) {
            $0.unicodeEntry = true
            $0.start = ScanSettings.Terminators(characters: [character])
            $0.terminators = ScanSettings.Terminators(characters: [character])
        }
        let data = ScannerConfiguration(name: "data") {
            $0.unicodeEntry = true
            $0.terminators = .none
            $0.prefix = text
            $0.suffix = text
            $0.codeIdentifiers = CodeIdentifiers([String(text.prefix(8)): "]E0"])
            $0.substitutes = ["|": character]
            $0.keys = [KeyCode(rawValue: 66): .character(character)]
        }
        let configuration = Configuration(scanners: [ends, data])
        let yaml = configuration.yaml
        #expect(yaml.unicodeScalars.allSatisfy { $0 == "\n" || (" "..."~").contains($0) })
        #expect(try Configuration.parse(text: yaml, file: "k.yaml") == configuration)
    }

    @Test func everyCharacterSurvivesAsATerminator() throws {
        let characters = (0x20...0x7E).compactMap(Unicode.Scalar.init(_:))
        let scanner = ScannerConfiguration(name: "a") {
            $0.terminators = ScanSettings.Terminators(characters: Set(characters))
        }
        let configuration = Configuration(scanners: [scanner])
        let yaml = configuration.yaml
        #expect(try Configuration.parse(text: yaml, file: "k.yaml") == configuration)
    }

    @Test(arguments: [1000, 1001, 1_000_000, 1_000_001, 1_500_000, 60_000_000] as [Int64])
    func aDurationSurvivesToTheMicrosecond(_ microseconds: Int64) throws {
        let scanner = ScannerConfiguration(name: "a") {
            $0.idleTimeout = .microseconds(microseconds)
        }
        let configuration = Configuration(scanners: [scanner])
        let yaml = configuration.yaml
        #expect(try Configuration.parse(text: yaml, file: "k.yaml") == configuration)
    }

    @Test func onlyAPauseSurvivesAsNone() throws {
        let configuration = Configuration(
            scanners: [ScannerConfiguration(name: "a") { $0.terminators = .none }],
            catalog: CatalogConfiguration(sources: []))
        let yaml = configuration.yaml
        #expect(yaml.contains("terminators: [none]\n") && yaml.contains("sources: []\n"))
        #expect(try Configuration.parse(text: yaml, file: "k.yaml") == configuration)
    }
}
