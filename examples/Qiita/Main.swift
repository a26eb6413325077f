import Foundation
import WebAPI

/// Prints whom a Qiita user follows: `swift run QiitaExample USER`; `--base-url URL` before USER asks
/// another server that has the same API.
@main
struct Main {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        var baseURL: BaseURL = "https://qiita.com"
        if arguments.first == "--base-url", arguments.count > 1 {
            baseURL = BaseURL(arguments[1])
            arguments.removeFirst(2)
        }
        guard arguments.count == 1, let user = arguments.first, !user.hasPrefix("-") else {
            FileHandle.standardError.write(
                Data("usage: QiitaExample [--base-url URL] USER\n".utf8))
            exit(2)
        }
        do {
            let program = QiitaProgram(
                client: Qiita.client(over: try AsyncHTTPClientTransport(), at: baseURL))
            try await program.run(user) { print($0) }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
