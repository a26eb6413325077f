import WireText

/// What a command's end means for the event it was given.
package enum ExecEnding: Equatable, Sendable {
    /// It ended with a status.
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)
    /// It took too long, and was ended.
    case overtime(Duration)

    /// What becomes of the event; nil where it is to be given again.
    ///
    /// Rule: sysexits.h, of which 65 is `EX_DATAERR` and 75 `EX_TEMPFAIL`.
    package var verdict: Verdict? {
        switch self {
        case .exited(0): .taken
        case .exited(65): .refused("the command ended with 65")
        case .exited, .signalled, .overtime: nil
        }
    }

    /// How it ended, in words.
    package var text: String {
        switch self {
        case .exited(let status): "it ended with \(status)"
        case .signalled(let number): "signal \(number) ended it"
        case .overtime(let limit): "it had not ended after \(limit.text), and was killed"
        }
    }
}
