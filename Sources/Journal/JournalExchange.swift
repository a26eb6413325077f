import Events
import Glibc

/// Puts a new journal in the place of another, so that a crash at any moment leaves one of the two, whole.
///
/// 1. The new journal is written as `.new`, and its log is folded into it.
/// 2. It is renamed to `.next-TIME`. From here on it is the journal: no start opens the old one again.
/// 3. The old files are renamed to `.damaged-TIME`; if the new journal is `.next`, without a time, they are removed.
/// 4. The new journal takes the name of the journal.
///
/// After a crash, the next start finishes what it finds from step 2 on, and begins anew before that.
struct JournalExchange {
    /// One change of the folder, which may be made twice.
    enum Step: Equatable {
        case move(String, to: String)
        case remove(String)
        case synchronize
    }

    /// How many damaged journals are kept.
    private static let keptCount = 3
    private static let nextEnding = ".next"
    private static let damagedEnding = ".damaged"

    private let path: String
    /// The name of the new journal from step 2 on.
    private let next: String

    /// An exchange that begins.
    ///
    /// - Parameters:
    ///   - path: The journal.
    ///   - time: The time in the name of the old files; nil to remove them.
    init(of path: String, keepingTheOldAt time: EventTime?) {
        self.path = path
        let suffix = time.map { time in
            let digits = "-" + time.description.prefix(19).filter(\.isNumber)
            let suffixes = (1...).lazy.map { $0 == 1 ? digits : "\(digits)-\($0)" }
            return suffixes.first { access(path + Self.damagedEnding + $0, F_OK) != 0 } ?? digits
        }
        next = path + Self.nextEnding + (suffix ?? "")
    }

    /// The exchange that a crash interrupted after step 2; nil if none was.
    init?(unfinishedAt path: String) {
        guard let next = JournalFiles.databases(beside: path, Self.nextEnding).first else {
            return nil
        }
        self.path = path
        self.next = next
    }

    /// The path at which a new journal is written.
    static func successor(of path: String) -> String { path + ".new" }

    /// Removes a new journal that was not finished.
    static func removeSuccessor(of path: String) throws {
        for ending in [""] + JournalFiles.companions {
            try JournalFiles.remove(successor(of: path) + ending)
        }
    }

    /// The damaged journals that are kept, the oldest first.
    static func damaged(beside path: String) -> [String] {
        JournalFiles.databases(beside: path, damagedEnding + "-")
    }

    /// Where the old journal goes; nil if it is removed.
    var old: String? {
        let suffix = next.dropFirst(path.count + Self.nextEnding.count)
        return suffix.isEmpty ? nil : path + Self.damagedEnding + suffix
    }

    /// The steps that make the new journal count.
    var firstSteps: [Step] {
        [.move(Self.successor(of: path), to: next), .synchronize]
    }

    /// The steps that are left then.
    var lastSteps: [Step] {
        // The database first: without its name nobody opens it, and nobody makes a log for it anew.
        let endings = [""] + JournalFiles.companions
        let clearing = endings.map { ending in
            old.map { Step.move(path + ending, to: $0 + ending) } ?? .remove(path + ending)
        }
        return clearing + [.synchronize, .move(next, to: path), .synchronize]
    }

    /// Makes the exchange.
    ///
    /// - Throws: `SystemCallError`.
    func run() throws {
        for step in firstSteps { try make(step) }
        try finish()
    }

    /// Makes the steps after the new journal counts.
    ///
    /// - Throws: `SystemCallError`.
    func finish() throws {
        for step in lastSteps { try make(step) }
        // A failing disk must not fill up.
        for damaged in Self.damaged(beside: path).dropLast(Self.keptCount) {
            for ending in [""] + JournalFiles.companions {
                try JournalFiles.remove(damaged + ending)
            }
        }
    }

    /// Makes one step.
    ///
    /// - Throws: `SystemCallError`.
    func make(_ step: Step) throws {
        switch step {
        case .move(let name, let new): try JournalFiles.move(name, to: new)
        case .remove(let name): try JournalFiles.remove(name)
        case .synchronize: try JournalFiles.synchronizeFolder(of: path)
        }
    }
}
