/// Keeps retries from becoming a load of their own where most requests fail.
///
/// Each failure takes a token and each success gives a tenth of one back; a retry is allowed while
/// more than half of the tokens are left. Rule: gRFC A6, "Throttling Retry Attempts", whose example
/// has 10 tokens and a ratio of 0.1 as well.
struct RetryBudget: Sendable {
    /// Tokens are counted in tenths, so that nothing is rounded.
    private let capacity: Int
    private var tenths: Int

    /// Makes a full budget.
    init(tokens: Int) {
        capacity = tokens * 10
        tenths = capacity
    }

    /// Whether a retry is allowed now.
    var allowsRetry: Bool { tenths * 2 > capacity }

    /// Notes how a request ended.
    mutating func record(isSuccess: Bool) {
        tenths = isSuccess ? min(capacity, tenths + 1) : max(0, tenths - 10)
    }
}
