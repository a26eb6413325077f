import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests `keywedge doctor` on the machine that runs the tests, which is not a register.
@Suite(.blocking, .timeLimit(.minutes(10))) struct DoctorCommandTests {
    private func run(_ configuration: String, _ arguments: String) throws -> CommandRun {
        let folder = try TemporaryFolder()
        try folder.write(configuration, to: "k.yaml")
        return try CommandRun.shell(
            """
            cd \(folder.path)
            $KEYWEDGE catalog import \(CommandRun.projectFolder)/examples/catalog.csv \\
                --catalog catalog.sqlite --currency EUR >/dev/null 2>&1
            $KEYWEDGE doctor --config k.yaml --offline \(arguments)
            """)
    }

    @Test func everySubjectIsToldInOrder() throws {
        let run = try run(
            "catalog: {sources: [{embedded: catalog.sqlite}]}\njournal: {file: j.sqlite}\n",
            "--json | jq -r '.findings[].subject' | uniq")
        #expect(
            run.lines == [
                "configuration", "rights", "devices", "scans", "catalog", "journal", "sinks",
                "interface", "time", "unit", "version",
            ])
    }

    @Test func itWorksWhereTheConfigurationIsWrong() throws {
        let run = try run("frobnicate: 1\n", "")
        #expect(run.exitCode == 1)
        #expect(run.output.contains("✗ FAILED    configuration  k.yaml has 1 mistake"))
        #expect(run.output.contains("k.yaml:1: "))
        #expect(run.output.contains("version"))
        #expect(run.errors.contains("failed"))
    }

    @Test func anImpossibleAgeIsWrongUsage() throws {
        #expect(try run("", "--catalog-age 0").exitCode == 2)
    }
}
