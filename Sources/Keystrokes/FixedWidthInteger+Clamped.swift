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
