import TestFolders
import TestWaiting
import Testing

@Suite(.blocking) struct DecodeCommandTests {
    @Test func theCardMarksWhatIsWrongUnderTheCode() throws {
        let run = try CommandRun("decode", #"]d20109506000134352\x1d21SER~9"#, "--explain")
        #expect(
            run.output == """
                text         0109506000134352\\x1d21SER~9
                                                      ^ wrong-character
                symbology    gs1-data-matrix (]d2)
                kind         gs1
                gtin         09506000134352
                check digit  valid
                elements
                  (01) GTIN                   09506000134352
                  (21) SERIAL                 SER~9
                link         https://id.gs1.org/01/09506000134352/21/SER~9
                error        "SER~9" in (21) is invalid: expected a character of GS1's character \
                set 82, got "~".


                """)
    }

    @Test(arguments: [("2026-11-21", "1977-01-01"), ("2030-01-01", "2077-01-01")])
    func theCenturyIsSeenFromTheDayGiven(today: String, date: String) throws {
        let run = try CommandRun(
            "decode", "(01)09506000134352(11)770101", "--today", today)
        #expect(run.output.contains(#""value":"770101","date":"\#(date)""#), "\(run.output)")
    }

    @Test func theRegionOpensInStoreCodes() throws {
        let plain = try CommandRun("decode", "2012345001992")
        let swedish = try CommandRun("decode", "2012345001992", "--region", "SE")
        #expect(!plain.output.contains(#""price":"1.99""#))
        #expect(swedish.output.contains(#""price":"1.99","currency":"SEK""#), "\(swedish.output)")
        #expect(try CommandRun("decode", "1", "--region", "XX").exitCode == 2)
    }

    @Test func codesAreReadAsAScannerSendsThem() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            scanners:
              - {name: plain, match: {vendor: "0001"}}
              - {name: till, match: {vendor: "0002"}, content: gs1, upc_e: unexpanded}
            """, to: "keywedge.yaml")
        let codes = ["010703206980498810LOT-7", "425261"]
        func kinds(_ options: String...) throws -> [Bool] {
            let run = try CommandRun(arguments: ["decode"] + codes + options)
            return run.lines.map { $0.contains(#""gtin":null"#) }
        }
        #expect(try kinds("--config", "/dev/null") == [true, true])
        #expect(try kinds("--config", "/dev/null", "--content", "gs1") == [false, true])
        #expect(try kinds("--config", "/dev/null", "--upc-e", "unexpanded") == [true, false])
        #expect(try kinds("--config", file) == [true, true])
        #expect(try kinds("--config", file, "--scanner", "till") == [false, false])
        #expect(
            try kinds("--config", file, "--scanner", "till", "--content", "any") == [true, false])
        let unknown = try CommandRun("decode", "1", "--config", file, "--scanner", "x")
        #expect(unknown.exitCode == 1)
        #expect(unknown.errors.contains(#"no scanner "x" is configured"#), "\(unknown.errors)")
        #expect(try CommandRun("decode", "1", "--content", "gs2").exitCode == 2)
    }

    @Test func lookupReadsCodesAsAScannerSendsThem() throws {
        let folder = try TemporaryFolder()
        let catalog = folder.path("catalog.sqlite")
        let options = ["--config", "/dev/null", "--catalog", catalog]
        _ = try CommandRun(
            arguments: ["catalog", "import", "examples/catalog.csv"] + options)
        let code = "010950600010023410LOT-7"
        let plain = try CommandRun(arguments: ["lookup", code] + options)
        #expect(plain.output.contains(#""status":"not-found""#), "\(plain.output)")
        let gs1 = try CommandRun(arguments: ["lookup", code, "--content", "gs1"] + options)
        #expect(gs1.output.contains("Lindquell mineral water"), "\(gs1.output)")
    }

    @Test func theGroupSeparatorIsReadAsItIsOrWrittenOut() throws {
        let raw = try CommandRun("decode", input: "]d20109506000134352\u{1D}10A\n")
        let written = try CommandRun("decode", input: #"]d20109506000134352\x1d10A"# + "\n")
        #expect(raw.output == written.output)
        #expect(raw.output.contains(#""title":"BATCH/LOT","value":"A""#))
        let bad = try CommandRun("decode", #"a\q"#)
        #expect(bad.exitCode == 1)
        #expect(bad.errors.contains(#"cannot read "a\\q""#))
    }

    @Test func aLineThatCannotBeReadIsNamedAndTheOthersAreDecoded() throws {
        let run = try CommandRun.shell(
            """
            { printf '4006381333931\\na\\\\q\\n\\xff\\n'
              head -c 2000000 /dev/zero | tr '\\0' 1; echo
              printf '96385074\\n'
            } | $KEYWEDGE decode
            """)
        #expect(run.exitCode == 1)
        #expect(run.lines.count == 2)
        #expect(run.output.hasPrefix(#"{"text":"4006381333931""#))
        #expect(run.lines.last?.hasPrefix(#"{"text":"96385074""#) == true)
        let errors = run.errors.split(separator: "\n")
        #expect(errors.count == 3)
        #expect(errors[0].hasPrefix(#"keywedge: standard input:2: cannot read "a\\q": expected"#))
        #expect(errors[1] == "keywedge: standard input:3: expected UTF-8")
        #expect(
            errors[2] == "keywedge: standard input:4: expected at most 1048576 bytes, found more")
    }

    @Test func anArgumentThatCannotBeReadIsNamedAndTheOthersAreDecoded() throws {
        let run = try CommandRun.shell(
            #"$KEYWEDGE decode 'a\q' $'caf\xe9' 4006381333931 $'\uFFFD' --strict"#)
        #expect(run.exitCode == 1)
        #expect(run.lines.count == 2)
        #expect(run.lines[0].hasPrefix(#"{"text":"4006381333931""#))
        #expect(run.lines[1].hasPrefix("{\"text\":\"\u{FFFD}\""))
        let errors = run.errors.split(separator: "\n")
        #expect(errors.count == 2)
        #expect(errors[0].hasPrefix(#"keywedge: code 1: cannot read "a\\q": expected"#))
        #expect(errors[1] == "keywedge: code 2: expected UTF-8")
    }

    @Test func rawTakesCodesAsTheyAre() throws {
        let text = #"C:\new\x1d\q"#
        let shown = text.replacing("\\", with: #"\\"#)
        for run in [
            try CommandRun("decode", "--raw", text),
            try CommandRun("decode", "--raw", input: text + "\n"),
            try CommandRun("decode", shown),
        ] {
            #expect(run.output.hasPrefix(#"{"text":"\#(shown)","#), "\(run.output)")
            #expect(run.exitCode == 0)
        }
    }
}
