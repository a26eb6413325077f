package import WireText

/// What looking at the whole box came to.
package struct DoctorReport: Equatable, Sendable {
    /// What is looked at, in this order.
    package enum Subject: String, CaseIterable, Sendable {
        /// The configuration can be read.
        case configuration
        /// The udev rule, and the rights that it gives.
        case rights
        /// Which devices are scanners, and who has them.
        case devices
        /// What the scanners typed so far, or type now.
        case scans
        /// The embedded catalog, and the declared services.
        case catalog
        /// The events on disk.
        case journal
        /// Where events go.
        case sinks
        /// The daemon's own interface, and the pages that use it.
        case interface
        /// The clock.
        case time
        /// The unit of systemd, and its sandbox.
        case unit
        /// Whether the running daemon is the installed one.
        case version
    }

    /// How it is.
    package enum Verdict: String, Sendable {
        case holds = "ok"
        /// It works, and something should be seen to.
        case warns = "warning"
        case fails = "FAILED"
        /// This user may not see it.
        case unseen = "not seen"
        /// It was not tried, for the reason that is told.
        case notTried = "-"
    }

    /// One thing that was looked at.
    package struct Finding: Equatable, Sendable {
        /// What it belongs to.
        package var subject: Subject
        /// How it is.
        package var verdict: Verdict
        /// What was seen, in a sentence without its full stop.
        package var text: String
        /// More of it, a line each.
        package var details: [String] = []
        /// What mends it: the first is the likeliest, one of them is enough.
        package var remedies: [Remedy] = []
    }

    /// All of them, in the order in which they were looked at.
    package var findings: [Finding]

    /// Makes a report.
    package init(findings: [Finding] = []) {
        self.findings = findings
    }

    /// Whether something is wrong, needs a look, or could not be seen.
    package var worst: Verdict {
        let verdicts = Set(findings.map(\.verdict))
        return [.fails, .warns, .unseen].first(where: verdicts.contains) ?? .holds
    }

    /// How many there are of a verdict.
    package func count(_ verdict: Verdict) -> Int {
        findings.count { $0.verdict == verdict }
    }
}

extension DoctorReport {
    /// The report as one object, for programs.
    ///
    /// - Parameter isRoot: Whether all of it could be seen.
    /// - Returns: The object.
    package func json(isRoot: Bool) -> JSONObject {
        [
            "verdict": .string(worst.word), "root": .bool(isRoot),
            "failed": .integer(Int64(count(.fails))),
            "warnings": .integer(Int64(count(.warns))),
            "not_seen": .integer(Int64(count(.unseen))),
            "findings": .array(findings.map { .object($0.json) }),
        ]
    }
}

extension DoctorReport.Verdict {
    /// The verdict for programs.
    package var word: String {
        switch self {
        case .holds: "ok"
        case .warns: "warning"
        case .fails: "failed"
        case .unseen: "not-seen"
        case .notTried: "not-tried"
        }
    }

    /// A sign ahead of the word, which says the same.
    private var sign: String {
        switch self {
        case .holds: "✓"
        case .warns: "!"
        case .fails: "✗"
        case .unseen: "?"
        case .notTried: " "
        }
    }

    fileprivate var label: String { "\(sign) \(rawValue)".padded(to: 12) }
}

extension DoctorReport.Finding {
    /// The finding as lines for people; safe to print.
    package var lines: [String] {
        let label = verdict.label + subject.rawValue.padded(to: 14)
        let room = String(repeating: " ", count: 12)
        let details = details.map { room + Escaping.sentence.escaped($0) }
        let remedies = remedies.enumerated().flatMap { index, remedy in
            remedy.lines.enumerated().map { line, text in
                room + (line == 0 ? (index == 0 ? "→ " : "→ or: ") : "  ") + text
            }
        }
        return [label + Escaping.sentence.escaped(text)] + details + remedies
    }

    /// The finding for programs.
    var json: JSONObject {
        [
            "subject": .string(subject.rawValue), "verdict": .string(verdict.word),
            "message": .string(text), "details": .lines(details),
            "remedies": .array(remedies.map { .object($0.json) }),
        ]
    }
}
