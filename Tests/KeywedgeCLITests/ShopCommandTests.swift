import TestFolders
import TestWaiting
import Testing

/// Tests what `catalog import` reports about the shops of a chain's catalog.
@Suite(.blocking) struct ShopCommandTests {
    private let folder: TemporaryFolder
    private let catalog: String

    init() throws {
        folder = try TemporaryFolder()
        catalog = folder.path("catalog.sqlite")
        let file = try folder.write(
            "id,ean,name\npencil,4006381333931,Pencil\n", to: "products.csv")
        #expect(try CommandRun("catalog", "import", file, "--catalog", catalog).exitCode == 0)
    }

    @Test func anImportSaysWhichShopsAreNew() throws {
        for (scope, words) in [
            ("airport", "1 new shop, \"airport\""), ("airport", nil),
            ("airprot", "1 new shop, \"airprot\""), (nil, "2 new shops, the first is \"alps\""),
        ] {
            let file = try folder.write(
                scope == nil ? "id,scope\npencil,harbour\npencil,alps\n" : "id\npencil\n",
                to: "shop.csv")
            let run = try CommandRun(
                arguments: ["catalog", "import", file, "--catalog", catalog]
                    + (scope.map { ["--scope", $0] } ?? []))
            #expect(run.exitCode == 0)
            let said = run.errors.split(separator: "\n").filter { $0.contains("new shop") }
            #expect(said == (words.map { ["keywedge: \(file): \($0)"] } ?? []))
        }
    }
}
