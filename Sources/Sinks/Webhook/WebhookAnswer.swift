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

    /// Reads what came of a request.
    ///
    /// Rule: Standard Webhooks 1.0.0, "Event delivery"; 410 there asks for an end of all sending.
    ///
    /// - Parameters:
    ///   - output: What came of it.
    ///   - now: The date here.
    init(_ output: Output, now: HTTPDate) {
        // What comes behind a status is not looked at, be it broken off or without an end.
        guard let response = output.response ?? output.connectionError?.partial else {
            let reason = output.connectionError.map { "\($0)" } ?? "there is no answer"
            self = .again(reason, after: nil)
            return
        }
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
