/// What an interceptor is told of the call.
public struct CallContext: Sendable {
    /// The endpoint's name.
    public let endpoint: String

    /// Which attempt it is, from 1; redirects that are followed count.
    public let attempt: Int

    /// The time that is left for the attempt; whoever waits for longer makes the call late.
    public let remaining: Duration
}
