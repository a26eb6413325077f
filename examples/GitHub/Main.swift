import Foundation
import WebAPI

/// Asks GitHub: `swift run GitHubExample zen`, `user LOGIN` or `search WORD…`.
@main
struct Main {
    static func main() async {
        do {
            let client = APIClient(transport: try AsyncHTTPClientTransport())
            let arguments = Array(CommandLine.arguments.dropFirst())
            guard let lines = try await GitHubProgram(client: client).lines(for: arguments) else {
                FileHandle.standardError.write(
                    Data("usage: GitHubExample zen | user LOGIN | search WORD…\n".utf8))
                exit(2)
            }
            for line in lines { print(line) }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
