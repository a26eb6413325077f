extension Duration {
    /// The duration in microseconds, rounded towards zero; what does not fit is the most that does.
    public var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !whole.overflow else { return seconds < 0 ? .min : .max }
        return whole.partialValue.addingClamped(attoseconds / 1_000_000_000_000)
    }
}
