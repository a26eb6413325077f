import ArgumentParser
import Events
import WireText

/// The options `--format` and `--json` of a command whose results are events.
struct FormatOption: ParsableArguments {
    @Option(help: "json, text, tsv or pretty; by default pretty on a terminal, else json.")
    var format: EventFormat?

    @Flag(help: "The same as --format json.")
    var json = false

    func validate() throws {
        try require(
            !json || format == nil || format == .json,
            "--json and --format: expected one of them")
    }

    /// Returns a formatter for the requested, the configured or the default format.
    func formatter(else configured: EventFormat?, showsDate: Bool = false) -> EventFormatter {
        let usual: EventFormat = StandardOutput.isTerminal ? .pretty : .json
        return EventFormatter(
            json ? .json : format ?? configured ?? usual, colour: StandardOutput.takesColour,
            width: StandardOutput.width() ?? 100, showsDate: showsDate)
    }
}

/// The options `--format` and `--json` of a command whose results are not events.
struct ObjectFormatOption: ParsableArguments {
    @Option(help: "json, or pretty for people; the default depends on the command.")
    var format: ObjectFormat?

    @Flag(help: "The same as --format json.")
    var json = false

    func validate() throws {
        try require(!json || format != .pretty, "--json and --format pretty: expected one of them")
    }

    var chosen: ObjectFormat {
        isJSON ? .json : format ?? (StandardOutput.isTerminal ? .pretty : .json)
    }

    var isJSON: Bool { json || format == .json }

    /// Prints a result on standard output: as JSON if requested, or else as lines of text.
    func print(
        _ object: @autoclosure () -> JSONObject, _ lines: @autoclosure () -> [String]
    ) throws(OutputError) {
        if isJSON {
            try StandardOutput.write(object())
        } else {
            try StandardOutput.write(lines: lines())
        }
    }

    /// Reports a command's result as JSON on standard output, or in words on standard error.
    func report(
        _ object: @autoclosure () -> JSONObject, _ sentence: String?, _ quiet: QuietOption
    ) throws(OutputError) {
        if isJSON {
            try StandardOutput.write(object())
        } else if let sentence {
            quiet.say(sentence)
        }
    }
}

/// The output format of a command whose results are not events.
enum ObjectFormat: String, CaseIterable, ExpressibleByArgument {
    case json
    /// One field per line with aligned values, and an empty line at the end.
    case pretty

    private static let nameWidth = 13

    func append(_ object: JSONObject, to bytes: inout [UInt8]) {
        switch self {
        case .json: JSONWriter.append(object, to: &bytes)
        case .pretty:
            for member in object.members { Self.append(member.key, member.value, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func append(_ name: String, _ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: break
        case .array(let values): for value in values { append(name, value, to: &bytes) }
        default:
            bytes.append(contentsOf: "\(name.padded(to: nameWidth))\(text(value))\n".utf8)
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): Escaping.line.escaped(text)
        case .bool(let flag): flag ? "yes" : "no"
        case .object(let object):
            if case .string(let message)? = object["message"] {
                // A message may contain a setting for the user to copy, so escape it as a sentence.
                Escaping.sentence.escaped(message)
            } else {
                object.members.filter { $0.value != .null }
                    .map { "\(Escaping.line.escaped($0.key))=\(text($0.value))" }
                    .joined(separator: " ")
            }
        default: JSONWriter.text(of: value)
        }
    }
}
