/// The rule for consumer and sink names.
package enum ReaderName {
    /// The rule as error messages state it.
    package static let rule = "1 to 64 letters, digits, \".\", \"_\" and \"-\""

    /// Whether a string is a valid name.
    package static func isOne(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil
    }
}
