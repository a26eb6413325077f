import Glibc
import KeywedgeConfiguration
import ScannerInput
package import WireText

package struct Remedy: Equatable, Sendable {
    package var advice: String
    /// The lines to add to ``file``, or to the place that the advice names; empty if no setting helps.
    package var setting: [String] = []
    /// The lines of the current setting, for the user to review if ``setting`` is empty.
    package var standing: [String] = []
    /// The file to write ``setting`` into; nil if the setting is empty or for an HTTP catalog.
    package var file: String?
    /// Whether ``setting`` is the complete content of ``file``, instead of lines to add to it.
    package var isWholeFile = false
    /// The commands to run in this order, usually as root, after ``setting`` has been written.
    package var commands: [String] = []

}

extension Remedy {
    init(_ advice: String, run commands: String...) {
        self.init(advice: advice, commands: commands)
    }

    init(_ advice: String, file: String, containing lines: [String], run commands: [String]) {
        self.init(
            advice: advice, setting: lines, file: file, isWholeFile: true, commands: commands)
    }

    init(
        _ advice: String, into file: String, setting: [String],
        run commands: [String] = ["systemctl restart keywedge"]
    ) {
        self.init(advice: advice, setting: setting, file: file, commands: commands)
    }
}

extension Remedy {
    /// The remedy as lines of text, escaped for the terminal.
    package var lines: [String] {
        var lines = [Escaping.sentence.escaped(advice)]
        if !setting.isEmpty {
            if let name = file.map(Escaping.line.escaped) {
                lines.append(
                    isWholeFile ? "Make the file \(name) of these lines:" : "Write into \(name):")
            } else {
                lines[0] += " Write:"
            }
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

    package var json: JSONObject {
        var object: JSONObject = ["advice": .string(advice)]
        if let file { object.append("file", .string(file)) }
        if !setting.isEmpty {
            object.append(isWholeFile ? "content" : "setting", .lines(setting))
        }
        if !commands.isEmpty { object.append("commands", .lines(commands)) }
        return object
    }

    private static func indented(_ lines: [String]) -> [String] {
        lines.map { "    " + Escaping.sentence.escaped($0) }
    }
}

extension JSONValue {
    static func lines(_ lines: [String]) -> JSONValue { .array(lines.map(JSONValue.string)) }
}

extension Remedy {
    /// Returns the remedy that gives the daemon's user access to a file or folder.
    static func opening(
        _ path: String, for user: BoxUser, _ use: BoxUser.Use, _ files: BoxFiles
    ) -> Remedy {
        let word = path.shellWord
        let restart = "systemctl restart keywedge"
        switch use {
        case .passing: return Remedy("Allow it.", run: "chmod a+rx \(word)", restart)
        case .writing:
            return Remedy(
                "Give it to the daemon's user.", run: "chown \(user.name) \(word)",
                "chmod u+rwX \(word)", restart)
        case .reading:
            let right = files.facts(path)?.isFolder == true ? "x" : "r"
            return Remedy(
                "Give the daemon's group access.", run: "chgrp \(user.name) \(word)",
                "chmod g+\(right) \(word)", restart)
        }
    }

    /// Returns the remedy that adds settings to the daemon's unit in the drop-in file `name`.conf.
    static func dropIn(_ advice: String, _ name: String, _ lines: [String]) -> Remedy {
        Remedy(
            advice, file: "/etc/systemd/system/\(UnitState.daemon).d/\(name).conf",
            containing: ["[Service]"] + lines,
            run: ["systemctl daemon-reload", "systemctl restart keywedge"])
    }

    static func mounting(_ path: String, _ advice: String = "In a container, mount it") -> Remedy {
        Remedy("\(advice): --volume=\(path):\(path) (docs/containers.md).")
    }

    /// A copy without commands such as `systemctl` and `udevadm`, for a machine that does not run systemd.
    var withoutUnits: Remedy {
        var remedy = self
        remedy.commands.removeAll { $0.starts(with: /(systemctl|journalctl|udevadm|modprobe)\b/) }
        if commands.contains(where: { $0.contains(/systemctl (re)?start keywedge/) }) {
            remedy.advice += " Without systemd, restart keywedge yourself."
        }
        return remedy
    }

}

extension SystemCallError {
    var isForbidden: Bool { errno == EACCES || errno == EPERM }
}

extension String {
    /// The text as one shell word, quoted if necessary.
    package var shellWord: String {
        wholeMatch(of: /[A-Za-z0-9\/._:@+,=-]+/) == nil
            ? "'" + replacing("'", with: "'\\''") + "'" : self
    }

    /// The text as a YAML scalar, quoted if necessary.
    var yamlWord: String {
        let reserved = ["true", "false", "null", "yes", "no", "on", "off", "none", "y", "n"]
        let isPlain = wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil
        return isPlain && !reserved.contains(lowercased())
            ? self : JSONWriter.text(of: .string(self))
    }
}
