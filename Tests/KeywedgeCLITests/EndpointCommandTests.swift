import TestFolders
import TestWaiting
import Testing

/// Tests `lookup` and `catalog check --endpoint` with an HTTP catalog that cannot be reached.
@Suite(.blocking) struct EndpointCommandTests {
    private let folder: TemporaryFolder
    private let configuration: String

    init() throws {
        folder = try TemporaryFolder()
        let csv = try folder.write("id,ean,name\npen,4006381333931,Pen\n", to: "products.csv")
        let catalog = folder.path("catalog.sqlite")
        _ = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        // Nothing listens on port 9 (discard) nowadays, and the address needs no name server.
        configuration = try folder.write(
            """
            catalog:
              sources:
                - embedded: catalog.sqlite
                - http:
                    name: shop
                    url: http://127.0.0.1:9
                    attempts: 1
                    request: {path: "/p/{code}"}
                    not_found: {status: 404}
                    product: {id: /id}
            """, to: "keywedge.yaml")
    }

    @Test func aProductInTheEmbeddedCatalogIsExplained() throws {
        let run = try CommandRun("lookup", "4006381333931", "--explain", "--config", configuration)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(
            run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast(3) == [
                "\"4006381333931\"", "", "embedded",
                "  key       GTIN 04006381333931: found, listed as \"4006381333931\"",
                "  answer    found \"pen\" \"Pen\", from this box", "", "shop",
                "  not asked the product was found", "",
            ])
        #expect(run.lines.last?.hasPrefix("  result    found in embedded, after ") == true)
    }

    @Test func aCatalogThatIsGoneIsExplainedAndFails() throws {
        let run = try CommandRun("lookup", "NOPE", "--explain", "--config", configuration)
        #expect(run.exitCode == 1)
        #expect(run.lines.contains("  key       text \"NOPE\": not in the catalog"))
        #expect(run.lines.contains("    > GET http://127.0.0.1:9/p/NOPE"))
        #expect(run.lines.last?.hasPrefix("  result    failed in shop, after ") == true)
        // The reason appears only once.
        let reason = "The catalog shop did not answer: the connection was refused."
        #expect(run.output.ranges(of: reason).count == 1)
        #expect(run.errors == "")
    }

    @Test(arguments: [
        ("4111111111111111", "payment-card", 16), ("]C04111 1111 1111 1111", "payment-card", 19),
        ("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "travel-document", 44),
    ])
    func whatIsPrivateGoesToNoCatalog(code: String, kind: String, length: Int) throws {
        let run = try CommandRun("lookup", code, "--config", configuration)
        #expect(
            run.output
                == #"{"content":"\#(kind)","length":\#(length),"lookup":{"status":"skipped"}}"#
                + "\n")
        #expect(
            run.errors
                == "keywedge: what looks like a \(kind.replacing("-", with: " ")) goes to no "
                + "catalog, as with scans; --send-anyway looks it up\n")
        #expect(run.exitCode == 0)
        let explained = try CommandRun(
            "lookup", "--explain", "--strict", code, "--config", configuration)
        #expect(explained.output == "\(kind), \(length) characters: not looked up\n\n")
        #expect(explained.exitCode == 3)
        let sent = try CommandRun("lookup", code, "--send-anyway", "--config", configuration)
        #expect(sent.exitCode == 1)
        #expect(
            sent.errors
                == "keywedge: The catalog shop did not answer: the connection was refused.\n")
    }

    @Test func anExplanationHasNoFormat() throws {
        let run = try CommandRun("lookup", "1", "--explain", "--format", "json")
        #expect(run.exitCode == 2)
    }

    @Test func aCatalogThatIsGoneFailsTheCheck() throws {
        let run = try CommandRun(
            "catalog", "check", "--endpoint", "shop", "--config", configuration)
        #expect(run.exitCode == 1)
        #expect(run.lines.contains("✓ ok        name           127.0.0.1 is an address"))
        #expect(run.lines.contains("✗ FAILED    connection     the connection was refused"))
        #expect(run.lines.contains { $0.hasPrefix("                  url: \"http") })
        #expect(run.errors == "keywedge: 1 catalog tried, 1 failed\n")
    }

    @Test(arguments: [
        (["--endpoint", "other"], Int32(1), #"called "other"; expected one of: "shop""#),
        (["shop"], 2, "--endpoint"),
        (["--known", "1"], 2, "--endpoint"),
    ])
    func whatCannotBeTriedIsSaid(arguments: [String], code: Int32, words: String) throws {
        let run = try CommandRun(
            arguments: ["catalog", "check"] + arguments + ["--config", configuration])
        #expect(run.exitCode == code)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test func withoutACatalogOverHTTPThereIsNothingToTry() throws {
        let none = try folder.write("catalog: {sources: []}\n", to: "none.yaml")
        let run = try CommandRun("catalog", "check", "--endpoint", "--config", none)
        #expect(run.exitCode == 1)
        #expect(
            run.errors.hasPrefix("keywedge: no catalog over HTTP is configured; expected one in"))
    }

    @Test func aLookupThatFailsKeepsNoOtherFromBeingAnswered() throws {
        let run = try CommandRun("lookup", "NOPE", "4006381333931", "--config", configuration)
        #expect(run.exitCode == 1)
        #expect(run.lines.count == 2)
        #expect(run.lines.first?.contains(#""status":"failed""#) == true)
        #expect(run.lines.last?.contains(#""status":"found""#) == true)
        #expect(run.errors.contains("the connection was refused"))
    }
}
