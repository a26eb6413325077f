import WebAPI

/// What the example does with its arguments.
struct QiitaProgram {
    /// A client of Qiita.
    let client: APIClient

    /// Asks whom a user follows.
    ///
    /// - Parameters:
    ///   - userID: The user.
    ///   - output: Is given each line to print, as soon as it is there: how many there are, and who;
    ///     whatever the server says is escaped in it.
    /// - Throws: ``CallError``, which says by itself what went wrong; what came before is printed.
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

    /// How many, or that it is not told: zero would be a claim.
    private static func count(_ total: Int?) -> String {
        total.map(String.init) ?? "so many as are listed (the answer has no Total-Count)"
    }
}
