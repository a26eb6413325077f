import Testing

@Suite struct ExampleTests {
    /// Every recording with its events, every POS script with its receipt.
    @Test func allExamplesGiveWhatStandsBesideThem() throws {
        let run = try CommandRun.shell("examples/expect --check")
        #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
    }

    /// The bill's post code is the number of a product that is sold by the piece.
    @Test(arguments: ["pos.sh", "pos.py"])
    func aTillAsksBeforeItSellsALineOfASymbolAndIgnoresARepeat(script: String) throws {
        let run = try CommandRun.shell(
            """
            folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
            printf 'id,ean,name,price,currency\nP,4011,Pencil,0.89,EUR\n' \
                | $KEYWEDGE catalog import - --catalog $folder/c.sqlite --config /dev/null >/dev/null
            echo 'scanners: [{name: a, repeats: {within: 1s, then: reject}}]' >$folder/k.yaml
            printf 'type "Basel\\n4011\\n"\nwait 2s\ntype "4011\\n"\nwait 300ms\ntype "4011\\n"\n' \
                >$folder/a.keys
            $KEYWEDGE replay $folder/a.keys --config $folder/k.yaml --catalog $folder/c.sqlite \
                --format json | examples/pos/\(script)
            """)
        #expect(
            run.lines == [
                "         ?  not in the catalog: Basel",
                "         ?  did you scan this, or is it a line of a larger symbol: Pencil",
                "      0.89  Pencil", "----------", "      0.89  EUR, 1 items",
            ], "\(run.output)\(run.errors)")
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
