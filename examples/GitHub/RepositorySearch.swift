import Foundation
import WebAPI

extension GitHub {
    /// A repository.
    struct Repository: Decodable, Equatable, Sendable {
        /// Whose it is.
        struct Owner: Decodable, Equatable, Sendable {
            let login: String
        }

        let name: String
        let owner: Owner
        let stars: Int
        let about: String?
        /// When somebody has last pushed to it.
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
    /// GitHub counts all that match and gives 1,000 of them at the most; where it takes too long to
    /// search, it gives what it has and says so. Either way the list ends with an error.
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
