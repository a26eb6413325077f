import Foundation
import Testing

/// The manual page and the command know the same commands and options.
@Suite struct ManualTests {
    /// The commands and their options, as the command itself tells them.
    private struct Commands: Decodable {
        var command: Command

        struct Command: Decodable {
            var commandName: String
            var subcommands: [Command]?
            var arguments: [Argument]?
        }

        struct Argument: Decodable {
            var names: [Name]?

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

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"),
            "man-db is not installed"))
    func theManualIsSetWithoutAWarning() throws {
        let run = try CommandRun.shell("man --warnings -E UTF-8 -l docs/keywedge.1 2>&1 >/dev/null")
        #expect(run.output == "")
        #expect(run.exitCode == 0)
    }
}
