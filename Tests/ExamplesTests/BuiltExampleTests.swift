import Foundation
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Makes a transport with so much time to connect that it does not fail on a busy machine.
func patientTransport() throws -> AsyncHTTPClientTransport {
    try AsyncHTTPClientTransport(limits: TransportLimits(connect: .patience))
}

/// Tests the built examples with a server whose URL is given on the command line.
@Suite(.blocking) struct BuiltExampleTests {
    private func run(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: name)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test(arguments: [
        ("GitHubExample", ["zen"], "Keep it logically awesome.", "Keep it logically awesome.\n"),
        ("QiitaExample", ["a"], "[]", "a follows 0\n"),
    ])
    func aBaseURLCanBeGiven(
        name: String, arguments: [String], content: String, expected: String
    ) async throws {
        let text = try await StubServer.answering({ _ in
            .text(content, headers: ["Total-Count": "0"])
        }) { server in
            try run(name, ["--base-url", server.url] + arguments)
        }
        #expect(text == expected)
        #expect(try run(name, ["--base-url"]).hasPrefix("usage: "))
    }
}
