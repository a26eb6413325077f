import Foundation
import HTTPService
import TestFolders
import Testing

@Suite struct BearerTokenTests {
    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func sentence(_ path: String) -> String {
        do {
            _ = try BearerToken(file: path)
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    /// File contents, and the reason why they are not a token; nil if they are one.
    private static let contents: [(text: String, reason: String?)] =
        ["", "\n", "\r\n", "\n\n"].map { ("0123456789abcdef" + $0, nil) }
        + [
            "0123456789abcdef 0", "0123456789abcdef\n0123456789abcdef", "0123456789abcde\u{e9}",
            "0123456789abcdef\u{0}", "====================", "0123456789=abcdef",
            "\u{1b}[2J0123456789ab",
        ].map { ($0, "invalid; expected one line of letters, digits and any of -._~+/=.") }
        + ["", "\n", "0123456789abcde", "secret\n"].map { text in
            (
                text,
                "too short; expected at least 16 characters, such as "
                    + "\"head -c 24 /dev/urandom | base64\" makes."
            )
        }

    @Test(arguments: contents)
    func whatCannotBeShownOrCanBeGuessedIsRefused(text: String, reason: String?) throws {
        let path = try scratch.write(text, to: "token")
        #expect(
            sentence(path) == reason.map { "The token in \"\(path)\" is \($0)" } ?? "no error")
    }

    @Test func aFileThatCannotBeReadIsNamed() throws {
        #expect(
            sentence("/no/such\nfile")
                == "Cannot open \"/no/such\\nfile\": No such file or directory.")
        #expect(sentence(scratch.path) == "Cannot read \"\(scratch.path)\": Is a directory.")
        let path = try scratch.write(String(repeating: "a", count: 5000), to: "token")
        #expect(sentence(path) == "Cannot read \"\(path)\": File too large.")
    }

    @Test(arguments: [
        ("Bearer 0123456789abcdef", true), ("bearer  0123456789abcdef", true),
        ("Bearer 0123456789abcdeg", false), ("Bearer 0123456789abcde", false),
        // The token, followed by all or part of it.
        ("Bearer 0123456789abcdef0123456789abcdef", false), ("Bearer 0123456789abcdef0", false),
        ("Bearer ", false), ("Basic 0123456789abcdef", false), ("0123456789abcdef", false),
    ])
    func onlyTheWholeTokenIsShown(authorization: String, isShown: Bool) throws {
        let token = try #require(BearerToken("0123456789abcdef"))
        #expect(token.isShown(in: authorization) == isShown)
    }

    @Test(arguments: [(0o600, false), (0o660, false), (0o604, true), (0o644, true)])
    func aFileThatEveryUserCanReadIsWarnedAbout(mode: Int, isWarnedAbout: Bool) throws {
        let path = try scratch.write("0123456789abcdef", to: "token")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect((BearerToken.warning(about: path) != nil) == isWarnedAbout)
    }

    @Test func noDescriptionShowsTheToken() throws {
        let token = try #require(BearerToken("0123456789abcdef"))
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped] {
            #expect(!text.contains("0123456789abcdef"))
        }
    }
}
