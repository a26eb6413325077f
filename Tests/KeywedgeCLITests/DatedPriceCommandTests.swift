import TestFolders
import TestWaiting
import Testing

/// Tests dated prices with the commands `catalog import`, `replay` and `lookup`.
@Suite(.blocking) struct DatedPriceCommandTests {
    private let folder: TemporaryFolder
    private let catalog: String

    init() throws {
        folder = try TemporaryFolder()
        catalog = folder.path("catalog.sqlite")
        let csv = """
            id,ean,name,price,currency,valid_from,valid_until
            pencil,4006381333931,Pencil,0.89,EUR,,
            pencil,,,0.69,EUR,2026-12-01 08:00,2026-12-06

            """
        let file = try folder.write(csv, to: "products.csv")
        let run = try CommandRun(
            "catalog", "import", file, "--catalog", catalog, "--time-zone", "Europe/Berlin")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors.contains("1 added, 0 updated, 0 unchanged, 0 skipped"))
    }

    @Test(arguments: [
        ("2026-12-01T06:59:00Z", "0.89"), ("2026-12-01T08:00:00+01:00", "0.69"),
        ("2026-12-06T22:59:59Z", "0.69"), ("2026-12-06T23:00:00Z", "0.89"),
    ])
    func theTimeOfTheScanDecidesInAReplayAndInALookup(time: String, price: String) throws {
        let keys = try folder.write("type \"4006381333931\\n\"\n", to: "scan.keys")
        let replay = try CommandRun("replay", keys, "--catalog", catalog, "--start", time)
        #expect(replay.output.contains("\"price\":\"\(price)\""), "\(replay.errors)")
        let lookup = try CommandRun(
            "lookup", "4006381333931", "--catalog", catalog, "--at", time)
        #expect(lookup.output.contains("\"price\":\"\(price)\""), "\(lookup.output)")
    }

    @Test(arguments: [("2026-12-01T06:59:00Z", "0.89"), ("2026-12-01T07:00:00Z", "0.69")])
    func anExplainedLookupHasThePriceOfTheTime(time: String, price: String) throws {
        let run = try CommandRun(
            "lookup", "4006381333931", "--catalog", catalog, "--explain", "--at", time)
        #expect(run.output.contains("found \"pencil\" \"Pencil\" \(price) EUR"), "\(run.output)")
    }

    @Test func anAbbreviationIsNoTimeZone() throws {
        let run = try CommandRun("catalog", "import", "x.csv", "--time-zone", "EST")
        #expect(run.exitCode == 2)
    }
}
