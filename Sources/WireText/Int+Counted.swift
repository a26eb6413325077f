extension Int {
    /// The number with what it counts: `1 finding`, `2 findings`.
    ///
    /// - Parameters:
    ///   - one: What is counted, for one.
    ///   - many: The same for several; `one` with an `s` unless told.
    /// - Returns: The number and the word.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
