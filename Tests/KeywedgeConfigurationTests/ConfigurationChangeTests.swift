import Foundation
import KeywedgeConfiguration
import Testing

/// Tests which differences between two configurations are found, and which of them require a restart.
@Suite struct ConfigurationChangeTests {
    private static let base = """
        scanners: [{name: counter, match: {uniq: "1"}}, {name: stock, match: {uniq: "2"}}]
        catalog: {deadline: 1s}
        journal: {file: /tmp/j.sqlite}
        listen: {socket: /tmp/s}
        events: [{stdout: {format: json}}, {exec: {name: erp, command: [/bin/true]}}]
        """

    /// The base configuration, with `old` replaced by `new`.
    private func configuration(_ old: String = "", by new: String = "") throws -> Configuration {
        let text = Self.base.replacingOccurrences(of: old, with: new)
        #expect(old.isEmpty || text != Self.base)
        return try Configuration.parse(text: text, file: "k.yaml")
    }

    private func changes(_ old: String, by new: String) throws -> [ConfigurationChange] {
        try configuration().changes(to: configuration(old, by: new))
    }

    @Test func theSameIsNoChange() throws {
        #expect(try configuration().changes(to: configuration()) == [])
        #expect(try configuration().keysForRestart(to: configuration()) == [])
    }

    @Test func scannersAndSinksAreNamed() throws {
        #expect(
            try changes(#"{uniq: "2"}"#, by: #"{uniq: "3"}"#) == [
                ConfigurationChange("scanners", "stock", .changed)
            ])
        #expect(
            try changes("name: stock", by: "name: shelf") == [
                ConfigurationChange("scanners", "shelf", .added),
                ConfigurationChange("scanners", "stock", .removed),
            ])
        #expect(
            try changes("[/bin/true]", by: "[/bin/false]") == [
                ConfigurationChange("events", "erp", .changed)
            ])
    }

    @Test func anotherOrderIsAChangeOfTheWhole() throws {
        let text = Self.base.replacingOccurrences(
            of: #"[{name: counter, match: {uniq: "1"}}, {name: stock, match: {uniq: "2"}}]"#,
            with: #"[{name: stock, match: {uniq: "2"}}, {name: counter, match: {uniq: "1"}}]"#)
        let other = try Configuration.parse(text: text, file: "k.yaml")
        #expect(try configuration().changes(to: other) == [ConfigurationChange("scanners")])
    }

    @Test func sectionsAreNamed() throws {
        #expect(try changes("1s", by: "2s") == [ConfigurationChange("catalog")])
        #expect(
            try changes("catalog:", by: "hide: []\ncatalog:") == [ConfigurationChange("hide")])
        #expect(
            try changes("j.sqlite}", by: "j.sqlite, when_full: newest}") == [
                ConfigurationChange("journal")
            ])
        #expect(
            try changes("/tmp/s}", by: "/tmp/s, origins: [\"https://pos.example\"]}") == [
                ConfigurationChange("listen")
            ])
    }

    @Test(arguments: [
        ("/tmp/j.sqlite", "/tmp/k.sqlite", ["journal.file"]),
        ("/tmp/s", "/tmp/t", ["listen.socket"]),
        ("/tmp/s}", "/tmp/s, http: \"127.0.0.1:8691\"}", ["listen.http"]),
        ("listen: {socket: /tmp/s}\n", "", ["listen.socket"]),
        ("format: json", "format: tsv", ["events: stdout and keyboard"]),
    ])
    func someTakeARestart(old: String, new: String, keys: [String]) throws {
        #expect(try configuration().keysForRestart(to: configuration(old, by: new)) == keys)
    }

    @Test func theOthersDoNot() throws {
        for (old, new) in [("1s", "2s"), ("/bin/true", "/bin/false"), ("stock", "shelf")] {
            #expect(try configuration().keysForRestart(to: configuration(old, by: new)) == [])
        }
    }
}
