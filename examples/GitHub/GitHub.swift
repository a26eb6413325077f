import WebAPI

/// GitHub's REST API, as far as this example uses it.
///
/// What is said of it here and in the other files is from docs.github.com/rest, version 2022-11-28.
enum GitHub {
    /// A client of GitHub, which refuses requests without `User-Agent`.
    static func client(
        over transport: any Transport, at baseURL: BaseURL = "https://api.github.com"
    ) -> APIClient {
        var headers: HTTPFields = [
            .accept: "application/vnd.github+json", .userAgent: "keywedge-example",
        ]
        if let version = HTTPField.Name("X-GitHub-Api-Version") { headers[version] = "2022-11-28" }
        // A rate limit and a refusal are both 403; for too many requests at once there is
        // `Retry-After` alone.
        let limit = RateLimitHeader(remaining: "X-RateLimit-Remaining", reset: "X-RateLimit-Reset")
        return APIClient(
            baseURL: baseURL, headers: headers, transport: transport,
            check: { (response) throws(TransformError) in try limit?.check(response) })
    }

    /// A sentence of GitHub's design philosophy, as plain text.
    static let zen = Call<String>("/zen")
}
