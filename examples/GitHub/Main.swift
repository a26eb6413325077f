import Foundation
import WebAPI

/// Asks GitHub: `swift run GitHubExample zen`, `user LOGIN` or `search WORD…`; `--base-url URL`
/// before the command asks another server that has the same API.
@main
struct Main {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        var baseURL: BaseURL = "https://api.github.com"
        if arguments.first == "--base-url", arguments.count > 1 {
            baseURL = BaseURL(arguments[1])
            arguments.removeFirst(2)
        }
        do {
            let program = GitHubProgram(
                client: GitHub.client(over: try AsyncHTTPClientTransport(), at: baseURL))
            guard try await program.run(arguments, output: { print($0) }) else {
                FileHandle.standardError.write(
                    Data(
                        "usage: GitHubExample [--base-url URL] zen | user LOGIN | search WORD…\n"
                            .utf8))
                exit(2)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
