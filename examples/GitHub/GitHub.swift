import WebAPI

/// The part of GitHub's REST API that this example uses.
///
/// Source, for the other files too: docs.github.com/rest, version 2022-11-28.
enum GitHub {
    /// A client that sends `User-Agent`, because GitHub refuses requests without one.
    static func client(
        over transport: any Transport, at baseURL: BaseURL = "https://api.github.com"
    ) -> APIClient {
        var headers: HTTPFields = [
            .accept: "application/vnd.github+json", .userAgent: "keywedge-example",
        ]
        if let version = HTTPField.Name("X-GitHub-Api-Version") { headers[version] = "2022-11-28" }
        // GitHub answers 403 both for an exceeded rate limit and for a forbidden request. For too many
        // requests at once, it sends only `Retry-After`.
        let limit = RateLimitHeader(remaining: "X-RateLimit-Remaining", reset: "X-RateLimit-Reset")
        return APIClient(
            baseURL: baseURL, headers: headers, transport: transport,
            check: { (response) throws(TransformError) in try limit?.check(response) })
    }

    /// A sentence from GitHub's design philosophy, as plain text.
    static let zen = Call<String>("/zen")
}
