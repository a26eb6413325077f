import WebAPI

extension GitHub {
    /// A sentence of GitHub's design philosophy, as plain text.
    struct Zen: GitHubEndpoint {
        typealias Model = String

        var baseURL: BaseURL = "https://api.github.com"
        var path: Path { "/zen" }
    }
}
