internal import Glibc
import WireText

/// Decides when a node that could not be claimed is tried again, and what is reported about it.
struct NodeRetries {
    private struct Node {
        var backoff = RetryBackoff()
        /// When to report that the node may not be opened; nil if it may be, or after the report.
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

    /// When the next node is due for another try.
    var deadline: Int64? { nodes.values.compactMap(\.deadline).min() }

    /// The nodes that are due for another try.
    func due(at now: Int64) -> [String] {
        nodes.filter { ($0.value.deadline ?? .max) <= now }.map(\.key)
    }

    /// Records that a node is being tried.
    mutating func begin(_ path: String) {
        nodes[path, default: Node()].backoff.tries()
    }

    /// Forgets a node that is claimed or gone.
    mutating func forget(_ path: String) {
        nodes[path] = nil
    }

    /// Reports something about a node, unless it was the last report about it.
    mutating func report(_ notice: ReaderNotice, of path: String) {
        guard nodes[path]?.lastNotice != notice else { return }
        nodes[path, default: Node()].lastNotice = notice
        report(notice)
    }

    /// Records that a device was refused; reports it only if a rule would make it a scanner.
    mutating func refuse(_ path: String, name: String?, _ refusal: SelectionVerdict.Refusal) {
        recordOpen(path)
        switch refusal {
        case .cannotType, .ownKeyboard:
            report(.refused(node: path, name: name, refusal), of: path)
        case .matchesNoConfiguredScanner, .notKnownAsScanner: break
        }
    }

    /// Records that a node could not be opened, claimed or read; `scanner` names the scanner it
    /// would be, nil if the device is unknown.
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

    /// Records that a node could be opened.
    mutating func recordOpen(_ path: String) {
        nodes[path]?.permissionDeadline = nil
        nodes[path]?.isForbidden = false
    }

    private mutating func retry(_ path: String, _ notice: ReaderNotice, at now: Int64) {
        recordOpen(path)
        nodes[path, default: Node()].backoff.failed(at: now)
        report(notice, of: path)
    }

    /// Records that a node may not be opened; reports it once udev had time to allow it.
    ///
    /// An unknown device is most likely an ordinary keyboard, and is not reported.
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

/// Decides when to retry something that keeps failing: soon at first, then less and less often.
struct RetryBackoff: Hashable, Sendable {
    /// The pause after the first failure, in microseconds.
    static let first: Int64 = 100_000
    /// The longest pause, in microseconds.
    static let longest: Int64 = 5_000_000

    /// When to try again; nil if nothing failed, or during a try.
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
