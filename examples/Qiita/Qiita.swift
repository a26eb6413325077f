import WebAPI

/// The part of Qiita's API that this example uses.
///
/// Source: qiita.com/api/v2/docs.
enum Qiita {
    /// A user, with the number of articles that the user has written.
    struct User: Decodable, Equatable, Sendable {
        let id: String
        let name: String
        let articles: Int

        private enum CodingKeys: String, CodingKey {
            case id, name
            case articles = "items_count"
        }
    }

    /// The users whom a user follows, page by page; each page also says how many there are in total.
    struct Followees: Endpoint {
        let userID: String

        var call: Call<Page<User>> {
            Call(
                "/api/v2/users/\(userID)/followees",
                queries: [Query("page", 1), Query("per_page", 100)],
                paging: Paging(total: HTTPField.Name("Total-Count").map { .header($0) }))
        }
    }

    /// A client of Qiita that distinguishes an exceeded rate limit from other refusals.
    static func client(
        over transport: any Transport, at baseURL: BaseURL = "https://qiita.com"
    ) -> APIClient {
        let limit = RateLimitHeader(remaining: "Rate-Remaining", reset: "Rate-Reset")
        return APIClient(
            baseURL: baseURL, transport: transport,
            check: { (response) throws(TransformError) in try limit?.check(response) })
    }
}
