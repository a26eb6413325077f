package import KeywedgeConfiguration
import WireText

/// The configuration: whether it can be read, and what is wrong with it.
package struct ConfigurationCheck: DoctorCheck {
    package let subject = DoctorReport.Subject.configuration
    private let path: String?
    private let error: ConfigurationError?
    private let files: BoxFiles
    private let user: BoxUser?

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - path: The file; nil where there is none and the defaults hold.
    ///   - error: What is wrong with it, if anything.
    ///   - files: The box's files.
    ///   - user: The user that the daemon runs as, where that is known.
    package init(
        path: String?, error: ConfigurationError?, files: BoxFiles = BoxFiles(),
        user: BoxUser? = nil
    ) {
        self.path = path
        self.error = error
        self.files = files
        self.user = user
    }

    package func findings() async -> [DoctorReport.Finding] {
        guard let path else {
            return [finding(.holds, "there is none: the built-in defaults hold")]
        }
        guard let error else {
            return [closed(path) ?? finding(.holds, "\(path) says what it may")]
        }
        if let unreadable = error.unreadable { return [self.unreadable(path, unreadable)] }
        let count = error.problems.count.counted("mistake")
        return [
            finding(
                .fails, "\(path) has \(count), and the daemon does not start with it",
                error.problems.map(\.description), mend: [mending(path, error.problems)])
        ]
    }

    /// The daemon's user cannot read what this one can.
    private func closed(_ path: String) -> DoctorReport.Finding? {
        guard let user, let obstacle = user.obstacle(to: .reading, path, files) else { return nil }
        return finding(
            .fails, "\(path) can be read here, but not by the daemon's user \(user.name)",
            mend: [.opening(obstacle, for: user, files)])
    }

    private func unreadable(
        _ path: String, _ error: SystemCallError
    ) -> DoctorReport.Finding {
        if error.isForbidden {
            return finding(.unseen, "this user may not read \(path): run keywedge doctor as root")
        }
        return finding(
            .fails, "\(error)",
            mend: [
                Remedy(
                    "The unit names the file, which has to be there; an empty one means the defaults.",
                    run: "install -D -m 644 /dev/null \(path.shellWord)",
                    "systemctl restart keywedge")
            ])
    }

    /// Takes the lines out that are wrong, where the rest of the file can be used then: this was
    /// tried.
    private func mending(_ path: String, _ problems: [ConfigurationProblem]) -> Remedy {
        let advice = "Write what is expected there, and try it: keywedge config check \(path)."
        let lines = Set(problems.compactMap(\.line))
        guard problems.allSatisfy({ $0.line != nil && $0.file == path }),
            isUsable(path, without: lines)
        else { return Remedy(advice, run: "keywedge config check \(path.shellWord)") }
        let script = lines.sorted().map { "\($0)s/^/#/" }.joined(separator: ";")
        let which = lines.count == 1 ? "the line becomes a comment" : "the lines become comments"
        return Remedy(
            advice + " Or have the default in its place, so that the daemon starts: \(which).",
            run: "sed -i '\(script)' \(path.shellWord)", "systemctl restart keywedge")
    }

    private func isUsable(_ path: String, without lines: Set<Int>) -> Bool {
        guard let text = files.text(path) else { return false }
        let kept = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
            lines.contains($0 + 1) ? "#" + $1 : String($1)
        }
        return (try? Configuration.parse(text: kept.joined(separator: "\n"), file: path)) != nil
    }
}
