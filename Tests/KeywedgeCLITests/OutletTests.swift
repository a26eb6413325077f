import TestFolders
import TestTexts
import TestWaiting
import Testing
import WireText

/// Tests that commands that print their input escape every character that could harm a terminal.
@Suite(.blocking, .timeLimit(.minutes(10))) struct OutletTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A line for each text, escaped as the commands read it.
    private static let lines = AllScalars.shortTexts.map { Escaping.line.escaped($0) }

    private func expectHarmless(_ run: CommandRun) {
        let leaks = AllScalars.leaks(of: [run.output, run.errors], lineBreaks: true) { $0 }
        #expect(leaks == [])
    }

    @Test(arguments: [["--format", "json"], ["--format", "pretty"], ["--explain"]])
    func decoding(options: [String]) throws {
        let run = try CommandRun(
            arguments: ["decode"] + options, input: Self.lines.joined(separator: "\n"))
        #expect(run.exitCode == 0)
        expectHarmless(run)
        var random = SplitMix(seed: 34)
        for line in Self.lines.shuffled(using: &random).prefix(20)
        where options != ["--format", "json"] {
            // The line is printed as it can be typed again.
            #expect(run.output.contains(line), "\(line)")
        }
    }

    @Test(arguments: ["json", "pretty"]) func lookingUp(format: String) throws {
        let csv = try folder.write("id,code\n1,1\n", to: "products.csv")
        let catalog = folder.path("catalog.sqlite")
        _ = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        let run = try CommandRun(
            "lookup", "--catalog", catalog, "--format", format,
            input: Self.lines.joined(separator: "\n"))
        #expect(run.exitCode == 0)
        expectHarmless(run)
    }

    @Test func removing() throws {
        let csv = try folder.write("id,code\n1,1\n", to: "products.csv")
        let catalog = folder.path("catalog.sqlite")
        _ = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        let run = try CommandRun(
            "catalog", "remove", "--catalog", catalog,
            input: Self.lines.joined(separator: "\n"))
        expectHarmless(run)
        var random = SplitMix(seed: 34)
        for text in AllScalars.shortTexts.shuffled(using: &random).prefix(20) {
            #expect(run.errors.contains("\(text.quoted(upTo: .max)) is not in the catalog"))
        }
    }

    /// Texts that a command line can contain: no NUL, and no line break, because some messages have several lines.
    @Test(arguments: [
        "\u{1b}[2J\u{9b}31m", "a\u{202e}b\u{2066}", "\u{fe0f}\u{3164}\u{ad}", "\\\"x",
    ])
    func argumentsThatAreWrong(text: String) throws {
        for arguments in [
            ["decode", "--format", text], [text], ["replay", text],
            ["type", "x", "--layout", text],
            ["layouts", "show", text], ["lookup", "1", "--catalog", text],
            ["catalog", "import", text], ["config", "check", text], ["monitor", text],
            ["catalog", "serve", "--catalog", text], ["decode", text + "\\q"],
        ] {
            let run = try CommandRun(arguments: arguments)
            #expect(run.exitCode != 0)
            expectHarmless(run)
            // Nothing is escaped twice.
            #expect(!run.errors.contains(#"\\x1b"#) && !run.errors.contains(#"\\u202e"#))
        }
    }
}
