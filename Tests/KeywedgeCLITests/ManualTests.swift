import Foundation
import TestWaiting
import Testing

/// Tests that the manual pages agree with the command, the configuration's schema and the events' schema.
@Suite(.blocking) struct ManualTests {
    /// The commands and their options, as `--experimental-dump-help` prints them.
    private struct Commands: Decodable {
        var command: Command

        struct Command: Decodable {
            var commandName: String
            var subcommands: [Command]?
            var arguments: [Argument]?
        }

        struct Argument: Decodable {
            var names: [Name]?
            var defaultValue: String?

            struct Name: Decodable {
                var name: String
            }
        }
    }

    private let manual: String
    private let command: Commands.Command

    init() throws {
        manual = try String(
            contentsOfFile: CommandRun.projectFolder + "/docs/keywedge.1", encoding: .utf8)
        let dump = try CommandRun("--experimental-dump-help").output
        command = try JSONDecoder().decode(Commands.self, from: Data(dump.utf8)).command
    }

    private func commands(_ command: Commands.Command, _ path: [String] = [])
        -> [(path: String, Commands.Command)]
    {
        let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
        guard !below.isEmpty else { return [(path.joined(separator: " "), command)] }
        return below.flatMap { commands($0, path + [$0.commandName]) }
    }

    @Test func everyCommandIsInTheManual() {
        let all = commands(command).map(\.path)
        #expect(all.contains("catalog import"))
        #expect(all.filter { !manual.contains("\n.It Nm Cm \($0)") } == [])
    }

    @Test func everyOptionIsInTheManual() {
        let names = commands(command).flatMap { $0.1.arguments ?? [] }
            .flatMap { $0.names ?? [] }.map(\.name)
        #expect(names.contains("seconds"))
        let missing = Set(names).filter { name in
            let option = name.count == 1 ? "Fl \(name)" : "Fl -\(name)"
            return manual.range(of: "\(option)( |$|\n)", options: .regularExpression) == nil
        }
        #expect(missing == [])
    }

    /// The other commands run a server, or print a file in another format.
    @Test func everyCommandWithAResultHasAFormat() {
        let without = commands(command).filter { _, command in
            !(command.arguments ?? []).contains {
                $0.names?.contains { $0.name == "format" } ?? false
            }
        }.map(\.path)
        #expect(
            Set(without) == ["catalog serve", "catalog export", "config schema", "completion"])
    }

    @Test func theManualKnowsNoCommandThatIsNotThere() {
        let all = Set(commands(command).map(\.path))
        let listed = manual.split(separator: "\n").filter { $0.hasPrefix(".It Nm Cm ") }
            .map { line in
                line.dropFirst(10).split(separator: " ")
                    .prefix { $0.first?.isLowercase == true }.joined(separator: " ")
            }
        #expect(Set(listed) == all)
        #expect(listed.count == all.count)
    }

    @Test func everyDefaultIsShownInWords() throws {
        let defaults = commands(command).flatMap { $0.1.arguments ?? [] }
            .compactMap(\.defaultValue)
        #expect(defaults.contains("keyboard"))
        #expect(defaults.filter { $0.wholeMatch(of: /[a-z0-9][a-z0-9.:]*/) == nil } == [])
    }

    @Test func noHelpShowsAValueAsSwiftWritesIt() throws {
        let paths = commands(command).map(\.path)
        #expect(paths.contains("decode"))
        for path in paths {
            let help = try CommandRun.shell("$KEYWEDGE \(path) --help").output
            #expect(help.contains("USAGE: keywedge \(path)"))
            let dump = help.firstMatch(of: /[A-Z]\w*\(\w+:|Optional\(|\bnil\b/)
            #expect(dump == nil, "\(path): \(dump?.output ?? "")")
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"),
            "man-db is not installed"),
        arguments: ["keywedge.1", "keywedge.yaml.5", "keywedge-events.7"])
    func theManualIsSetWithoutAWarning(page: String) throws {
        let run = try CommandRun.shell(
            "man --warnings -E UTF-8 -l docs/\(page) 2>&1 >/dev/null;"
                + " groff -ww -mdoc -Tutf8 docs/\(page) 2>&1 >/dev/null")
        #expect(run.output == "")
        #expect(run.exitCode == 0)
    }

    @Test func theManualOfTheConfigurationIsMadeFromItsSchema() throws {
        let run = try CommandRun.shell(
            "diff docs/keywedge.yaml.5 <($KEYWEDGE config schema | scripts/make-configuration-manual)"
        )
        #expect(run.output == "", "run make manual to update the page")
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    @Test func theManualOfTheEventsHasEveryTypeFieldAndReason() throws {
        let page = try String(
            contentsOfFile: CommandRun.projectFolder + "/docs/keywedge-events.7", encoding: .utf8)
        let names = try CommandRun.shell(
            """
            jq -r '[.. | objects | (.properties // {} | keys[]), (.enum // [] | .[]),
                (.const // empty)] | flatten | unique[] | strings' docs/keywedge-events.schema.json
            """
        ).lines
        #expect(names.contains("duration_ms"))
        #expect(names.contains("too-short"))
        #expect(names.contains("keywedge.gap"))
        let words = Set(page.split { $0.isWhitespace || ",;|".contains($0) }.map(String.init))
        #expect(names.filter { !words.contains($0) } == [])
    }
}
