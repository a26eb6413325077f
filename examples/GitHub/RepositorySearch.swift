import WebAPI
import WireText

extension GitHub {
    /// A repository.
    struct Repository: Decodable, Equatable, Sendable {
        let name: String
        let stars: Int
        let about: String?

        private enum CodingKeys: String, CodingKey {
            case name = "full_name"
            case stars = "stargazers_count"
            case about = "description"
        }
    }

    /// The repositories that match a search, page by page.
    struct RepositorySearch: GitHubEndpoint, PagedEndpoint {
        typealias Item = Repository

        let words: String
        var baseURL: BaseURL = "https://api.github.com"
        var path: Path { "/search/repositories" }
        var queries: [Query] { [Query("q", words), Query("per_page", 50)] }
        var itemsPointer: JSONPointer { JSONPointer(["items"]) }
        var totalCountPointer: JSONPointer? { JSONPointer(["total_count"]) }
    }
}
