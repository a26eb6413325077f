/// The verdict on a code's check digit.
public enum CheckDigitVerdict: String, Hashable, Sendable, CaseIterable {
    /// The check digit fits the rest.
    case valid
    /// The check digit does not fit the rest.
    case invalid
}
