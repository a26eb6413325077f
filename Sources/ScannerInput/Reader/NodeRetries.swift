internal import Glibc
import WireText

/// A schedule of retries for nodes that could not be claimed, and of reports about them.
struct NodeRetries {
    private struct Node {
        /// When to try to claim the node again; nil if no retry is scheduled.
        var retryDeadline: Int64?
        var pause: Int64 = 0
        /// When to report that access to the node is forbidden; nil if no report is pending.
        var permissionDeadline: Int64?
        var forbidden: ForbiddenNode?
        /// The last notice that was reported; an equal notice is not reported again.
        var lastNotice: ReaderNotice?

        var deadline: Int64? { permissionDeadline ?? retryDeadline }
    }

    /// The pause after the first failure, in microseconds; it doubles with each failure.
    private static let firstPause: Int64 = 100_000
    private static let longestPause: Int64 = 5_000_000
    private let permissionsTimeout: Int64
    private let report: (ReaderNotice) -> Void
    private var nodes: [String: Node] = [:]

    /// Creates an empty schedule that allows udev `permissionsTimeout` microseconds to grant access to a node.
    init(permissionsTimeout: Int64, report: @escaping (ReaderNotice) -> Void) {
        self.permissionsTimeout = permissionsTimeout
        self.report = report
    }

    var paths: [String] { Array(nodes.keys) }

    var forbidden: [ForbiddenNode] {
        nodes.values.compactMap(\.forbidden).sorted { $0.node < $1.node }
    }

    var deadline: Int64? { nodes.values.compactMap(\.deadline).min() }

    func due(at now: Int64) -> [String] {
        nodes.filter { ($0.value.deadline ?? .max) <= now }.map(\.key)
    }

    mutating func begin(_ path: String) {
        nodes[path, default: Node()].retryDeadline = nil
    }

    mutating func forget(_ path: String) {
        nodes[path] = nil
    }

    /// Reports a notice about a node, unless it equals the last notice about the same node.
    mutating func report(_ notice: ReaderNotice, of path: String) {
        guard nodes[path]?.lastNotice != notice else { return }
        nodes[path, default: Node()].lastNotice = notice
        report(notice)
    }

    /// Records that a device was refused; reports this only if a rule selects the device.
    mutating func refuse(_ path: String, name: String?, _ refusal: SelectionVerdict.Refusal) {
        recordOpen(path)
        switch refusal {
        case .cannotType, .ownKeyboard:
            report(.refused(node: path, name: name, refusal), of: path)
        case .matchesNoConfiguredScanner, .notKnownAsScanner: break
        }
    }

    /// Records that a node could not be opened, claimed or read; `scanner` is nil if unknown.
    mutating func fail(
        _ path: String, _ error: SystemCallError, scanner: String?, at now: Int64
    ) {
        if let node = ForbiddenNode(error) {
            return forbid(path, node, isKnown: scanner != nil, at: now)
        }
        switch error.errno {
        case ENOENT, ENODEV, ENXIO: forget(path)
        case EBUSY:
            retry(path, .claimedElsewhere(node: path, scanner: scanner ?? ""), at: now)
        default: retry(path, .failed(error), at: now)
        }
    }

    mutating func recordOpen(_ path: String) {
        nodes[path]?.permissionDeadline = nil
        nodes[path]?.forbidden = nil
    }

    private mutating func retry(_ path: String, _ notice: ReaderNotice, at now: Int64) {
        recordOpen(path)
        let last = nodes[path]?.pause ?? 0
        let pause = last == 0 ? Self.firstPause : min(last * 2, Self.longestPause)
        nodes[path, default: Node()].pause = pause
        nodes[path]?.retryDeadline = now.later(by: pause)
        report(notice, of: path)
    }

    /// Records that access to a node is forbidden; reports it if this lasts ``permissionsTimeout`` for a known scanner.
    private mutating func forbid(
        _ path: String, _ forbidden: ForbiddenNode, isKnown: Bool, at now: Int64
    ) {
        var node = nodes[path] ?? Node()
        if node.forbidden == nil {
            node.permissionDeadline = isKnown ? now.later(by: permissionsTimeout) : nil
        }
        node.forbidden = forbidden
        let isDue = (node.permissionDeadline ?? .max) <= now
        if isDue { node.permissionDeadline = nil }
        nodes[path] = node
        if isDue { report(.noPermission(forbidden), of: path) }
    }
}
