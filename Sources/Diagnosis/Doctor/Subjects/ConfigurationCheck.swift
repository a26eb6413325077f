import Glibc
import KeywedgeConfiguration
import WireText

struct ConfigurationCheck: DoctorCheck {
    let subject = Finding.Subject.configuration
    let box: Box

    func findings() async -> [Finding] {
        guard let path = box.path else {
            return finding(.holds, "there is no file: the built-in defaults apply")
        }
        guard let error = box.error else {
            let barred = barred(from: path)
            return barred.isEmpty ? finding(.holds, "\(path) is valid") : barred
        }
        if let unreadable = error.unreadable {
            if unreadable.errno == ENOENT, box.unit?["ExecStart"]?.contains(path) == true {
                return finding(
                    .fails, "\(unreadable)",
                    mend: Remedy(
                        "The unit names this file, so it must exist; an empty file means the defaults.",
                        run: "install -D -m 644 /dev/null \(path.shellWord)",
                        "systemctl restart keywedge"))
            }
            return unreadable.isForbidden
                ? unseen("this user may not read \(path)")
                : finding(.fails, "\(unreadable)", mend: Remedy(for: unreadable))
        }
        let count = error.problems.count.counted("mistake")
        return finding(
            .fails, "\(path) has \(count), and the daemon does not start with it",
            error.problems.map(\.description), mend: mending(path, error.problems))
    }

    /// Returns the remedy for mistakes in a configuration file.
    private func mending(_ path: String, _ problems: [ConfigurationProblem]) -> Remedy {
        let advice = "Write what is expected there, and try it: keywedge config check \(path)."
        let lines = Set(problems.compactMap(\.line))
        guard problems.allSatisfy({ $0.line != nil && $0.file == path }),
            isUsable(path, without: lines)
        else { return Remedy(advice, run: "keywedge config check \(path.shellWord)") }
        let script = lines.sorted().map { "\($0)s/^/#/" }.joined(separator: ";")
        return Remedy(
            advice
                + " Or turn what is wrong into comments, so that the daemon starts with defaults.",
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
