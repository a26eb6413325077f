import TestWaiting
import Testing

@Suite(.blocking) struct LayoutsCommandTests {
    @Test func theListCanBeSearched() throws {
        let run = try CommandRun("layouts", "list", "german", "dead", "DE", "--format", "pretty")
        #expect(run.exitCode == 0)
        #expect(run.lines.contains("de:nodeadkeys      German (no dead keys)"))
        let json = try CommandRun("layouts", "list", "de:nodeadkeys")
        #expect(
            json.lines.contains {
                $0.hasPrefix(#"{"layout":"de:nodeadkeys","title":"German (no dead keys)","#)
            })
        let none = try CommandRun("layouts", "list", "kl\u{1B}ingon")
        #expect(none.exitCode == 1)
        #expect(
            none.errors.hasPrefix(
                "keywedge: no layout matches \"kl\\x1bingon\"; keywedge layouts list"))
    }

    @Test func aLayoutIsDrawn() throws {
        let run = try CommandRun("layouts", "show", "fr")
        #expect(run.exitCode == 0)
        #expect(run.output.contains("| A Æ | Z < | E ¢ | R ® |"))
        #expect(run.lines.allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: [
        (["layouts", "show", "frr"], 1, "there is no layout \"frr\"; the nearest is \"fr\""),
        (["layouts", "show", "de:noded"], 1, "layout \"de\" has no variant \"noded\""),
        (
            ["type", "1", "-o", "-", "--layout", "a b"], 2,
            "--layout: \"a b\" is not the name of a layout"
        ),
        (["layouts", "detect"], 2, "expected either a recording or --scanner"),
        (["layouts", "detect", "-", "--expect", ""], 2, "--expect: expected a text, found none"),
        (["layouts", "detect", "-"], 1, "no key was pressed"),
    ])
    func whatIsWrongIsSaid(arguments: [String], code: Int32, message: String) throws {
        let run = try CommandRun(arguments: arguments, input: "wait 1s\n")
        #expect(run.exitCode == code)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.output == "")
    }

    @Test func theTextOfAGS1SymbolShowsItsFNC1() throws {
        let told = try CommandRun(
            "layouts", "detect", "-", "--expect", #"010703206980498810LOT\x1d21SER"#,
            input: "type \"010703206980498810LOT|21SER\\n\"\n")
        #expect(told.lines.contains(#"  "|": "\x1D""#), "\(told.output)\(told.errors)")
        #expect(told.lines.contains("content: gs1"))
    }

    @Test func whatIsTypedOnALayoutIsReadOnIt() throws {
        let run = try CommandRun.shell(
            """
            for layout in fr de:nodeadkeys cz gr us:dvorak; do
                $KEYWEDGE type --layout $layout -o - --config /dev/null 'Code 42 #@' |
                    $KEYWEDGE replay - --layout $layout --config /dev/null --format text
            done
            """)
        #expect(run.lines.allSatisfy { $0 == "Code 42 #@" }, "\(run.errors)")
        #expect(run.lines.count >= 4)
    }

    @Test func whatALayoutCannotTypeIsSaidByName() throws {
        let run = try CommandRun(
            "type", "ß", "-o", "-", "--layout", "us:dvorak", "--config", "/dev/null")
        #expect(run.exitCode == 1)
        for fact in ["no key", "U+00DF LATIN SMALL LETTER SHARP S", "character 0"] {
            #expect(run.errors.contains(fact))
        }
    }
}
