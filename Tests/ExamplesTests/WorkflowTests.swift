import Foundation
import Glibc
import TestFolders
import TestWaiting
import Testing
import Yams

/// Tests that the workflows run the script `.ci/run` and targets of the Makefile, which everyone can run.
@Suite(.blocking) struct WorkflowTests {
    @Test func aPushRunsTheChecks() throws {
        let check = try Workflow("check")
        #expect(check.triggers == ["push", "pull_request"])
        #expect(check.commands.contains(".ci/run"))
    }

    /// In this test, `make` is a script that fails only for the command `failing`.
    @Test(arguments: [
        (nil, 0), ("make lint", 3), ("make fuzz", 3), ("make build-tests", 3), ("make test", 3),
        ("make test-openapi", 3), ("make deb", 3), ("make test-vm", 3),
    ])
    func theChecksEndAsTheirPartsDo(failing: String?, code: Int32) throws {
        let folder = try TemporaryFolder()
        for name in [".ci", "bin"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: true)
        }
        let stub = "#!/bin/sh\n[ \"make $1\" != \"\(failing ?? "")\" ] || exit 3\n"
        try chmod(folder.write(stub, to: "bin/make"), 0o755)
        try folder.write(text(".ci/run"), to: ".ci/run")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [folder.path(".ci/run")]
        process.environment = ["PATH": folder.path("bin") + ":/usr/bin:/bin"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == code)
    }

    @Test func theNightRunsTheLongChecks() throws {
        let nightly = try Workflow("nightly")
        #expect(nightly.triggers.contains("schedule"))
        #expect(nightly.commands.contains("make nightly"))
        let makefile = try text("Makefile").replacing("\\\n", with: " ")
        let rule = try #require(makefile.firstMatch(of: /\nnightly: (test .*)/)?.output.1)
        let targets = Set(rule.split(separator: " ").map(String.init))
        #expect(
            targets.isSuperset(of: [
                "test", "fuzz", "test-fleet", "kill-sinks", "crash-disks", "crash-kills",
                "crash-rot", "soak",
                "growth",
            ]))
        let counts = try #require(
            makefile.firstMatch(
                of: /\nDISKS \?= (\d+)\nKILLS \?= (\d+)\nFLIPS \?= (\d+)\n/)?.output)
        #expect([counts.1, counts.2, counts.3] == ["3000", "500", "2000"])
    }

    @Test func aTagMakesThePackageOfEachArchitecture() throws {
        let release = try Workflow("release")
        #expect(release.root["on"]?["push"]?["tags"]?.array().compactMap(\.string) == ["v*"])
        let job = try #require(release.root["jobs"]?["package"])
        let machines = try #require(job["strategy"]?["matrix"]?["include"]?.sequence)
        #expect(machines.compactMap { $0["architecture"]?.string } == ["amd64", "arm64"])
        #expect(Set(machines.compactMap { $0["runner"]?.string }).count == 2)
        #expect(release.commands.contains("make deb"))
        #expect(
            release.commands.contains { $0.contains("sha256sum *_${{ matrix.architecture }}.deb") })
    }

    @Test(arguments: [".ci/run", "nightly", "release"])
    func everyTargetIsInTheMakefile(name: String) throws {
        let commands =
            try name == ".ci/run"
            ? text(name).components(separatedBy: .newlines).filter { !$0.hasPrefix("#") }
            : Workflow(name).commands
        let targets = commands.compactMap { try? /\bmake +([a-z-]+)/.firstMatch(in: $0)?.output.1 }
        #expect(!targets.isEmpty)
        let makefile = try text("Makefile")
        for target in targets {
            #expect(
                makefile.contains("\n\(target):") || makefile.contains(" \(target): "),
                "make \(target)")
        }
    }

    @Test(arguments: ["check", "nightly", "release"])
    func everyJobEnds(name: String) throws {
        let jobs = try #require(Workflow(name).root["jobs"]?.mapping)
        #expect(!jobs.isEmpty)
        for job in jobs.values { #expect(job["timeout-minutes"]?.int != nil) }
    }
}

private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
}

private struct Workflow {
    let root: Node

    init(_ name: String) throws {
        root = try #require(try compose(yaml: text(".github/workflows/\(name).yml")))
    }

    var triggers: Set<String> { Set(root["on"]?.mapping?.keys.compactMap(\.string) ?? []) }

    var commands: [String] {
        let jobs = root["jobs"]?.mapping?.values.map(\.self) ?? []
        return jobs.flatMap { $0["steps"]?.array() ?? [] }.compactMap { $0["run"]?.string }
    }
}
