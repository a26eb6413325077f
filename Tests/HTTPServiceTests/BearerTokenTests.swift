import Foundation
import HTTPService
import TestFolders
import Testing

@Suite struct BearerTokenTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func sentence(_ path: String) -> String {
        do {
            _ = try BearerToken(file: path)
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: ["", "\n", "\r\n", "\n\n"])
    func theLineBreakAtTheEndIsNotOfTheToken(end: String) throws {
        try scratch.write("0123456789abcdef" + end, to: "token")
        #expect(sentence(scratch.path("token")) == "no error")
    }

    @Test(arguments: [
        "0123456789abcdef 0", "0123456789abcdef\n0123456789abcdef", "0123456789abcde\u{e9}",
        "0123456789abcdef\u{0}", "====================", "0123456789=abcdef",
        "\u{1b}[2J0123456789ab",
    ])
    func whatCannotBeShownIsRefused(text: String) throws {
        let path = try scratch.write(text, to: "token")
        #expect(
            sentence(path)
                == "The token in \"\(path)\" is none; expected one line of letters, digits and any "
                + "of -._~+/=.")
    }

    @Test(arguments: ["", "\n", "0123456789abcde", "secret\n"])
    func whatCanBeGuessedIsRefused(text: String) throws {
        let path = try scratch.write(text, to: "token")
        #expect(
            sentence(path)
                == "The token in \"\(path)\" is too short; expected at least 16 characters, such as "
                + "\"head -c 24 /dev/urandom | base64\" makes.")
    }

    @Test func aFileThatCannotBeReadIsNamed() throws {
        #expect(
            sentence("/no/such\nfile")
                == "Cannot open \"/no/such\\nfile\": No such file or directory.")
        #expect(sentence(scratch.path) == "Cannot read \"\(scratch.path)\": Is a directory.")
        let path = try scratch.write(String(repeating: "a", count: 5000), to: "token")
        #expect(sentence(path) == "Cannot read \"\(path)\": File too large.")
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
