import HTTPTypes
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
    struct Followees: PagedEndpoint {
        typealias Item = User

        let userID: String
        var baseURL: BaseURL = "https://qiita.com"
        var path: Path { "/api/v2/users/\(userID)/followees" }
        var queries: [Query] { [Query("page", 1), Query("per_page", 100)] }
        var totalCountHeader: HTTPField.Name? { HTTPField.Name("Total-Count") }

        /// Tells the rate limit from other refusals.
        func check(_ response: Response) throws(TransformError) {
            let limit = RateLimitHeader(remaining: "Rate-Remaining", reset: "Rate-Reset")
            try limit?.check(response)
            try response.requireSuccess()
        }
    }
}
