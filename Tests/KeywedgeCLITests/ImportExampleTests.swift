import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests that the commands on the page of `examples/imports` give the expected products.
@Suite(.blocking) struct ImportExampleTests {
    private static let folder = CommandRun.projectFolder + "/examples/imports"

    /// The commands on the page.
    private static let commands: [String] = {
        let page = (try? String(contentsOfFile: folder + "/README.md", encoding: .utf8)) ?? ""
        return page.split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("keywedge catalog import ")
        }
    }()

    @Test(arguments: commands)
    func aCommandOfThePageGivesTheProductsBesideTheFile(command: String) throws {
        let scratch = try TemporaryFolder()
        let run = try CommandRun.shell(
            """
            keywedge() { "$KEYWEDGE" "$@" --catalog '\(scratch.path("c.sqlite"))'; }
            KEYWEDGE=$(realpath "$KEYWEDGE")
            cd \(Self.folder) && \(command) && keywedge catalog export
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        let file = command.split(separator: " ")[3].replacing(".csv", with: ".expected.csv")
        let expected = try String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8)
        #expect(run.output == expected)
    }

    @Test func everyFileIsOnThePage() throws {
        let run = try CommandRun.shell(
            "cd \(Self.folder) && for f in *.csv; do case $f in *.expected.csv) ;; *) echo $f; esac; done"
        )
        #expect(
            Self.commands.map { String($0.split(separator: " ")[3]) }.sorted() == run.lines.sorted()
        )
    }

    @Test(arguments: [("9506000134352", "each"), ("96385074", "each"), ("19506000134359", "CASE")])
    func aScanFindsTheUnitItIsOn(code: String, unit: String) throws {
        let scratch = try TemporaryFolder()
        let command = try #require(Self.commands.first { $0.contains("gdsn.csv") })
        let run = try CommandRun.shell(
            """
            keywedge() { "$KEYWEDGE" "$@" --catalog '\(scratch.path("c.sqlite"))'; }
            KEYWEDGE=$(realpath "$KEYWEDGE")
            cd \(Self.folder) && \(command) && keywedge lookup \(code)
            """)
        #expect(run.output.localizedCaseInsensitiveContains(unit), "\(run.output)")
    }
}

/// Tests imports from a real PostgreSQL, which listens on a socket in a temporary folder.
@Suite(
    .blocking,
    .enabled(
        if: (try? CommandRun.shell("ls /usr/lib/postgresql/*/bin/initdb && command -v psql"))?
            .exitCode == 0, "needs postgresql"))
struct PostgreSQLImportTests {
    /// Starts a PostgreSQL cluster, which stops when the script ends.
    private static let cluster = """
        dir=$(mktemp -d) as=; [ "$(id -u)" = 0 ] && as="setpriv --reuid=postgres --regid=postgres --clear-groups" && chown postgres "$dir"
        bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
        trap 'cd /; $as "$bin/pg_ctl" -D "$dir/db" -m immediate -w stop >&2; rm -rf "$dir"' EXIT
        keywedge=$(realpath "$KEYWEDGE"); export KEYWEDGE=$keywedge
        here=$PWD; cd "$dir"
        $as "$bin/initdb" -D "$dir/db" -A trust -E UTF8 --locale=C.UTF-8 >/dev/null &&
        $as "$bin/pg_ctl" -D "$dir/db" -w -l "$dir/log" -o "-c listen_addresses='' -k $dir" start >/dev/null
        sql() { psql -X -q -h "$dir" -U "${as:+postgres}" -d postgres "$@"; }
        take() { "$here/examples/imports/from-postgresql" "$dir/c.sqlite" "$1" -h "$dir" ${as:+-U postgres} -d postgres; }
        count() { "$KEYWEDGE" catalog export --catalog "$dir/c.sqlite" | tail -n +2 | wc -l; }
        sql -c "CREATE TABLE article AS SELECT n AS id, 'A-' || n AS sku, 'Article \\"' || n || '\\", ä' AS name,
            (n % 500 / 100.0)::numeric(8,2) AS price, 'EUR' AS currency FROM generate_series(1, 5000) AS n"

        """

    @Test func aQueryFillsTheCatalogAndChangesIt() throws {
        let run = try CommandRun.shell(
            Self.cluster + """
                take 'SELECT * FROM article ORDER BY id'; echo "rc $?"; count
                sql -c 'DELETE FROM article WHERE id <= 10; UPDATE article SET price = 7 WHERE id = 11'
                take 'SELECT * FROM article ORDER BY id'; echo "rc $?"; count
                "$KEYWEDGE" lookup A-11 --catalog "$dir/c.sqlite" | grep -c '"price":"7.00"'
                """)
        #expect(run.lines == ["rc 0", "5000", "rc 0", "4990", "1"], "\(run.errors)")
        #expect(
            run.errors.contains("0 added, 1 updated, 4989 unchanged, 0 skipped, 10 removed"),
            "\(run.errors)")
    }

    @Test func aQueryThatFailsHalfWayTakesNothingAway() throws {
        let run = try CommandRun.shell(
            Self.cluster + """
                take 'SELECT * FROM article ORDER BY id'; echo "rc $?"
                take 'SELECT id, sku, name, 1 / (4900 - id) AS price, currency FROM article'; echo "rc $?"; count
                take 'SELECT * FROM article WHERE id < 4500'; echo "rc $?"; count
                take 'SELECT * FROM article WHERE id < 3500'; echo "rc $?"; count
                """)
        #expect(run.lines == ["rc 0", "rc 1", "5000", "rc 0", "4499", "rc 4", "4499"])
        #expect(run.errors.contains("division by zero"))
        #expect(run.errors.contains("it was cut short; expected \"END\" as its last line."))
        #expect(
            run.errors.contains(
                "of 4499 products 1000 would change or go, and 20% of them may.\n"
                    + "keywedge: They would be: 1000 gone.\nkeywedge: \"3500\": goes\n"),
            "\(run.errors)")
        #expect(run.errors.contains("To import it nevertheless, write --max-change 23%."))
    }
}
