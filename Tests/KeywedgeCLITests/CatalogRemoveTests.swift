import TestFolders
import TestWaiting
import Testing

@Suite(.blocking) struct CatalogRemoveTests {
    private static let csv = """
        id;ean;name
        pen;4006381333931;Fineliner, blue
        milk;042100005264|MILK;Milk

        """

    private let folder: TemporaryFolder
    private let catalog: String

    init() throws {
        folder = try TemporaryFolder()
        catalog = folder.path("catalog.sqlite")
        try take(Self.csv)
    }

    private func take(_ csv: String) throws {
        let csv = try folder.write(csv, to: "products.csv")
        let run = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    @Test(arguments: [
        ["04252614"], ["]E00042100005264"], ["MILK"], ["\\x4dILK"],
        ["--id", "milk"],
    ])
    func aProductIsTakenOutByAnyOfItsCodesOrItsID(_ arguments: [String]) throws {
        let run = try CommandRun(
            arguments: ["catalog", "remove", "--catalog", catalog] + arguments)
        #expect(
            run.errors
                == "keywedge: removed \"milk\", \"Milk\"\n"
                + "keywedge: 1 removed, 0 not in the catalog\n")
        #expect(run.exitCode == 0)
        let left = try CommandRun("catalog", "export", "--catalog", catalog)
        #expect(left.lines.count == 2)
        #expect(left.output.contains("pen") && !left.output.contains("milk"))
    }

    @Test func whatIsNotThereToBeTakenOutIsNamed() throws {
        let run = try CommandRun(
            "catalog", "remove", "--catalog", catalog, "--strict", input: "no\\ttab\nMILK\nMILK\n")
        #expect(
            run.errors
                == "keywedge: \"no\\ttab\" is not in the catalog\n"
                + "keywedge: removed \"milk\", \"Milk\"\n"
                + "keywedge: 1 removed, 1 not in the catalog\n")
        #expect(run.exitCode == 3)
        let again = try CommandRun("catalog", "remove", "--catalog", catalog, "MILK")
        #expect(again.errors.hasSuffix("keywedge: 0 removed, 1 not in the catalog\n"))
        #expect(again.exitCode == 0)
        let none = folder.path("none.sqlite")
        let missing = try CommandRun("catalog", "remove", "--catalog", none, "MILK")
        #expect(missing.exitCode == 1)
        #expect(missing.errors.contains("There is no catalog"))
        #expect(try CommandRun.shell("ls \(folder.path)").output.contains("none") == false)
    }

    /// Starts a command that may wait, then commands that may not, and releases the lock after those are refused.
    ///
    /// If all commands waited equally long, or none waited, the first would be refused before the last.
    @Test func aLockIsWaitedForAsLongAsItIsTold() async throws {
        let remove = ["catalog", "remove", "MILK", "--catalog", catalog, "--wait"]
        let lock = try FileLock(catalog)
        async let waiting = CommandRun(arguments: remove + ["600s"])
        for _ in 1...3 {
            let refused = try CommandRun(arguments: remove + ["0s"])
            #expect(refused.exitCode == 1)
            #expect(refused.errors.contains("is locked by another process"))
        }
        lock.release()
        let waited = try await waiting
        #expect(waited.exitCode == 0, "\(waited.errors)")
        let far = try CommandRun(arguments: remove + ["2d"])
        #expect(far.exitCode == 2)
        #expect(far.errors.contains("--wait"))
    }

    @Test func aSharedCodeTakesNothingOut() throws {
        let csv = try folder.write(
            "id,ean\npen,4006381333931\nink,4006381333931\n", to: "shared.csv")
        _ = try CommandRun("catalog", "import", csv, "--catalog", catalog)
        let run = try CommandRun("catalog", "remove", "MILK", "4006381333931", "--catalog", catalog)
        #expect(
            run.errors
                == "keywedge: \"4006381333931\" is a code of several products; expected --id and one "
                + "of the ids \"ink\", \"pen\"\n")
        #expect(run.exitCode == 1)
        #expect(try CommandRun("catalog", "export", "--catalog", catalog).lines.count == 4)
    }

    @Test(arguments: [#"\x41"#, #"C:\new"#, #"A\B"#, "A"])
    func anIDIsTakenAsItIs(id: String) throws {
        try take("id,name\n\\x41,\u{1B}[2J\nC:\\new,\u{1B}[2J\nA\\B,\u{1B}[2J\nA,\u{1B}[2J\n")
        let shown = id.replacing("\\", with: #"\\"#)
        let expected =
            "keywedge: removed \"\(shown)\", \"\\x1b[2J\"\n"
            + "keywedge: 1 removed, 0 not in the catalog\n"
        let run = try CommandRun("catalog", "remove", "--catalog", catalog, "--id", id)
        #expect(run.errors == expected)
        try take("id,name\n\(id),\u{1B}[2J\n")
        let listed = try CommandRun(
            "catalog", "remove", "--catalog", catalog, "--id", input: "\(id)\n")
        #expect(listed.errors == expected)
        #expect(try CommandRun("catalog", "export", "--catalog", catalog).lines.count == 6)
    }

    @Test(arguments: [["--id"], []])
    func aListMayBeFromAnotherSystem(_ arguments: [String]) throws {
        try take("id,code\na,a\nb,b\n")
        let run = try CommandRun(
            arguments: ["catalog", "remove", "--catalog", catalog] + arguments,
            input: "\u{FEFF}a\r\n\r\n b\r\nb\r")
        #expect(
            run.errors
                == "keywedge: removed \"a\"\n"
                + "keywedge: \" b\" is not in the catalog\n"
                + "keywedge: removed \"b\"\n"
                + "keywedge: 2 removed, 1 not in the catalog\n")
        #expect(run.exitCode == 0)
    }

    @Test func aCodeThatCannotBeReadTakesNothingOut() throws {
        let run = try CommandRun("catalog", "remove", "--catalog", catalog, "MILK", #"A\B"#)
        #expect(run.exitCode == 1)
        #expect(
            run.errors.hasPrefix(#"keywedge: code 2: cannot read "A\\B": expected a backslash"#))
        #expect(run.errors.hasSuffix("; nothing is removed\n"))
        #expect(try CommandRun("catalog", "export", "--catalog", catalog).lines.count == 3)
    }

    /// The empty lines exceed the buffers of the pipe and the command, so the command has read the code by the time
    /// they are written.
    @Test func aCodeIsThatOfTheProductThatHasItAtTheEndOfTheInput() throws {
        let moved = try folder.write("id,ean\nmilk,042100005264\ncream,MILK\n", to: "moved.csv")
        let run = try CommandRun.shell(
            """
            {
                echo MILK
                yes '' | head -c 1000000
                $KEYWEDGE catalog import \(moved) --catalog \(catalog) >/dev/null 2>&1
            } | $KEYWEDGE catalog remove --catalog \(catalog)
            """)
        #expect(
            run.errors
                == "keywedge: removed \"cream\"\nkeywedge: 1 removed, 0 not in the catalog\n")
        let left = try CommandRun("catalog", "export", "--catalog", catalog)
        #expect(left.output.contains("milk") && !left.output.contains("cream"))
    }
}
