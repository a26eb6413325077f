import HTTPTypes
import WebAPI

/// GitHub's REST API, as far as this example uses it.
///
/// What is said of it here and beside is from docs.github.com/rest, version 2022-11-28.
enum GitHub {}

/// What all endpoints of GitHub have in common.
protocol GitHubEndpoint: Endpoint {}

extension GitHubEndpoint {
    /// The version, and who asks: GitHub refuses requests without `User-Agent`.
    var headers: HTTPFields {
        var headers: HTTPFields = [
            .accept: "application/vnd.github+json", .userAgent: "keywedge-example",
        ]
        if let version = HTTPField.Name("X-GitHub-Api-Version") { headers[version] = "2022-11-28" }
        return headers
    }

    /// Tells a rate limit from a refusal: both are 403, and for too many requests at once there is
    /// `Retry-After` alone.
    func check(_ response: Response) throws(TransformError) {
        let limit = RateLimitHeader(remaining: "X-RateLimit-Remaining", reset: "X-RateLimit-Reset")
        try limit?.check(response)
        try response.requireSuccess()
    }
}
