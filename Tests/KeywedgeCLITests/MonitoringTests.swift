import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests the daemon's metrics with Prometheus, and the alerts and the dashboard in `examples/monitoring`.
///
/// Without Prometheus these tests fail, and say which package to install.
@Suite(.blocking, .timeLimit(.minutes(10))) struct MonitoringTests {
    private static let recording =
        CommandRun.projectFolder + "/examples/recordings/till-morning.keys"
    private static let examples = CommandRun.projectFolder + "/examples/monitoring"

    /// Runs a script while a daemon that has played a recording listens on `$port`.
    private func run(_ script: String) throws -> CommandRun {
        let folder = try TemporaryFolder()
        return try CommandRun.shell(
            """
            for tool in prometheus promtool; do
                command -v $tool >/dev/null \\
                    || { echo "$tool is missing: install the Debian package prometheus" >&2; exit 2; }
            done
            cd \(folder.path)
            cat >k.yaml <<'END'
            catalog: {sources: [{embedded: one.sqlite}, {embedded: two.sqlite}]}
            journal: {file: journal.sqlite}
            listen: {socket: s, http: "127.0.0.1:0"}
            scanners: [{name: counter, match: {vendor: "0c2e", product: "0b61"}}]
            events: [{exec: {name: erp, command: ["/bin/true"]}}]
            END
            printf 'code,name\\n4006381333931,Pencil\\n' >rows.csv
            for file in one two; do
                $KEYWEDGE catalog import rows.csv --catalog $file.sqlite -q >/dev/null || exit 7
            done
            $KEYWEDGE run --config k.yaml --replay \(Self.recording) --fast >out 2>said & daemon=$!
            expected=$($KEYWEDGE replay \(Self.recording) --config k.yaml --format text | wc -l)
            $KEYWEDGE listen --config k.yaml --timeout 600s --after oldest --types keywedge.scan \\
                --count $expected >/dev/null
            until_true 'grep -q "over HTTP: port " said'
            port=$(sed -n 's/.*over HTTP: port //p' said)
            metrics() { curl -sS "http://127.0.0.1:$port/metrics"; }
            \(script)
            result=$?
            kill $daemon
            wait $daemon || exit 9
            exit $result
            """)
    }

    @Test func promtoolHasNothingToSay() throws {
        let run = try run("metrics >metrics && promtool check metrics <metrics && wc -l <metrics")
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.errors == "")
        #expect(run.lines.count == 1 && (run.lines.first.flatMap { Int($0) } ?? 0) > 100)
    }

    /// Prometheus refuses an answer that contains a metric twice with the same labels.
    @Test func eachPartHasItsOwnName() throws {
        let run = try run(
            """
            metrics | grep -v '^#' | sed 's/ [^ ]*$//' | sort | uniq -d
            for file in one two; do
                metrics | grep -F "keywedge_catalog_products{source=\\"embedded:" | grep -c "$file.sqlite"
            done
            $KEYWEDGE status --config k.yaml | grep -c "embedded:.*[.]sqlite: ready; 1 product"
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.lines == ["1", "1", "2"])
    }

    @Test func prometheusScrapesTheDaemonAndAnswers() throws {
        let run = try run(
            """
            cp \(Self.examples)/keywedge-alerts.yml .
            sed "s/8691/$port/; s/15s/1s/" \(Self.examples)/prometheus.yml >prometheus.yml
            promtool check config prometheus.yml >/dev/null || exit 3
            timeout 600 prometheus --config.file=prometheus.yml --storage.tsdb.path=data \\
                --web.listen-address=127.0.0.1:0 >/dev/null 2>log & prometheus=$!
            has_scraped() {
                at=$(sed -n 's/.*msg="Listening on" address=\\([^ ]*\\).*/\\1/p' log)
                value=$(promtool query instant "http://$at" \\
                    'sum(keywedge_scans_total) and on() up{job="keywedge"} == 1' 2>/dev/null)
                [ -n "$at" ] && [ -n "$value" ]
            }
            until_true has_scraped
            kill $prometheus; wait $prometheus
            echo "$value" | sed 's/.*=> \\([0-9]*\\) @.*/\\1/'
            echo "$expected"
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.lines.count == 2)
        #expect(run.lines.first == run.lines.last && run.lines.first != "0", "\(run.output)")
    }

    @Test func theAlertsAreRules() throws {
        let run = try run("promtool check rules \(Self.examples)/keywedge-alerts.yml")
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.output.contains("SUCCESS: "))
    }

    /// A mistyped name would make the alerts and the dashboard useless.
    @Test(arguments: ["keywedge-alerts.yml", "keywedge-dashboard.json"])
    func eachMetricThatIsNamedIsThere(file: String) throws {
        let run = try run("metrics")
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        var there: Set<String> = []
        for line in run.lines where line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ").map { String($0) }
            let suffixes = words[3] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
            there.formUnion(suffixes.map { words[2] + $0 })
        }
        let text = try String(contentsOfFile: "\(Self.examples)/\(file)", encoding: .utf8)
        let named = text.matches(of: /\bkeywedge_[a-z_]+/).map { String($0.output) }
        #expect(named.count > 10)
        #expect(Set(named).subtracting(there) == [])
    }

    @Test func theDashboardIsJSONWithPanels() throws {
        let data = try Data(contentsOf: URL(filePath: "\(Self.examples)/keywedge-dashboard.json"))
        let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        #expect(panels.allSatisfy { ($0["targets"] as? [Any])?.isEmpty == false })
    }
}
