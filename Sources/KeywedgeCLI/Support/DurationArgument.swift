import ArgumentParser
import KeywedgeConfiguration
import WireText

/// A duration on the command line, written as in the configuration: `500ms`, `2s`.
struct DurationArgument: ExpressibleByArgument {
    /// The duration.
    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    init?(argument: String) {
        guard let duration = DurationText.duration(argument) else { return nil }
        self.duration = duration
    }

    /// The duration as help shows it.
    var defaultValueDescription: String { duration.text }

    /// Refuses a duration that is too short or too long.
    ///
    /// - Parameters:
    ///   - range: What is allowed.
    ///   - option: The option's name.
    /// - Throws: What is wrong with the command line.
    func check(in range: ClosedRange<Duration>, as option: String) throws {
        guard range.contains(duration) else {
            throw ValidationError(
                "\(option): expected \(range.lowerBound.text) to \(range.upperBound.text), "
                    + "got \(duration.text)")
        }
    }
}
