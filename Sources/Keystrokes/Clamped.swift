extension FixedWidthInteger {
    /// The sum, or the nearest number there is.
    func addingClamped(_ other: Self) -> Self {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? (other < 0 ? .min : .max) : sum.partialValue
    }

    /// The product of two numbers that are not negative, or the largest number there is.
    func multipliedClamped(by factor: Self) -> Self {
        let product = multipliedReportingOverflow(by: factor)
        return product.overflow ? .max : product.partialValue
    }
}

extension Duration {
    /// The duration in microseconds, rounded towards zero; what does not fit is the most that does.
    public var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !whole.overflow else { return seconds < 0 ? .min : .max }
        return whole.partialValue.addingClamped(attoseconds / 1_000_000_000_000)
    }
}
