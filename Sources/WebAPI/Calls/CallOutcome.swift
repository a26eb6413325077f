/// What came of a call, and all that was sent for it.
public struct CallOutcome<Model: Sendable>: Sendable {
    /// The model, or why there is none.
    public let result: Result<Model, CallError>

    /// All that was sent, in order.
    public let attempts: [Attempt]

    /// How long it took, waits included.
    public let took: Duration
}
