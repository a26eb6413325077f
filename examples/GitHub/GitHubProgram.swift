import WebAPI

/// What the example does with its arguments.
struct GitHubProgram {
    private let client: APIClient
    private let baseURL: BaseURL

    /// Makes the program.
    ///
    /// - Parameters:
    ///   - client: What calls GitHub.
    ///   - baseURL: Where GitHub is.
    init(client: APIClient, baseURL: BaseURL = "https://api.github.com") {
        self.client = client
        self.baseURL = baseURL
    }

    /// Does what is asked and gives the lines to print.
    ///
    /// - Parameter arguments: `zen`, `user LOGIN` or `search WORD…`.
    /// - Returns: The lines; `nil` for other arguments.
    /// - Throws: ``CallError``, which says by itself what went wrong.
    func lines(for arguments: [String]) async throws(CallError) -> [String]? {
        switch (arguments.first, arguments.dropFirst()) {
        case ("zen", []): [try await client.send(GitHub.Zen(baseURL: baseURL))]
        case ("user", let rest) where rest.count == 1: [try await user(rest.joined())]
        case ("search", let words) where !words.isEmpty:
            try await repositories(words.joined(separator: " "))
        default: nil
        }
    }

    private func user(_ login: String) async throws(CallError) -> String {
        let user = try await client.send(GitHub.UserByLogin(login: login, baseURL: baseURL))
        return "\(user.login) (\(user.name ?? "no name")): \(user.repositories) repositories"
    }

    private func repositories(_ words: String) async throws(CallError) -> [String] {
        var lines: [String] = []
        let search = GitHub.RepositorySearch(words: words, baseURL: baseURL)
        for try await page in client.pages(of: search) {
            if lines.isEmpty { lines.append("\(page.totalCount ?? 0) repositories") }
            lines += page.items.map { "\($0.name), \($0.stars) stars: \($0.about ?? "")" }
        }
        return lines
    }
}
