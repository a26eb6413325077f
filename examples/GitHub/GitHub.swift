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

    /// Tells a rate limit from a refusal: both are 403.
    func check(_ response: Response) throws(TransformError) {
        if let wait = response.rateLimitReset {
            throw .throttled(response.status, wait, message: response.serverMessage)
        }
        try response.requireSuccess()
    }
}

extension Response {
    /// When the rate limit is over, where it is reached: `X-RateLimit-Remaining` is 0 then, and
    /// `X-RateLimit-Reset` has the time in seconds since 1970.
    fileprivate var rateLimitReset: RetryAfter? {
        guard [403, 429].contains(status.code),
            let remaining = HTTPField.Name("X-RateLimit-Remaining"),
            let reset = HTTPField.Name("X-RateLimit-Reset"), headers[remaining] == "0",
            let seconds = headers[reset].flatMap({ Int64($0) })
        else { return nil }
        let sent = headers[.date].flatMap { HTTPDate($0) }
        return .date(HTTPDate(secondsSince1970: seconds), sent: sent)
    }
}
