internal import CLibevdev
internal import Glibc
import WireText

/// Watches the folder of event nodes and udev's database (inotify), even while they do not exist.
///
/// inotify rather than netlink: it works in a sandbox without network, and `IN_ATTRIB` shows when
/// udev has set the permissions of a node, about a second after the node appears.
final class FolderWatch {
    enum Change: Hashable {
        /// The node of this name appeared, changed its permissions or vanished.
        case node(String)
        /// Anything may have changed: a folder appeared or vanished, udev updated the record of an
        /// input device, or the kernel lost changes.
        case everything
    }

    /// Becomes readable when something changed.
    let descriptor: Int32
    private var nodes: WatchedFolder
    private var database: WatchedFolder

    init(places: DevicePlaces) throws(SystemCallError) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "inotify_init1", errno: errno)
        }
        nodes = WatchedFolder(
            path: places.nodes,
            changes: IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM)
        database = WatchedFolder(path: places.udevData, changes: IN_MOVED_TO)
        nodes.watch(with: descriptor)
        database.watch(with: descriptor)
    }

    deinit {
        close(descriptor)
    }

    /// Whether the folder of event nodes exists.
    var hasNodes: Bool { nodes.exists }

    /// The changes since the last call.
    func changes() -> [Change] {
        var changes: [Change] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return changes }
            for entry in InotifyEntry.all(in: buffer[..<count]) { changes += self.changes(entry) }
        }
    }

    private func changes(_ entry: InotifyEntry) -> [Change] {
        if entry.has(IN_Q_OVERFLOW) {
            // The lost changes may include that a folder vanished.
            nodes.watch(with: descriptor)
            database.watch(with: descriptor)
            return [.everything]
        }
        var changes: [Change] = []
        if entry.watch == nodes.watch {
            if nodes.follow(entry, with: descriptor) {
                changes.append(.everything)
            } else if nodes.exists, !entry.name.isEmpty {
                changes.append(.node(entry.name))
            }
        }
        if entry.watch == database.watch {
            let isReplaced = database.follow(entry, with: descriptor)
            if isReplaced || database.exists && entry.name.hasPrefix("c13:") {
                changes.append(.everything)
            }
        }
        return changes
    }
}

/// A watched folder; while it does not exist, the nearest folder above it is watched instead.
private struct WatchedFolder {
    let path: String
    /// The kinds of change to watch for inside the folder, as bits of inotify(7).
    let changes: Int32
    private(set) var exists = false
    /// The number by which the kernel reports changes.
    private(set) var watch: Int32?

    init(path: String, changes: Int32) {
        self.path = path
        self.changes = changes
    }

    private static let own = IN_DELETE_SELF | IN_MOVE_SELF

    /// Starts to watch the folder or, if it is missing, the nearest one above it.
    mutating func watch(with descriptor: Int32) {
        var folder = path
        repeat {
            exists = add(path, changes, descriptor)
            if exists { return }
            folder = Self.parent(of: folder)
            // If the folder appeared between the two calls, the next turn finds it.
        } while !add(folder, IN_CREATE | IN_MOVED_TO, descriptor) && folder != "/" && folder != "."
        exists = add(path, changes, descriptor)
    }

    /// Whether a change means that the folder appeared, vanished or was replaced.
    ///
    /// If so, the watch follows it.
    mutating func follow(_ entry: InotifyEntry, with descriptor: Int32) -> Bool {
        let isGone = entry.has(Self.own | IN_IGNORED | IN_UNMOUNT)
        guard isGone || !exists else { return false }
        // A folder that was moved away would still be watched under its new name.
        if exists, entry.has(IN_MOVE_SELF) { inotify_rm_watch(descriptor, entry.watch) }
        let existed = exists
        watch(with: descriptor)
        return existed || exists
    }

    private mutating func add(_ folder: String, _ mask: Int32, _ descriptor: Int32) -> Bool {
        let bits = UInt32(bitPattern: mask | Self.own | IN_ONLYDIR)
        let added = inotify_add_watch(descriptor, folder, bits)
        guard added >= 0 else { return false }
        watch = added
        return true
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// One change as inotify reports it.
private struct InotifyEntry {
    var watch: Int32
    var mask: Int32
    var name: String

    func has(_ bits: Int32) -> Bool { mask & bits != 0 }

    static func all(in bytes: ArraySlice<UInt8>) -> [InotifyEntry] {
        var entries: [InotifyEntry] = []
        bytes.withUnsafeBytes { bytes in
            let header = MemoryLayout<inotify_event>.size
            var offset = 0
            while offset + header <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = min(offset + header + Int(event.len), bytes.count)
                let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
                entries.append(
                    InotifyEntry(
                        watch: event.wd, mask: Int32(bitPattern: event.mask),
                        name: String(decoding: name, as: UTF8.self)))
                offset = end
            }
        }
        return entries
    }
}
