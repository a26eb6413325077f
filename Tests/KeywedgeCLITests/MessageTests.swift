import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests that messages name the place, the cause and the next command, and contain no control sequences.
@Suite(.blocking, .timeLimit(.minutes(10))) struct MessageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a script in a folder with a catalog, a recording, a table, a folder and two empty files.
    private func run(_ script: String) throws -> CommandRun {
        try CommandRun.shell(
            """
            cd '\(folder.path)'
            printf 'id,code,price,currency\\na,1,1.00,EUR\\nb,2,2.00,EUR\\n' >p.csv
            echo 'type "1\\n"' >one.keys
            mkdir -p D; : >empty.sqlite; : >empty
            [ -e c.sqlite ] || $KEYWEDGE catalog import p.csv --catalog c.sqlite 2>/dev/null
            \(script)
            """)
    }

    @Test(arguments: [
        ("catalog import none.csv --catalog c.sqlite", ["none.csv: open failed", "ls -l ."]),
        ("catalog import no/none.csv --catalog c.sqlite", ["no/none.csv", "no folder \"no\""]),
        ("catalog import D --catalog c.sqlite", ["D: read failed: Is a directory", "ls -l D"]),
        ("catalog import p.csv --catalog D", ["\"D\" cannot be opened: it is a dir", "ls -l D"]),
        ("lookup 1 --catalog p.csv", ["\"p.csv\" is not a catalog", "ls -ld p.csv"]),
        ("lookup 1 --catalog empty.sqlite", ["empty.sqlite", "keywedge catalog import FILE.csv"]),
        ("config check D", ["D: read failed: Is a directory", "name a file in it", "ls -l D"]),
        ("replay D", ["D: read failed: Is a directory", "ls -l D"]),
        ("run --config /dev/null --replay D", ["D: read failed: Is a directory", "ls -l D"]),
        ("type 1 -o D/", ["D/: create failed: Is a directory", "ls -l D/"]),
        ("type 1 -o no/x", ["no folder \"no\"", "mkdir -p no"]),
        ("catalog export --catalog c.sqlite -o D", ["D: create failed", "ls -l D"]),
        ("catalog serve --catalog c.sqlite --token-file D", ["\"D\": Is a directory", "ls -l D"]),
        (
            "catalog serve --catalog c.sqlite --feed p.csv",
            ["p.csv", "is not a folder", "ls -ld p.csv"]
        ),
        (
            "catalog publish p.csv --catalog c.sqlite",
            ["\"p.csv\"", "is not a folder", "ls -ld p.csv"]
        ),
        ("catalog publish no/x --catalog c.sqlite", ["\"no/x\"", "mkdir -p no"]),
        ("catalog follow no/x --catalog d.sqlite", ["no/x", "no folder", "ls -l ."]),
        ("journal verify --journal empty", ["\"empty\" is not a journal", "It is an empty file"]),
        ("journal list --journal D", ["\"D\" is not a journal", "It is a folder", "ls -l D"]),
        ("status --socket D", ["nothing listens at \"D\"", "It is not a socket", "ls -ld D"]),
        ("record /dev/null -o x", ["/dev/null", "It is not a scanner", "keywedge devices"]),
    ])
    func aPathOfNoUseIsNamedWithItsCauseAndTheNextCommand(
        arguments: String, words: [String]
    ) throws {
        let run = try run("timeout 600 $KEYWEDGE \(arguments) >/dev/null")
        #expect(run.exitCode == 1)
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
        #expect(!run.errors.contains("sudo"), "\(run.errors)")
    }

    /// Each case damages the feed, and then follows it or publishes into it.
    @Test(arguments: [
        ("", "follow --trust other.pub", ["not that of the trusted key", "forged"]),
        ("rm feed/feed.json.sig", "follow --trust k.pub", ["no signature", "--sign KEY.pem"]),
        ("echo '{' >feed/feed.json", "follow", ["manifest cannot be read", "head -c 500 feed/"]),
        (
            "echo '{\"format\":9}' >feed/feed.json", "follow",
            ["format 9", "Run: keywedge --version"]
        ),
        (
            "follow; sed -i 's/\"sequence\":[0-9]*/\"sequence\":5/' feed/feed.json", "follow",
            ["sequence 5", "cat r.sqlite.feed.json"]
        ),
        ("for f in feed/full*; do echo x >$f; done", "follow", ["another size", "feed.json last"]),
        ("", "publish", ["is signed", "catalog publish feed --catalog c.sqlite --sign KEY.pem"]),
        ("", "publish --sign k --scope airport", ["airport", "publish OTHER-FOLDER"]),
    ])
    func aRefusedFeedIsNamedWithTheNextCommand(
        spoiling: String, command: String, words: [String]
    ) throws {
        let run = try run(
            """
            openssl genpkey -algorithm ed25519 -out k; openssl pkey -in k -pubout -out k.pub
            openssl genpkey -algorithm ed25519 | openssl pkey -pubout -out other.pub
            publish() { $KEYWEDGE catalog publish feed --catalog c.sqlite "$@"; }
            follow() { $KEYWEDGE catalog follow feed --catalog r.sqlite "$@"; }
            publish --sign k
            \(spoiling)
            \(command) 2>said && exit 9
            cat said
            """)
        #expect(run.output.hasPrefix("keywedge: feed: "), "\(run.output)\(run.errors)")
        for word in words { #expect(run.output.contains(word), "\(run.output)") }
    }

    @Test func aFeedOnAServerIsNamedToo() throws {
        let run = try run("$KEYWEDGE catalog follow http://127.0.0.1:9/f --catalog r.sqlite")
        #expect(run.errors.hasPrefix("keywedge: http://127.0.0.1:9/f/feed.json cannot be fetched"))
        #expect(run.errors.contains("Nothing listens there"), "\(run.errors)")
        #expect(run.errors.contains("Run: curl -sSI http://127.0.0.1:9/f/feed.json"))
        let unknown = try self.run("$KEYWEDGE catalog follow http://a.invalid --catalog r.sqlite")
        #expect(unknown.errors.contains("Correct the host's name"), "\(unknown.errors)")
    }

    @Test func keywedgesOwnFilesAreNotConfused() throws {
        let run = try run("$KEYWEDGE journal list --journal c.sqlite")
        #expect(run.errors.contains("name another path"), "\(run.errors)")
        #expect(!run.errors.contains("mv "))
    }

    @Test func aCheckNamesTheCatalog() throws {
        let run = try run("$KEYWEDGE catalog check --catalog c.sqlite")
        #expect(run.errors.contains("c.sqlite: 2 products, "), "\(run.errors)")
    }

    @Test(arguments: [
        ("catalog publish f --valid 1m", "a number with a unit, as 500ms, 30s, 5min, 2h or 1d"),
        ("catalog publish f --valid 1s", "from 1min to 366d"),
        ("catalog import x.csv --max-change 5", "a share from 0% to 100%, as 20% or 0.5%"),
        ("catalog import x.csv --time-zone CET", "UTC or a name with its area, as Europe/Berlin"),
        ("lookup 1 --at 2026-12-01", "a time with its offset, as 2026-12-01T08:00:00+01:00"),
        ("catalog export --scope 'a b'", "1 to 64 letters from a to z or A to Z, digits"),
        ("catalog import x --wait 1m", "as 500ms, 30s"), ("type 1 -o - --pace 1m", "as 500ms, 30s"),
        ("type 1 --device --wait x", "as 500ms, 30s"), ("doctor --scan 1m", "as 500ms, 30s"),
        ("catalog follow x --every 0s", "from 1s to 1d"), ("listen --timeout 1m", "as 500ms"),
        ("catalog serve --connections many", "a whole number from 2 to 100000, as 2"),
        ("record x --seconds 1m", "a whole number from 1 to 86400, as 1"),
        ("doctor --catalog-age 0", "a whole number from 1 to 3650, as 1"),
        ("listen --count many", "a whole number from 1"),
        ("catalog serve --listen 80", "HOST:PORT, as 127.0.0.1:8690"),
        ("journal dead send foo", "the number of a dead letter, as 3"),
        ("journal list --type foo", "one of keywedge.journal.full, "),
        ("journal replay --sink a --from foo", "a sequence such as 41"),
        ("decode 1 --today now", "a day, as 2026-11-21"), ("completion csh", "bash, zsh or fish"),
        ("listen --after foo", "as k3v9q0c2m7xd-41"), ("listen --kinds foo", "one or more of book"),
        ("listen --scanners a,,b", "names with commas"), ("decode 1 --region XX", "one of SE, NO"),
        ("status --format tsv", "'json' and 'pretty'"), ("listen --format x", "'tsv' or 'pretty'"),
    ])
    func aValueThatCannotBeReadIsRefusedWithTheForm(arguments: String, form: String) throws {
        let run = try run("$KEYWEDGE \(arguments)")
        #expect(run.exitCode == 2)
        let first = run.errors.split(separator: "\n").first ?? ""
        #expect(first.contains("is invalid for") && first.contains(form), "\(run.errors)")
    }

    @Test(arguments: [
        "decode X", "decode X --format pretty", "decode X --explain", "lookup X --catalog c.sqlite",
        "lookup X --catalog c.sqlite --format pretty", "lookup X --catalog c.sqlite --explain",
        "lookup 1 --catalog X", "lookup 1 --config X", "lookup X --at X", "lookup 1 --scanner X",
        "catalog remove X --catalog c.sqlite", "catalog remove --id X --catalog c.sqlite",
        "catalog import X --catalog c.sqlite", "catalog import p.csv --map X=X --catalog c.sqlite",
        "catalog import p.csv --map id=X --catalog c.sqlite", "catalog import p.csv --only X=X",
        "catalog import p.csv --catalog X/X", "catalog export -o X/X --catalog c.sqlite",
        "catalog publish X/X --catalog c.sqlite", "catalog follow X --catalog d.sqlite",
        "catalog follow http://X/ --catalog d.sqlite", "catalog follow D --trust X",
        "catalog check --against X --catalog c.sqlite", "catalog check --endpoint X",
        "catalog serve --catalog c.sqlite --listen X", "catalog serve --catalog c.sqlite --feed X",
        "journal list --journal X", "journal replay --journal X --sink X --from 1",
        "journal forget X", "journal dead list --sink X", "config check X", "replay X",
        "replay one.keys --expect X", "replay one.keys --scanner X", "replay one.keys --layout X",
        "replay one.keys --catalog c.sqlite --format X", "type X -o X/X", "type X -o out --json",
        "type 1 -o x --scanner X", "type 1 --device --vendor X", "record X", "monitor X",
        "layouts show X", "layouts list X", "layouts detect X",
        "layouts detect one.keys --expect X",
        "status --socket X", "reload --socket X", "listen --socket X --timeout 100ms",
        "listen --consumer X", "listen --exec -X", "listen --types X", "doctor --scan X", "X",
        "catalog X", "--X", "completion X", "decode --region X",
    ])
    func noTextReachesTheTerminalAsAControlSequence(arguments: String) throws {
        let text = "$'\\e]0;owned\\a\\e[31m\\u009b31m\\u202ex'"
        let run = try run(
            "timeout 600 $KEYWEDGE \(arguments.replacing("X", with: text)) </dev/null 2>&1")
        let wrong = run.output.unicodeScalars.filter {
            $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
        }
        #expect(wrong.isEmpty, "\(run.output.debugDescription)")
        #expect(run.exitCode != 124)
    }
}
