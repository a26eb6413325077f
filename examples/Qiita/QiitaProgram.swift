import WebAPI

/// What the example does with its arguments.
struct QiitaProgram {
    private let client: APIClient
    private let baseURL: BaseURL

    /// Makes the program.
    ///
    /// - Parameters:
    ///   - client: What calls Qiita.
    ///   - baseURL: Where Qiita is.
    init(client: APIClient, baseURL: BaseURL = "https://qiita.com") {
        self.client = client
        self.baseURL = baseURL
    }

    /// Asks whom a user follows and gives the lines to print.
    ///
    /// - Parameter userID: The user.
    /// - Returns: How many there are, and who.
    /// - Throws: ``CallError``, which says by itself what went wrong.
    func lines(for userID: String) async throws(CallError) -> [String] {
        var lines: [String] = []
        for try await page in client.pages(of: Qiita.Followees(userID: userID, baseURL: baseURL)) {
            if lines.isEmpty { lines.append("\(userID) follows \(page.totalCount ?? 0)") }
            lines += page.items.map { "\($0.id) (\($0.name)): \($0.articles) articles" }
        }
        return lines
    }
}
