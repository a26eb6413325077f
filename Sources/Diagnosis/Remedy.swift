import Glibc
import KeywedgeConfiguration
import ScannerInput
package import WireText

package struct Remedy: Equatable, Sendable {
    package var advice: String
    /// The lines to write into ``file``, or where the advice tells the user to; empty if no setting helps.
    package var setting: [String] = []
    /// The lines of the current setting, for the user to review; empty if the remedy proposes a new one.
    package var standing: [String] = []
    /// The file for the setting; nil if there is no setting, or if the advice tells the user where to write it.
    package var file: String?
    /// Whether ``setting`` is the complete content of ``file``; if false, the user adds the lines to the file.
    package var isWholeFile = false
    /// The commands to run as root, in this order, after writing the setting.
    package var commands: [String] = []

    init(_ advice: String, run commands: String...) {
        self.advice = advice
        self.commands = commands
    }

    init(_ advice: String, file: String, containing lines: [String], run commands: [String]) {
        self.init(advice, into: file, setting: lines, run: commands)
        isWholeFile = true
    }

    init(
        _ advice: String, into file: String, setting: [String],
        run commands: [String] = ["systemctl restart keywedge"]
    ) {
        self.advice = advice
        self.file = file
        self.setting = setting
        self.commands = commands
    }
}

extension Remedy {
    /// The remedy as lines, escaped for the terminal.
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
    static func opening(
        _ path: String, for user: BoxUser, writing: Bool = false, _ files: BoxFiles
    ) -> Remedy {
        let isFolder = files.facts(path)?.isFolder ?? false
        let rights = writing ? "u+rwX" : (isFolder ? "g+x" : "g+r")
        let owner = writing ? "chown \(user.name)" : "chgrp \(user.name)"
        let what = writing ? "Give it to the daemon's user." : "Give the daemon's group access."
        return Remedy(
            what, run: "\(owner) \(path.shellWord)", "chmod \(rights) \(path.shellWord)",
            "systemctl restart keywedge")
    }

    /// The remedy that adds settings to the daemon's unit, in a drop-in file with this name.
    static func dropIn(_ advice: String, _ name: String, _ lines: [String]) -> Remedy {
        Remedy(
            advice, file: "/etc/systemd/system/\(UnitState.daemon).d/\(name).conf",
            containing: ["[Service]"] + lines,
            run: ["systemctl daemon-reload", "systemctl restart keywedge"])
    }

    static func mounting(_ path: String, _ advice: String = "In a container, mount it") -> Remedy {
        Remedy("\(advice): --volume=\(path):\(path) (docs/containers.md).")
    }

    /// The remedy without the commands of systemd, udev and the kernel's modules, for a box that does not run systemd.
    var withoutUnits: Remedy {
        var remedy = self
        remedy.commands.removeAll { command in
            ["systemctl ", "journalctl ", "udevadm ", "modprobe "]
                .contains(where: command.hasPrefix)
        }
        let starts = ["systemctl restart keywedge", "systemctl start keywedge"]
        if commands.contains(where: { starts.contains(where: $0.contains) }) {
            remedy.advice += " Without systemd, restart keywedge yourself."
        }
        return remedy
    }

    static var asRoot: String {
        geteuid() == 0
            ? "not even root may, so see how it is mounted (findmnt)"
            : "run keywedge doctor as root"
    }
}

extension SystemCallError {
    var isForbidden: Bool { errno == EACCES || errno == EPERM }
}

extension String {
    /// The text as one shell word, quoted if necessary.
    package var shellWord: String {
        let isPlain = allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/._-:@+,=".contains($0))
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }

    /// The text as a YAML scalar, quoted if necessary.
    var yamlWord: String {
        let isPlain =
            !isEmpty
            && allSatisfy {
                $0.isASCII && ($0.isLetter || $0 == "-" || $0 == "_" || $0.isNumber)
            }
        let reserved = ["true", "false", "null", "yes", "no", "on", "off", "none", "y", "n"]
        if isPlain, first?.isLetter == true, !reserved.contains(lowercased()) { return self }
        var bytes: [UInt8] = []
        JSONWriter.append(self, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
