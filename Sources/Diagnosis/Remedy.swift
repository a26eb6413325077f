package import WireText

/// What mends something that failed.
package struct Remedy: Equatable, Sendable {
    /// What to do, in a sentence or two.
    package var advice: String
    /// The setting to write, line by line: into ``file``, or where the advice says; none where no
    /// setting is known that helps.
    package var setting: [String] = []
    /// What stands there now and has to be looked at; none where a setting is proposed.
    package var standing: [String] = []
    /// The file that the setting belongs into; nil where the advice says where.
    package var file: String?
    /// Whether the setting is all of the file, and not a part that is put into it.
    package var isWholeFile = false
    /// Commands to give afterwards, one after the other, as root.
    package var commands: [String] = []

    /// What to do where no setting helps.
    init(_ advice: String) {
        self.advice = advice
    }

    /// Commands to give.
    init(_ advice: String, run commands: String...) {
        self.advice = advice
        self.commands = commands
    }

    /// A file to write, and commands to give then.
    init(_ advice: String, file: String, containing lines: [String], run commands: [String]) {
        self.advice = advice
        self.file = file
        self.setting = lines
        isWholeFile = true
        self.commands = commands
    }

    /// A setting to put into a file that may have others, and commands to give then.
    init(_ advice: String, into file: String, setting: [String], run commands: [String]) {
        self.advice = advice
        self.file = file
        self.setting = setting
        self.commands = commands
    }
}

extension Remedy {
    /// The remedy as lines; safe to print.
    package var lines: [String] {
        var lines = [Escaping.sentence.escaped(advice)]
        if !setting.isEmpty {
            lines[0] += file == nil ? " Write:" : ""
            if let file { lines.append(Self.heading(file, isWhole: isWholeFile)) }
            lines += Self.indented(setting)
        } else if !standing.isEmpty {
            lines[0] += " It says now:"
            lines += Self.indented(standing)
        }
        if !commands.isEmpty {
            lines.append(setting.isEmpty ? "Run:" : "Then run:")
            lines += Self.indented(commands)
        }
        return lines
    }

    /// The remedy for programs, which can carry it out.
    package var json: JSONObject {
        var object: JSONObject = ["advice": .string(advice)]
        if let file { object.append("file", .string(file)) }
        if !setting.isEmpty {
            object.append(isWholeFile ? "content" : "setting", .lines(setting))
        }
        if !commands.isEmpty { object.append("commands", .lines(commands)) }
        return object
    }

    private static func heading(_ file: String, isWhole: Bool) -> String {
        let name = Escaping.line.escaped(file)
        return isWhole ? "Make the file \(name) of these lines:" : "Write into \(name):"
    }

    private static func indented(_ lines: [String]) -> [String] {
        lines.map { "    " + Escaping.sentence.escaped($0) }
    }
}

extension JSONValue {
    /// An array of texts.
    static func lines(_ lines: [String]) -> JSONValue { .array(lines.map(JSONValue.string)) }
}
