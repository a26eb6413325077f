import WebAPI

/// Prints whom a Qiita user follows.
struct QiitaProgram {
    let client: APIClient

    /// Prints the users whom a user follows.
    ///
    /// - Parameters:
    ///   - userID: The id of the user who follows them.
    ///   - output: Receives each line as soon as it is known: their number, then each of them; text from
    ///     the server is escaped.
    /// - Throws: ``CallError``, whose description says what went wrong. Earlier lines stay printed.
    func run(_ userID: String, output: @escaping @Sendable (String) -> Void) async throws(CallError)
    {
        let print = { @Sendable (line: String) in output(Escaping.line.escaped(line)) }
        var isFirst = true
        for try await page in client.pages(of: Qiita.Followees(userID: userID)) {
            if isFirst { print("\(userID) follows \(Self.count(page.totalCount))") }
            isFirst = false
            for user in page.items { print("\(user.id) (\(user.name)): \(user.articles) articles") }
        }
    }

    /// The number as text; if the answer has none, words that say so.
    private static func count(_ total: Int?) -> String {
        total.map(String.init) ?? "so many as are listed (the answer has no Total-Count)"
    }
}
