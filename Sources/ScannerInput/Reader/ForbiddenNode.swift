internal import CLibevdev
internal import Glibc
package import WireText

package struct ForbiddenNode: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The device cgroup forbids access; `rule`, such as `c 13:* r`, would allow it.
        case cgroup(rule: String)
        /// The node belongs to a group that this process is not in; the group's number is nil if this user namespace
        /// does not map it.
        case group(UInt32?)
        case owner
    }

    package var node: String
    package var reason: Reason

    /// Determines why a node could not be opened; nil unless `error` is a permission error with a path.
    package init?(_ error: SystemCallError) {
        guard [EACCES, EPERM].contains(error.errno), let path = error.path else { return nil }
        var status = stat()
        _ = stat(path, &status)
        self.init(
            path, errno: error.errno, number: status.st_rdev, mode: status.st_mode,
            group: status.st_gid)
    }

    /// Determines from `errno` whether the file permissions or the cgroup forbid access.
    init(_ node: String, errno: Int32, number: dev_t, mode: mode_t, group: gid_t) {
        self.node = node
        if errno == EPERM {
            reason = .cgroup(rule: Self.rule(for: number, node))
        } else if mode & S_IRGRP != 0, group != 0 {
            reason = .group(group == Self.unmapped ? nil : group)
        } else {
            reason = .owner
        }
    }

    /// The group number that the kernel shows for a group that the user namespace does not map.
    private static let unmapped: gid_t = 65_534

    /// Returns a cgroup rule that allows access to all nodes with this node's major number.
    ///
    /// Consoles and `ttyS` ports share the major number 4, so a rule for that number allows access to this node alone.
    private static func rule(for number: dev_t, _ node: String) -> String {
        let major = clibevdev_major(number)
        let minor = major == 4 ? String(clibevdev_minor(number)) : "*"
        return "c \(major):\(minor) \(DeviceNodes.kind(of: node) == .event ? "r" : "rw")"
    }

    /// Whether access is forbidden by the node's file permissions, not by the cgroup.
    package var isByRights: Bool {
        if case .cgroup = reason { false } else { true }
    }
}

extension ForbiddenNode: CustomStringConvertible {
    package var description: String {
        "\(Escaping.line.escaped(node)) may not be opened: \(reason)"
    }
}

extension ForbiddenNode.Reason: CustomStringConvertible {
    /// The reason in words, such as `it belongs to a group that this process is not in`.
    package var description: String {
        switch self {
        case .cgroup(let rule):
            "the device cgroup forbids it (in a container, add --device-cgroup-rule='\(rule)';"
                + " in a unit, DeviceAllow=)"
        case .group(let number?):
            "it belongs to group \(number), and this process does not (in a container, add"
                + " --group-add=\(number))"
        case .group(nil): "it belongs to a group that this process is not in"
        case .owner: "its rights let only its owner (a udev rule gives it to a group)"
        }
    }
}

extension [ForbiddenNode] {
    /// Text to append to a message, such as `; /dev/input/event3 may not be opened: …`.
    package var clause: String {
        guard let first else { return "" }
        return "; \(first)" + (count > 1 ? ", and \((count - 1).counted("other"))" : "")
    }
}
