import HTTPTypes
import WebAPI
import WireText

/// What a webhook's answer means for the event that was sent.
enum WebhookAnswer: Equatable, Sendable {
    /// It was taken.
    case taken
    /// It is to be sent again: why, and the least time to wait.
    case again(String, after: Duration?)
    /// It is refused for good: why.
    case refused(String)
    /// Nobody wants events any more: why.
    case gone(String)

    /// Reads what came of a delivery.
    ///
    /// - Parameters:
    ///   - result: What came of it.
    ///   - now: The date here.
    init(_ result: Result<WebhookAnswer, CallError>, now: HTTPDate) {
        switch result {
        case .success(let answer): self = answer
        case .failure(let error):
            // What comes behind a status is not looked at, be it broken off or without an end.
            self =
                error.connectionError?.partial.map { WebhookAnswer($0, now: now) }
                ?? .again("\(error.reason)", after: nil)
        }
    }

    /// Reads an answer.
    ///
    /// Rule: Standard Webhooks 1.0.0, "Event delivery"; 410 there asks for an end of all sending.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - now: The date here.
    init(_ response: Response, now: HTTPDate) {
        // What a server writes behind the number is its own, and changes what is said each time.
        let answer = "it answered with status \(response.status.code)"
        switch response.status.code {
        case 200..<300: self = .taken
        case 410: self = .gone("\(answer): it wants no more events")
        case 300..<400:
            self = .again(
                "\(answer), which leads elsewhere; expected the final address", after: nil)
        case 408, 429: self = .again(answer, after: Self.wait(response, now))
        case 400..<500: self = .refused(answer)
        default: self = .again(answer, after: Self.wait(response, now))
        }
    }

    private static func wait(_ response: Response, _ now: HTTPDate) -> Duration? {
        RetryAfter(response.headers)?.wait(now: now)
    }
}
