import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests that `scripts/lint-text` rejects quoting and escaping outside `WireText`.
@Suite(
    .blocking,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
struct LintTextTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("Sources/WireText"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: folder.path("Sources/Events"), withIntermediateDirectories: true)
    }

    private func lint(_ path: String? = nil) throws -> CommandRun {
        try CommandRun.shell("scripts/lint-text " + (path ?? ""))
    }

    @Test func theRepositoryHasOneFloor() throws {
        let run = try lint()
        #expect(run.exitCode == 0)
        #expect(run.errors == "")
    }

    @Test(arguments: [
        ("func quoted(_ text: String) -> String { text }", "a private quoter"),
        ("struct Quoted {}", "a private quoter"),
        ("    private static func escapedName() {}", "a private quoter"),
        ("var harmless: String { \"\" }", "a private quoter"),
        (#"let text = "\\u{" + digits + "}""#, "an escape put together by hand"),
        (#"let mark = isLong ? "\\U" : "\\u""#, "an escape put together by hand"),
        ("switch scalar.properties.generalCategory {", "a choice of characters to escape"),
        (#"let text = "\"\(Escaping.line.escaped(name))\"""#, "quotation marks put around"),
        (#"uri += "%""#, "a private percent codec"),
        ("enum PercentCoding {", "a private percent codec"),
        ("let days = cycle * 146_097", "a private calendar"),
        ("let words = String(cString: strerror(errno))", "words for a system call's error"),
        ("struct SystemCallError: Error {", "words for a system call's error"),
    ])
    func textMadeElsewhereIsRefused(line: String, advice: String) throws {
        try folder.write(
            "// A comment on \\u{ and strerror\n" + line + "\n", to: "Sources/Events/A.swift")
        let run = try lint(folder.path)
        #expect(run.exitCode == 1)
        #expect(run.errors.hasPrefix("Sources/Events/A.swift:2: " + advice), "\(run.errors)")
    }

    @Test(arguments: [
        "let text = name.quoted()", "quota = TokenBucket(quota)", "var hasQuotes = false",
        "let isEscape = byte == bar", "func unescaped(_ line: String) {}",
        "Escaping.line.append(text, to: &output)", #"guard byte == UInt8(ascii: "%") else {"#,
    ])
    func textThatTheFloorMakesIsNot(line: String) throws {
        try folder.write(line + "\n", to: "Sources/Events/A.swift")
        try folder.write("func quoted() {}\n", to: "Sources/WireText/A.swift")
        let run = try lint(folder.path)
        #expect(run.exitCode == 0, "\(run.errors)")
    }
}
