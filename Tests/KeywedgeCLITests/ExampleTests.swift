import Testing

@Suite struct ExampleTests {
    /// Every recording with its events, every POS script with its receipt.
    @Test func allExamplesGiveWhatStandsBesideThem() throws {
        let run = try CommandRun.shell("examples/expect --check")
        #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
    }

    @Test func theExampleConfigurationIsRight() throws {
        let run = try CommandRun("config", "check", "examples/keywedge.yaml")
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    @Test func everyRecordingHasItsEvents() throws {
        let missing = try CommandRun.shell(
            """
            for file in examples/recordings/*.{keys,evemu,txt,yml}; do
                [ -s "${file%.*}.events.jsonl" ] || echo "$file"
            done
            """)
        #expect(missing.output == "")
        #expect(missing.exitCode == 0)
    }
}
