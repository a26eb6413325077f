package import WireText

extension SystemCallError {
    /// The error as the service's commands tell it.
    package var sentence: String {
        "Cannot \(operation) \((path ?? "").quoted(upTo: .max)): \(text)."
    }
}
