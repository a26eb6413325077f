public import ArgumentParser
public import Barcodes
package import Catalog
package import Events
import KeywedgeConfiguration
import WireText

// How the types of other modules are written as arguments.

extension EventFormat: ExpressibleByArgument {}

/// A value of an option that is refused with what is expected.
protocol DescribedArgument: ExpressibleByArgument {
    /// What is expected, in words.
    static var expected: String { get }
}

extension DescribedArgument {
    /// Reads the value of an option.
    ///
    /// - Parameter argument: The value as it was given.
    /// - Returns: What it says.
    /// - Throws: What is expected.
    static func reading(_ argument: String) throws -> Self {
        guard let value = Self(argument: argument) else {
            throw ValidationError("expected \(expected)")
        }
        return value
    }
}

extension EventTime: DescribedArgument {
    static var expected: String { "a time with its offset, as 2026-12-01T08:00:00+01:00" }

    /// Reads a time as RFC 3339 writes it.
    public init?(argument: String) {
        guard let time = try? EventTime(rfc3339: argument) else { return nil }
        self = time
    }

    /// The time as help shows it.
    public var defaultValueDescription: String { description }
}

extension ColumnMapping: DescribedArgument {
    static var expected: String {
        let fields = CatalogField.allCases.map(\.rawValue).joined(separator: ", ")
        return "FIELD=COLUMN, as name=Artikel, with one of the fields \(fields)"
    }

    /// Reads a mapping as `name=Artikel`.
    package init?(argument: String) { self.init(argument) }
}

extension Currency: ExpressibleByArgument {
    /// Reads a currency's code.
    package init?(argument: String) {
        self.init(argument)
    }
}

extension Region: ExpressibleByArgument {}

extension BarcodeDecoder.Settings.Content: ExpressibleByArgument {}

extension BarcodeDecoder.Settings.UPCE: ExpressibleByArgument {}

/// Texts on the command line in which characters are written with a backslash.
enum Backslashes {
    /// The text that is meant.
    ///
    /// - Parameter text: A text with escapes, or without.
    /// - Returns: The text without them.
    /// - Throws: ``BackslashError`` where a backslash begins no escape.
    static func meaning(of text: String) throws(BackslashError) -> String {
        guard let meaning = Escaping.unescaped(text) else { throw BackslashError(text: text) }
        return meaning
    }
}

/// A text with a backslash that begins no escape.
struct BackslashError: Error, CustomStringConvertible {
    /// The text as it was given.
    let text: String

    /// One sentence.
    var description: String {
        "cannot read \(text.quoted(upTo: .max)): expected a backslash to begin one of "
            + Escaping.forms
    }
}

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
