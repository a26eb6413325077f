import Foundation
import TestFolders
import TestWaiting
import Testing

@Suite(
    .blocking,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/make"), "make is not installed"))
struct InstallTests {
    private static let make = "make --no-print-directory BINARY=$KEYWEDGE"

    @Test(arguments: [
        ("/usr/local", "zsh/site-functions"), ("/usr", "zsh/vendor-completions"),
    ])
    func everythingIsWhereItBelongs(prefix: String, zsh: String) throws {
        let folder = try TemporaryFolder()
        let root = folder.path("root")
        let run = try CommandRun.shell(
            "\(Self.make) install DESTDIR=\(root) PREFIX=\(prefix) >&2;"
                + " cd \(root) && find . -type f -not -path '*/examples/*/*' -printf '%m %P\\n'"
                + " | LC_ALL=C sort -k 2")
        #expect(run.exitCode == 0, "\(run.errors)")
        let inPrefix = [
            "755 bin/keywedge", "644 lib/systemd/system/keywedge-fifo.service",
            "644 lib/systemd/system/keywedge-fifo.socket",
            "644 lib/systemd/system/keywedge-till.service",
            "644 lib/systemd/system/keywedge.service", "644 lib/systemd/system/keywedge.socket",
            "644 lib/sysusers.d/keywedge.conf", "644 lib/udev/rules.d/72-keywedge.rules",
            "644 share/bash-completion/completions/keywedge",
            "644 share/doc/keywedge/examples/72-keywedge-keyboard.rules",
            "644 share/doc/keywedge/examples/calibration.png",
            "644 share/doc/keywedge/examples/calibration.svg",
            "644 share/doc/keywedge/examples/catalog.csv",
            "644 share/doc/keywedge/examples/fifo-for-service.conf",
            "644 share/doc/keywedge/examples/fifo-for-socket.conf",
            "644 share/doc/keywedge/examples/keyboard-for-service.conf",
            "644 share/doc/keywedge/examples/keywedge-local.rules.template",
            "644 share/doc/keywedge/examples/keywedge.yaml",
            "644 share/fish/vendor_completions.d/keywedge.fish",
            "644 share/keywedge/keywedge-events.schema.json",
            "644 share/keywedge/keywedge.schema.json", "644 share/man/man1/keywedge.1",
            "644 share/man/man5/keywedge.yaml.5", "644 share/man/man7/keywedge-events.7",
            "644 share/\(zsh)/_keywedge",
        ]
        #expect(
            run.lines == ["644 etc/keywedge/keywedge.yaml"]
                + inPrefix.map {
                    $0.replacingOccurrences(of: " ", with: " \(prefix.dropFirst())/")
                })
        let schema = try CommandRun.shell(
            "cmp <($KEYWEDGE config schema) \(root)\(prefix)/share/keywedge/keywedge.schema.json")
        #expect(schema.exitCode == 0, "\(schema.errors)")
        let heads = try CommandRun.shell(
            "head -qn 1 \(root)/etc/keywedge/keywedge.yaml"
                + " \(root)\(prefix)/share/doc/keywedge/examples/keywedge.yaml")
        let head =
            "# yaml-language-server: $schema=\(prefix)/share/keywedge/keywedge.schema.json"
        #expect(heads.lines == [head, head])
        let unit = try CommandRun.shell(
            "grep ^Exec \(root)\(prefix)/lib/systemd/system/keywedge.service")
        #expect(
            unit.output
                == "ExecStart=\(prefix)/bin/keywedge run --config /etc/keywedge/keywedge.yaml\n"
                + "ExecReload=\(prefix)/bin/keywedge reload --config /etc/keywedge/keywedge.yaml\n")
    }

    /// The documentation refers to the examples, and a register does not have the source folder.
    @Test func theExamplesAreInstalledWhole() throws {
        let folder = try TemporaryFolder()
        let root = folder.path("root")
        let installed = "\(root)/usr/local/share/doc/keywedge/examples"
        let run = try CommandRun.shell(
            """
            \(Self.make) install DESTDIR=\(root) >&2 || exit
            for name in catalog.csv recordings/till-morning.keys catalogs imports monitoring pos web-pos; do
                diff -r examples/$name \(installed)/$name
            done
            find \(installed) -type f -perm 755 -printf '%P\\n' | sort
            """)
        #expect(
            run.lines == [
                "imports/from-postgresql", "pos/pos.py", "pos/pos.sh", "pos/tsv-sold.sh",
                "pos/tsv-unknown.sh",
            ], "\(run.errors)")
    }

    @Test func aConfigurationThatIsThereStaysThroughEverything() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            """
            export DESTDIR=\(folder.path("root"))
            mkdir -p $DESTDIR/etc/keywedge
            echo "# mine" >$DESTDIR/etc/keywedge/keywedge.yaml
            \(Self.make) install >&2 && \(Self.make) install >&2 && \(Self.make) uninstall >&2
            cd $DESTDIR && find . -type f && cat etc/keywedge/keywedge.yaml
            """)
        #expect(run.output == "./etc/keywedge/keywedge.yaml\n# mine\n", "\(run.errors)")
        #expect(run.exitCode == 0)
        #expect(run.errors.contains("etc/keywedge/keywedge.yaml is there already"))
    }

    @Test func theDemoNeedsOnlyWhatTheBuildNeeds() throws {
        let commands = try CommandRun.shell("make -n demo DEPS=yes").output
        let words = Set(commands.split { $0 == " " || $0 == ";" })
        #expect(words.isSuperset(of: ["libevdev-dev", "libsqlite3-dev", "pkg-config"]))
        #expect(
            words.isDisjoint(with: ["postgresql", "prometheus", "nginx-light", "mosquitto", "jq"]))
    }

    @Test func withoutABinaryNothingIsInstalled() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            "make install BINARY=/nowhere/keywedge DESTDIR=\(folder.path("root"))")
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("/nowhere/keywedge is not there: run make release first\n"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("root")))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionsKnowEveryCommand(shell: String) throws {
        let script = try CommandRun("--generate-completion-script", shell).output
        for command in ["run", "devices", "monitor", "record", "replay", "catalog", "import"] {
            #expect(script.contains(command))
        }
    }
}
