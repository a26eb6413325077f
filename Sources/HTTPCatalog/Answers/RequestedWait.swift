import HTTPTypes
import WebAPI

extension RateLimitFields {
    /// Returns the wait from `Retry-After` or the quota's reset time; nil if neither is readable.
    func wait(in response: Response, _ now: HTTPDate) -> Duration? {
        RetryAfter(response.headers)?.wait(now: now) ?? untilReset(in: response, now)
    }

    /// Returns the time until the quota is refilled; nil unless the quota is used up.
    func pause(after response: Response, _ now: HTTPDate) -> Duration? {
        guard let text = remaining.flatMap(response.value), !text.isEmpty,
            text.prefix(while: { $0 != "." }).allSatisfy({ $0 == "0" })
        else { return nil }
        return untilReset(in: response, now)
    }

    private func untilReset(in response: Response, _ now: HTTPDate) -> Duration? {
        // Fifteen digits cannot overflow in any unit.
        guard let text = reset.flatMap(response.value), (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text)
        else { return nil }
        // Count from the catalog's own date, so that the two clocks need not agree.
        let sent = response.headers[.date].flatMap { HTTPDate($0) } ?? now
        switch resetUnit {
        case .seconds: return .seconds(number)
        case .milliseconds: return .milliseconds(number)
        case .epochSeconds: return max(.zero, HTTPDate(secondsSince1970: number).since(sent))
        case .epochMilliseconds:
            return max(.zero, HTTPDate(secondsSince1970: number / 1000 + 1).since(sent))
        }
    }
}

extension Response {
    func value(of name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
