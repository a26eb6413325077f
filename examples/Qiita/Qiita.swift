import WebAPI

/// Qiita's API, as far as this example uses it.
///
/// What is said of it here is from qiita.com/api/v2/docs.
enum Qiita {
    /// A user.
    struct User: Decodable, Equatable, Sendable {
        let id: String
        let name: String
        let articles: Int

        private enum CodingKeys: String, CodingKey {
            case id, name
            case articles = "items_count"
        }
    }

    /// Those whom a user follows, page by page; each page tells how many there are in all.
    struct Followees: Endpoint {
        let userID: String

        var call: Call<Page<User>> {
            Call(
                "/api/v2/users/\(userID)/followees",
                queries: [Query("page", 1), Query("per_page", 100)],
                paging: Paging(total: HTTPField.Name("Total-Count").map { .header($0) }))
        }
    }

    /// A client of Qiita, which tells its rate limit from other refusals.
    static func client(
        over transport: any Transport, at baseURL: BaseURL = "https://qiita.com"
    ) -> APIClient {
        let limit = RateLimitHeader(remaining: "Rate-Remaining", reset: "Rate-Reset")
        return APIClient(
            baseURL: baseURL, transport: transport,
            check: { (response) throws(TransformError) in try limit?.check(response) })
    }
}
