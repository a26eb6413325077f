/// The rule for consumer and sink names.
package enum ReaderName {
    package static let rule = "1 to 64 letters, digits, \".\", \"_\" and \"-\""

    package static func isOne(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil
    }
}
