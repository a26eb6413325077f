import Foundation
import WebAPI

/// Runs the example's commands: `zen`, `user` and `search`.
struct GitHubProgram {
    let client: APIClient

    /// Runs one command.
    ///
    /// - Parameters:
    ///   - arguments: `zen`, `user LOGIN` or `search WORD…`.
    ///   - output: Receives each line to print as soon as it is known; text from the server is
    ///     escaped.
    /// - Returns: False if the arguments are none of these commands.
    /// - Throws: ``CallError``, whose description says what went wrong. Earlier lines stay printed.
    func run(
        _ arguments: [String], output: @escaping @Sendable (String) -> Void
    ) async throws(CallError) -> Bool {
        let print = { @Sendable (line: String) in output(Escaping.line.escaped(line)) }
        switch (arguments.first, arguments.dropFirst()) {
        case ("zen", []): print(try await client.send(GitHub.zen))
        case ("user", let rest) where rest.count == 1: print(try await user(rest.joined()))
        case ("search", let words) where !words.isEmpty:
            try await search(words.joined(separator: " "), print)
        default: return false
        }
        return true
    }

    private func user(_ login: String) async throws(CallError) -> String {
        let user = try await client.send(GitHub.UserByLogin(login: login))
        return "\(user.login) (\(user.name ?? "no name")): \(user.repositories) repositories"
    }

    private func search(_ words: String, _ print: @Sendable (String) -> Void)
        async throws(CallError)
    {
        var isFirst = true
        for try await page in client.pages(of: GitHub.RepositorySearch(words: words)) {
            if isFirst {
                let note = page.isIncomplete ? ", and perhaps more: incomplete_results" : ""
                print("\(page.totalCount ?? 0) repositories\(note)")
            }
            isFirst = false
            for repository in page.items { print(Self.line(repository)) }
        }
    }

    private static func line(_ repository: GitHub.Repository) -> String {
        let pushed = repository.pushed.map {
            ", pushed \(HTTPDate(secondsSince1970: Int64($0.timeIntervalSince1970)))"
        }
        return "\(repository.name) of \(repository.owner.login), \(repository.stars) stars"
            + (pushed ?? "") + (repository.about.map { ": \($0)" } ?? "")
    }
}
