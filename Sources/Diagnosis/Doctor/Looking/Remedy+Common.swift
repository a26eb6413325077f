import Glibc
import WireText

extension Remedy {
    /// Gives a user what it lacks to use a file.
    ///
    /// - Parameters:
    ///   - path: The file or folder that keeps it out.
    ///   - user: The user.
    ///   - writing: Whether it has to write to it.
    ///   - files: The box's files.
    /// - Returns: The remedy.
    static func opening(
        _ path: String, for user: BoxUser, writing: Bool = false, _ files: BoxFiles
    ) -> Remedy {
        let isFolder = files.facts(path)?.isFolder ?? false
        let rights = writing ? "u+rwX" : (isFolder ? "g+x" : "g+r")
        let owner = writing ? "chown \(user.name)" : "chgrp \(user.name)"
        let what = writing ? "Give it to the daemon's user." : "Let the daemon's group have it."
        return Remedy(
            what, run: "\(owner) \(path.shellWord)", "chmod \(rights) \(path.shellWord)",
            "systemctl restart keywedge")
    }

    static let asRoot = "run keywedge doctor as root"
}

extension SystemCallError {
    /// Whether this user may not, where another may.
    var isForbidden: Bool { errno == EACCES || errno == EPERM }
}

extension String {
    /// The text as one word of a shell.
    var shellWord: String {
        let isPlain = allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/._-:@+,=".contains($0))
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }

    /// The text as a scalar of YAML.
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
