import Foundation
import WebAPI

/// Asks Qiita whom a user follows: `swift run QiitaExample USER`.
@main
struct Main {
    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: QiitaExample USER\n".utf8))
            exit(2)
        }
        do {
            let client = APIClient(transport: try AsyncHTTPClientTransport())
            let lines = try await QiitaProgram(client: client).lines(for: CommandLine.arguments[1])
            for line in lines { print(line) }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
