import TestFolders
import TestWaiting
import Testing

@Suite(.blocking) struct CatalogCommandTests {
    private static let csv = """
        id;ean;name;price;currency;shelf
        pen;4006381333931;Fineliner, blue;1,99;EUR;A1
        milk;042100005264|MILK;Milk;0,89;EUR;

        """

    private let folder: TemporaryFolder
    private let catalog: String

    init() throws {
        folder = try TemporaryFolder()
        catalog = folder.path("catalog.sqlite")
        let csv = try folder.write(Self.csv, to: "products.csv")
        let run = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors.hasSuffix("2 added, 0 updated, 0 unchanged, 0 skipped\n"))
    }

    @Test(arguments: ["4006381333931", "]E04006381333931", "04006381333931"])
    func aProductIsFoundByItsGTINInEverySpelling(code: String) throws {
        let run = try CommandRun("lookup", code, "--catalog", catalog)
        #expect(
            run.output.hasSuffix(
                #""lookup":{"status":"found","origin":"embedded"},"product":{"id":"pen","#
                    + #""name":"Fineliner, blue","price":"1.99","currency":"EUR","#
                    + #""codes":["4006381333931"],"attributes":{"shelf":"A1"}}}"# + "\n"))
    }

    @Test(arguments: ["04252614", "042100005264", "0042100005264", "00042100005264", "MILK"])
    func aUPCEFindsItsUPCA(code: String) throws {
        let run = try CommandRun("lookup", code, "--catalog", catalog)
        #expect(run.output.contains(#""product":{"id":"milk""#))
    }

    @Test func whatIsNotFoundIsAResult() throws {
        let run = try CommandRun("lookup", "nothing", "--catalog", catalog)
        #expect(run.output == #"{"text":"nothing","lookup":{"status":"not-found"}}"# + "\n")
        #expect(run.exitCode == 0)
        #expect(try CommandRun("lookup", "nothing", "--catalog", catalog, "--strict").exitCode == 3)
    }

    @Test func theExportImportsToTheSameCatalog() throws {
        let exported = folder.path("export.csv")
        let second = folder.path("second.sqlite")
        #expect(
            try CommandRun("catalog", "export", "--catalog", catalog, "-o", exported).exitCode == 0)
        #expect(
            try CommandRun("catalog", "import", exported, "--catalog", second).exitCode == 0)
        let first = try CommandRun("catalog", "export", "--catalog", catalog)
        #expect(first.output == (try CommandRun("catalog", "export", "--catalog", second).output))
        #expect(first.lines.count == 3)
    }

    @Test func importingAgainUpdates() throws {
        let csv = try folder.write(
            "id,ean,name,price,currency\npen,4006381333931,Pen,2.09,EUR\n", to: "again.csv")
        let run = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        #expect(run.errors.hasSuffix("0 added, 1 updated, 0 unchanged, 0 skipped\n"))
        let found = try CommandRun("lookup", "4006381333931", "--catalog", catalog)
        #expect(found.output.contains(#""name":"Pen","price":"2.09""#))
    }

    @Test func badRowsAreNamedAndNothingIsImported() throws {
        let csv = try folder.write(
            """
            id,ean,name,price,currency
            a,4006381333931,A,1.00,EUR
            b,4006381333948,B,NaN,EUR
            c,4006381333955,C,-1,EUR

            """, to: "bad.csv")
        let catalog = folder.path("other.sqlite")
        let run = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("\(csv):3: "))
        #expect(run.errors.contains("\(csv):4: "))
        #expect(!run.errors.contains("\(csv):2: "))
        let missing = try CommandRun("lookup", "1", "--catalog", catalog)
        #expect(missing.errors.contains("There is no catalog"), "\(missing.errors)")
        let skipping = try CommandRun(
            "catalog", "import", csv, "--catalog", catalog, "--skip-invalid", "--strict")
        #expect(skipping.exitCode == 3)
        #expect(skipping.errors.hasSuffix("1 added, 0 updated, 0 unchanged, 2 skipped\n"))
    }

    @Test func mendedCodesAreCounted() throws {
        let csv = try folder.write(
            "ean\n'4006381333931\n96385074.0\n9506000100234\n", to: "sheet.csv")
        let catalog = folder.path("sheet.sqlite")
        let run = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        #expect(run.exitCode == 0)
        #expect(
            run.errors
                == "keywedge: \(csv): columns: code=ean\n"
                + "keywedge: \(csv): no column is the price\n"
                + "keywedge: \(csv): 2 codes mended that a spreadsheet had made a number of, the "
                + "first in line 2: \"'4006381333931\" is \"4006381333931\"\n"
                + "keywedge: \(csv): 3 added, 0 updated, 0 unchanged, 0 skipped\n")
    }

    @Test func twentyInvalidRowsAreNamedAndTheOthersCounted() throws {
        let rows = (1...50).map { "\($0),NaN\n" }.joined()
        let csv = try folder.write("id,price\n" + rows, to: "many.csv")
        let run = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        let errors = run.errors.split(separator: "\n")
        #expect(errors.count { $0.contains(#/\.csv:\d+: /#) } == 20)
        #expect(errors.dropLast().last == "keywedge: \(csv): and 30 more invalid rows")
        #expect(errors.last?.contains("50 rows are invalid") == true)
    }

    /// A quotation mark is never closed, and each further line counts as a row of its own.
    @Test func anUnclosedQuotationMarkDoesNotPrintTheFile() throws {
        let run = try CommandRun.shell(
            """
            { echo 'id,name'; echo '1,"Pen'; seq 2 20000 | sed 's/$/,"x" y/'; } >\(folder.path)/quote.csv
            $KEYWEDGE catalog import \(folder.path)/quote.csv --catalog \(folder.path)/quote.sqlite
            """)
        #expect(run.exitCode == 1)
        #expect(run.errors.split(separator: "\n").count < 30)
    }

    @Test func anUnclearPriceSaysWhatToWrite() throws {
        let csv = try folder.write("ean,Preis in €\n4006381333931,\"1,99\"\n", to: "euro.csv")
        let catalog = folder.path("euro.sqlite")
        let run = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("write --map price=\"Preis in €\""), "\(run.errors)")
        let again = try CommandRun(
            "catalog", "import", csv, "--catalog", catalog, "--map", "price=Preis in €")
        #expect(again.exitCode == 0)
        let found = try CommandRun("lookup", "4006381333931", "--catalog", catalog)
        #expect(found.output.contains(#""price":"1.99","currency":"EUR""#))
    }

    @Test func anEncodingIsNamedAndTaken() throws {
        let run = try CommandRun.shell(
            """
            printf 'ean;name\\n4006381333931;Молоко\\n' | iconv -t windows-1251 >\(folder.path)/ru.csv
            $KEYWEDGE catalog import \(folder.path)/ru.csv --catalog \(folder.path)/ru.sqlite; echo $?
            $KEYWEDGE catalog import \(folder.path)/ru.csv --encoding windows-1251 --keep-codes \
                --decimal comma --catalog \(folder.path)/ru.sqlite; echo $?
            $KEYWEDGE catalog export --catalog \(folder.path)/ru.sqlite | grep -c Молоко
            """)
        #expect(run.lines == ["1", "0", "1"], "\(run.errors)")
        #expect(run.errors.contains("expected --encoding windows-1251"))
    }

    @Test(arguments: [["--encoding", "no-such"], ["--decimal", "dot"], ["--map", "prize=x"]])
    func aWrongOptionIsRefused(option: [String]) throws {
        let run = try CommandRun(
            arguments: ["catalog", "import", "x.csv", "--catalog", catalog] + option)
        #expect(run.exitCode == 2)
    }

    @Test func standardInputIsImported() throws {
        let catalog = folder.path("piped.sqlite")
        let run = try CommandRun.shell(
            "printf 'ean,name\\n4006381333931,Pen\\n1,A,B\\n' "
                + "| $KEYWEDGE catalog import - --skip-invalid --catalog \(catalog)")
        #expect(run.exitCode == 0)
        #expect(
            run.errors
                == "keywedge: standard input: columns: code=ean name=name\n"
                + "keywedge: standard input: no column is the price\n"
                + "keywedge: standard input:3: The row has 3 fields; expected 2, as the header has.\n"
                + "keywedge: standard input: 1 added, 0 updated, 0 unchanged, 1 skipped\n")
        #expect(
            try CommandRun("lookup", "4006381333931", "--catalog", catalog).output
                .contains(#""name":"Pen""#))
    }

    /// The rest of the file never arrives; once the write-ahead log exists, the import is waiting for it.
    @Test func anInterruptedImportSaysThatNothingWasImported() throws {
        let fresh = folder.path("fresh.sqlite")
        for path in [catalog, fresh] {
            let run = try CommandRun.shell(
                """
                mkfifo \(path).fifo; exec 3<>\(path).fifo
                printf 'ean,name\\n96385074,Chocolate\\n' >&3
                $KEYWEDGE catalog import - --catalog \(path) <\(path).fifo 3>&- 2>\(path).errors &
                until_true '[ -e \(path)-wal ] && grep -q "is the price" \(path).errors'
                kill -TERM $!; wait $!; status=$?; cat \(path).errors >&2; exit $status
                """)
            #expect(run.exitCode == 143)
            #expect(
                run.errors
                    == "keywedge: standard input: columns: code=ean name=name\n"
                    + "keywedge: standard input: no column is the price\n"
                    + "keywedge: standard input: interrupted; nothing was imported\n")
        }
        #expect(
            try CommandRun("lookup", "96385074", "--catalog", catalog).output
                .contains("not-found"))
        let left = try CommandRun.shell("ls \(folder.path)").output
        #expect(!left.contains("fresh.sqlite\n"))
    }

    @Test func anImportWaitsForALockAsLongAsItIsTold() throws {
        let csv = try folder.write("ean,name\n96385074,Chocolate\n", to: "more.csv")
        let held = """
            mkfifo \(folder.path)/sql; exec 3<>\(folder.path)/sql
            sqlite3 \(catalog) <\(folder.path)/sql >\(folder.path)/held 3>&- & holder=$!
            printf 'BEGIN IMMEDIATE;\\n.print held\\n' >&3
            until_true '[ -s \(folder.path)/held ]'

            """
        let import_ = "$KEYWEDGE catalog import \(csv) --catalog \(catalog)"
        let refused = try CommandRun.shell(
            held + "\(import_) --wait 0s; code=$?; kill $holder; "
                + "rm \(folder.path)/{sql,held}; exit $code")
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("is locked by another process"))
        let waited = try CommandRun.shell(
            held + "( sleep 1.5; printf 'COMMIT;\\n.exit\\n' >&3 ) & "
                + "\(import_) --wait 600s")
        #expect(waited.exitCode == 0, "\(waited.errors)")
        #expect(waited.errors.hasSuffix("1 added, 0 updated, 0 unchanged, 0 skipped\n"))
    }

    @Test func columnsAreMapped() throws {
        let csv = try folder.write("Nr\tArtikel\n4006381333931\tStift\n", to: "mapped.csv")
        let catalog = folder.path("mapped.sqlite")
        let run = try CommandRun(
            "catalog", "import", csv, "--catalog", catalog, "--map", "code=Nr", "--map",
            "name=Artikel")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(
            try CommandRun("lookup", "4006381333931", "--catalog", catalog).output
                .contains(#""name":"Stift""#))
    }

    @Test func checkFindsWrongDigitsAndSharedCodes() throws {
        #expect(try CommandRun("catalog", "check", "--catalog", catalog).exitCode == 0)
        let csv = try folder.write(
            "id,ean\na,4006381333932\nb,0042100005264\nmilk,042100005264|MILK\n",
            to: "wrong.csv")
        _ = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        let run = try CommandRun("catalog", "check", "--catalog", catalog)
        #expect(run.exitCode == 1)
        #expect(run.lines.count == 2)
        #expect(run.output.contains("wrong check digit; expected 1, got 2"))
        #expect(run.output.contains(#""042100005264" of product "milk""#))
    }

    @Test func aFileThatIsNoCatalogIsNamed() throws {
        let text = try folder.write("hello", to: "text.sqlite")
        for path in [text, folder.path("none.sqlite"), folder.path] {
            let run = try CommandRun("lookup", "1", "--catalog", path)
            #expect(run.exitCode == 1)
            #expect(run.errors.contains(path), "\(run.errors)")
            #expect(run.output == "")
        }
    }

    @Test func anExportReplacesAFileOnlyWhenItIsWhole() throws {
        let kept = try folder.write("precious", to: "kept.csv")
        let broken = try folder.write("no database", to: "broken.sqlite")
        #expect(try CommandRun("catalog", "export", "--catalog", broken, "-o", kept).exitCode == 1)
        let text = try CommandRun.shell("cat \(kept); ls \(folder.path)")
        #expect(text.output.hasPrefix("precious"))
        #expect(!text.output.contains(".new-"))
        #expect(try CommandRun("catalog", "export", "--catalog", catalog, "-o", kept).exitCode == 0)
        #expect(try CommandRun.shell("head -1 \(kept)").output.hasPrefix("id,code,name"))
    }

    @Test func theCatalogIsNotExportedOntoItself() throws {
        let run = try CommandRun("catalog", "export", "--catalog", catalog, "-o", catalog)
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("the catalog itself cannot be the file it is exported to"))
        #expect(try CommandRun("lookup", "MILK", "--catalog", catalog).output.contains("milk"))
    }

    @Test func anEmptyPathIsWrongUsage() throws {
        #expect(try CommandRun("lookup", "1", "--catalog", "").exitCode == 2)
    }

    @Test func answersAroundBadLinesAreGiven() throws {
        let run = try CommandRun.shell(
            "printf 'MILK\\n\\xff\\na\\\\q\\nMILK\\n' | $KEYWEDGE lookup --catalog \(catalog)")
        #expect(run.exitCode == 1)
        #expect(run.lines.count == 2)
        #expect(run.errors.hasPrefix("keywedge: standard input:2: expected UTF-8\n"))
        #expect(run.errors.contains(#"keywedge: standard input:3: cannot read "a\\q""#))
    }

    @Test func aBackslashInACodeIsAsTheHelpSays() throws {
        let csv = try folder.write("id,code\nodd,A\\B\n", to: "odd.csv")
        _ = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        for arguments in [[#"A\\B"#], ["--raw", #"A\B"#]] {
            let run = try CommandRun(arguments: ["lookup", "--catalog", catalog] + arguments)
            #expect(run.output.contains(#""id":"odd""#), "\(run.output) \(run.errors)")
        }
        let help = try CommandRun("lookup", "--help").output
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.contains("--raw") && help.contains(#"a backslash itself as \\"#))
    }

    @Test func lookupGoesOnBehindALineThatCannotBeRead() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            #"""
            printf 'code,name\n4006381333931,Pencil\n' |
                $KEYWEDGE catalog import - --config /dev/null --catalog $0/c.sqlite 2>/dev/null
            printf '4006381333931\na\\q\n\xff\n4006381333931\n' |
                $KEYWEDGE lookup --config /dev/null --catalog $0/c.sqlite
            """#.replacing("$0", with: folder.path(".")))
        #expect(run.exitCode == 1)
        #expect(run.lines.count == 2)
        #expect(run.lines.allSatisfy { $0.contains(#""name":"Pencil""#) })
        #expect(run.errors.hasPrefix(#"keywedge: standard input:2: cannot read "a\\q": expected"#))
        #expect(run.errors.hasSuffix("keywedge: standard input:3: expected UTF-8\n"))
    }
}
