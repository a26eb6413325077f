import TestWaiting
import Testing

@Suite(.blocking) struct ExampleTests {
    /// Compares every recording with its events, and every POS script with its receipt.
    @Test func allExamplesGiveWhatStandsBesideThem() throws {
        let run = try CommandRun.shell("examples/expect --check")
        #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
    }

    /// One line of the bill's symbol is a post code that is also the code of a product.
    @Test(arguments: ["pos.sh", "pos.py"])
    func aTillAsksBeforeItSellsALineOfASymbolAndIgnoresARepeat(script: String) throws {
        let run = try CommandRun.shell(
            """
            folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
            printf 'id,ean,name,price,currency\nP,4011,Pencil,0.89,EUR\n' \
                | $KEYWEDGE catalog import - --catalog $folder/c.sqlite --config /dev/null >/dev/null
            echo 'scanners: [{name: a, repeats: {within: 1s, then: reject}}]' >$folder/k.yaml
            printf 'type "Basel\\\\n4011\\\\n"\nwait 2s\ntype "4011\\\\n"\nwait 300ms\ntype "4011\\\\n"\n' \
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

    /// Replays German labels with a price, with a weight and with a price whose check digit is wrong, and an American
    /// label that fits two layouts.
    @Test(arguments: ["pos.sh", "pos.py"])
    func aTillSellsAScaleLabelAtItsOwnPriceUnlessThatIsDoubtful(script: String) throws {
        let run = try CommandRun.shell(
            """
            folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
            printf 'id,ean,name,price,currency\nB,4011,Bananas,1.79,EUR\nH,0212345000000,Ham,2.00,USD\n' \
                | $KEYWEDGE catalog import - --catalog $folder/c.sqlite --config /dev/null >/dev/null
            for region in DE US; do
                echo "barcodes: {region: $region}" >$folder/$region.yaml
            done
            $KEYWEDGE type 212345109168 -o $folder/US.keys
            cp examples/recordings/scale-labels.keys $folder/DE.keys
            for region in DE US; do
                $KEYWEDGE replay $folder/$region.keys --config $folder/$region.yaml \
                    --catalog $folder/c.sqlite --format json
            done | examples/pos/\(script)
            """)
        #expect(
            run.lines == [
                "      2.49  Bananas", "         ?  measure it: Bananas, 1.79 EUR",
                "         ?  type in the price of the label: Bananas",
                "         ?  type in the price of the label: Ham", "----------",
                "      2.49  EUR, 1 items",
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
