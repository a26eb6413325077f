import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests lookups in a network namespace whose name server knows one name, and does not answer for others.
@Suite(.blocking, .enabled(if: SilentNames.areThere, "needs root, to make namespaces, and python3"))
struct SilentNameServerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func source(_ name: String, host: String, connect: String) -> String {
        """
            - http:
                name: \(name)
                url: http://\(host):8080
                attempts: 1
                attempt_timeout: 30s
                connect_timeout: \(connect)
                request: {path: "/p/{code}"}
                product: {id: /id, verify: /ean}
        """
    }

    /// Writes a configuration with one more catalog than the machine has processors, all with unknown names, and then
    /// a catalog with a known name.
    private func configuration() throws -> String {
        let silent = (0...ProcessInfo.processInfo.activeProcessorCount).map {
            source("silent\($0)", host: "\($0).silent.test", connect: "500ms")
        }
        return try folder.write(
            """
            catalog:
              deadline: 60s
              sources:
            \(silent.joined(separator: "\n"))
            \(source("shop", host: "shop.test", connect: "30s"))

            """, to: "keywedge.yaml")
    }

    @Test func theOtherCatalogsAreAskedWhileANameIsLookedUp() throws {
        // The resolver waits for an answer for minutes, much longer than `connect_timeout`.
        let run = try CommandRun.shell(
            """
            \(SilentNames.prefix) \\
                timeout 600 $KEYWEDGE lookup X1 X2 --config \(try configuration())
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.lines.count == 2)
        for (code, line) in zip(["X1", "X2"], run.lines) {
            #expect(line.hasSuffix(#""product":{"id":"\#(code)"}}"#), "\(line)")
        }
        for number in 0...ProcessInfo.processInfo.activeProcessorCount {
            let reason =
                "The catalog silent\(number) did not answer: the time of 500ms was up while "
                + "the connection was made."
            #expect(run.lines.first?.contains(reason) == true, "\(run.output)")
        }
    }
}

/// A prefix for a shell command that makes it use the test's name server.
private enum SilentNames {
    static let prefix = "unshare --mount --net python3 Tests/NameServer/silent_names.py"

    static var areThere: Bool {
        (try? CommandRun.shell("\(prefix) true"))?.exitCode == 0
    }
}
