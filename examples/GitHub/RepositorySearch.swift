import Foundation
import WebAPI
import WireText

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
    struct RepositorySearch: GitHubEndpoint, PagedEndpoint {
        typealias Item = Repository

        let words: String
        var baseURL: BaseURL = "https://api.github.com"
        var path: Path { "/search/repositories" }
        var queries: [Query] { [Query("q", words), Query("per_page", 50)] }
        var itemsPointer: JSONPointer { JSONPointer(["items"]) }
        var totalCountPointer: JSONPointer? { JSONPointer(["total_count"]) }
        var incompletePointer: JSONPointer? { JSONPointer(["incomplete_results"]) }
    }
}
