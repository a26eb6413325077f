internal import Glibc
import WireText

/// Decides when a node that could not be claimed is tried again, and what is reported about it.
struct NodeRetries {
    private struct Node {
        var backoff = RetryBackoff()
        /// When it becomes worth a report that the node may not be opened; nil if it may, or if that
        /// was reported.
        var permissionDeadline: Int64?
        var isForbidden = false
        /// The last report about it, so that it is not repeated.
        var lastNotice: ReaderNotice?

        var deadline: Int64? { permissionDeadline ?? backoff.deadline }
    }

    private let permissionsTimeout: Int64
    private let report: (ReaderNotice) -> Void
    private var nodes: [String: Node] = [:]

    /// Udev may take `permissionsTimeout` microseconds to set the permissions of a node.
    init(permissionsTimeout: Int64, report: @escaping (ReaderNotice) -> Void) {
        self.permissionsTimeout = permissionsTimeout
        self.report = report
    }

    /// The nodes that have been tried, by path.
    var paths: [String] { Array(nodes.keys) }

    /// How many nodes this user may not open.
    var forbiddenCount: Int { nodes.values.count(where: \.isForbidden) }

    /// When the next node is to be tried again.
    var deadline: Int64? { nodes.values.compactMap(\.deadline).min() }

    /// The nodes that are to be tried again by now.
    func due(at now: Int64) -> [String] {
        nodes.filter { ($0.value.deadline ?? .max) <= now }.map(\.key)
    }

    /// A node is tried now.
    mutating func begin(_ path: String) {
        nodes[path, default: Node()].backoff.tries()
    }

    /// A node is claimed, or gone.
    mutating func forget(_ path: String) {
        nodes[path] = nil
    }

    /// Reports something about a node, unless it was the last report about it.
    mutating func report(_ notice: ReaderNotice, of path: String) {
        guard nodes[path]?.lastNotice != notice else { return }
        nodes[path, default: Node()].lastNotice = notice
        report(notice)
    }

    /// A rule refuses the device; that is reported only if another rule would make it a scanner.
    mutating func refuse(_ path: String, name: String?, _ refusal: SelectionVerdict.Refusal) {
        nodes[path]?.isForbidden = false
        nodes[path]?.permissionDeadline = nil
        switch refusal {
        case .cannotType, .ownKeyboard:
            report(.refused(node: path, name: name, refusal), of: path)
        case .matchesNoConfiguredScanner, .notKnownAsScanner: break
        }
    }

    /// A node could not be opened, claimed or read; `scanner` is the scanner that it would be, nil if
    /// nothing is known of the device.
    mutating func fail(
        _ path: String, _ error: SystemCallError, scanner: String?, at now: Int64
    ) {
        switch error.errno {
        case ENOENT, ENODEV, ENXIO: forget(path)
        case EACCES, EPERM: forbid(path, isKnown: scanner != nil, at: now)
        case EBUSY:
            retry(path, .claimedElsewhere(node: path, scanner: scanner ?? ""), at: now)
        default: retry(path, .failed(error), at: now)
        }
    }

    private mutating func retry(_ path: String, _ notice: ReaderNotice, at now: Int64) {
        nodes[path, default: Node()].backoff.failed(at: now)
        report(notice, of: path)
    }

    /// A node may not be opened: udev sets its permissions up to a second after it has appeared.
    ///
    /// A device of which nothing is known is most likely an ordinary keyboard, and not reported.
    private mutating func forbid(_ path: String, isKnown: Bool, at now: Int64) {
        var node = nodes[path] ?? Node()
        if !node.isForbidden {
            node.isForbidden = true
            node.permissionDeadline = isKnown ? now.later(by: permissionsTimeout) : nil
        }
        let isDue = (node.permissionDeadline ?? .max) <= now
        if isDue { node.permissionDeadline = nil }
        nodes[path] = node
        if isDue { report(.noPermission(node: path), of: path) }
    }
}

/// When to try again what keeps failing: soon at first, then ever more rarely.
struct RetryBackoff: Hashable, Sendable {
    /// The pause after the first failure, in microseconds.
    static let first: Int64 = 100_000
    /// The longest pause, in microseconds.
    static let longest: Int64 = 5_000_000

    /// When to try again; nil if nothing failed, or while it is tried.
    private(set) var deadline: Int64?
    private var pause: Int64 = 0

    mutating func failed(at now: Int64) {
        pause = pause == 0 ? Self.first : min(pause * 2, Self.longest)
        deadline = now.later(by: pause)
    }

    mutating func tries() {
        deadline = nil
    }
}
