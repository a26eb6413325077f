import HTTPTypes
import WebAPI

/// When a catalog says it may be asked again.
enum RequestedWait {
    /// The wait an answer asks for; nil if it does not say.
    ///
    /// `Retry-After` says it, else the time at which the quota is full again.
    static func wait(
        in response: Response, _ fields: RateLimitFields, _ now: HTTPDate
    ) -> Duration? {
        RetryAfter(response.headers)?.wait(now: now) ?? untilReset(in: response, fields, now)
    }

    /// How long the catalog takes no more requests, if this answer used up the last one.
    static func pause(
        after response: Response, _ fields: RateLimitFields, _ now: HTTPDate
    ) -> Duration? {
        guard let field = fields.remaining, let text = response.value(of: field),
            text.prefix(while: { $0 != "." }).allSatisfy({ $0 == "0" }), !text.isEmpty
        else { return nil }
        return untilReset(in: response, fields, now)
    }

    private static func untilReset(
        in response: Response, _ fields: RateLimitFields, _ now: HTTPDate
    ) -> Duration? {
        guard let field = fields.reset, let text = response.value(of: field),
            let number = wholeNumber(text)
        else { return nil }
        // Counted from the catalog's own date, so that the two clocks need not agree.
        let sent = response.headers[.date].flatMap { HTTPDate($0) } ?? now
        switch fields.resetUnit {
        case .seconds: return .seconds(number)
        case .milliseconds: return .milliseconds(number)
        case .epochSeconds: return max(.zero, HTTPDate(secondsSince1970: number).since(sent))
        case .epochMilliseconds:
            return max(.zero, HTTPDate(secondsSince1970: number / 1000 + 1).since(sent))
        }
    }

    /// Digits alone, few enough that no unit overflows.
    private static func wholeNumber(_ text: String) -> Int64? {
        guard (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }
}
