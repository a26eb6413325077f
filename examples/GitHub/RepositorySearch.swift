import Foundation
import WebAPI

extension GitHub {
    /// A repository, as a search returns it.
    struct Repository: Decodable, Equatable, Sendable {
        /// The user or organisation that owns the repository.
        struct Owner: Decodable, Equatable, Sendable {
            let login: String
        }

        let name: String
        let owner: Owner
        let stars: Int
        let about: String?
        /// The time of the last push.
        let pushed: Date?

        private enum CodingKeys: String, CodingKey {
            case name = "full_name"
            case owner
            case stars = "stargazers_count"
            case about = "description"
            case pushed = "pushed_at"
        }
    }

    /// The repositories that match a search, page by page.
    ///
    /// GitHub counts all matches, but returns at most 1,000. If a search takes too long, it returns what it
    /// has found, and says so. In both cases the list of pages ends with an error.
    struct RepositorySearch: Endpoint {
        let words: String

        var call: Call<Page<Repository>> {
            Call(
                "/search/repositories", queries: [Query("q", words), Query("per_page", 50)],
                paging: Paging(
                    items: ["items"], total: .content(at: ["total_count"]),
                    incomplete: ["incomplete_results"]))
        }
    }
}
