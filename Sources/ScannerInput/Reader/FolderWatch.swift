internal import CLibevdev
internal import Glibc
import WireText

/// A watch on the folders of device nodes and of udev's database, even before they exist.
///
/// It uses inotify instead of netlink, because inotify also works in a sandbox without network access, and because
/// `IN_ATTRIB` shows when udev sets a node's permissions, about a second after the node appears.
final class FolderWatch {
    enum Change: Hashable {
        /// The node at this path appeared or vanished, or its permissions changed.
        case node(String)
        /// Any node may have changed, for instance because inotify lost events.
        case everything
    }

    let descriptor: Int32
    /// The folders, in order, of event nodes, udev's database, other nodes and configured ports.
    private var folders: [WatchedFolder]

    init(places: DevicePlaces) throws(SystemCallError) {
        folders = [
            WatchedFolder(path: places.nodes),
            WatchedFolder(path: places.udevData, isDatabase: true),
            WatchedFolder(path: places.devices),
        ]
        descriptor = try SystemCallError.check(
            "inotify_init1", nil, inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
        watchAll()
    }

    /// Starts watching the folders that contain these ports or links to ports.
    func watch(ports: [String]) {
        for folder in ports.map(\.folder)
        where !folders.contains(where: { $0.path == folder }) {
            folders.append(WatchedFolder(path: folder))
            folders[folders.count - 1].watch(with: descriptor)
        }
    }

    private func watchAll() {
        for index in folders.indices { folders[index].watch(with: descriptor) }
    }

    deinit {
        close(descriptor)
    }

    var hasNodes: Bool { folders[0].exists }

    var hasDatabase: Bool { folders[1].exists }

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
            // One of the lost changes may be that a folder vanished.
            watchAll()
            return [.everything]
        }
        return folders.indices.compactMap { folders[$0].change(entry, with: descriptor) }
    }
}

/// A watched folder; while it does not exist, the nearest existing folder above it is watched instead.
private struct WatchedFolder {
    let path: String
    var isDatabase = false
    private(set) var exists = false
    /// The inotify watch descriptor of this folder or, if it does not exist, of a folder above it.
    private(set) var watch: Int32?

    private static let own = IN_DELETE_SELF | IN_MOVE_SELF
    private static let nodeChanges =
        IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM

    mutating func watch(with descriptor: Int32) {
        let changes = isDatabase ? IN_MOVED_TO : Self.nodeChanges
        var folder = path
        repeat {
            exists = add(path, changes, descriptor)
            if exists { return }
            folder = folder.folder
            // If the folder appeared between the two calls, the next iteration finds it.
        } while !add(folder, IN_CREATE | IN_MOVED_TO, descriptor) && folder != "/" && folder != "."
        exists = add(path, changes, descriptor)
    }

    /// Returns the change that an inotify entry means for this folder; nil if it means no change.
    mutating func change(_ entry: InotifyEntry, with descriptor: Int32) -> FolderWatch.Change? {
        guard entry.watch == watch else { return nil }
        if follow(entry, with: descriptor) { return .everything }
        guard exists, !entry.name.isEmpty else { return nil }
        guard isDatabase else { return .node(path + "/" + entry.name) }
        // Only the records of character devices matter.
        return entry.name.hasPrefix("c") ? .everything : nil
    }

    /// Renews the watch if the folder may have appeared, vanished or been replaced.
    ///
    /// - Returns: True if the watch was renewed, and the folder exists now or existed before.
    mutating func follow(_ entry: InotifyEntry, with descriptor: Int32) -> Bool {
        let isGone = entry.has(Self.own | IN_IGNORED | IN_UNMOUNT)
        guard isGone || !exists else { return false }
        // Otherwise, a folder that was moved away would still be watched under its new name.
        if exists, entry.has(IN_MOVE_SELF) { inotify_rm_watch(descriptor, entry.watch) }
        let existed = exists
        watch(with: descriptor)
        return existed || exists
    }

    private mutating func add(_ folder: String, _ mask: Int32, _ descriptor: Int32) -> Bool {
        // The folder may already be watched for another reason; `IN_MASK_ADD` combines the masks.
        let bits = UInt32(bitPattern: mask | Self.own | IN_ONLYDIR | IN_MASK_ADD)
        let added = inotify_add_watch(descriptor, folder, bits)
        guard added >= 0 else { return false }
        watch = added
        return true
    }
}

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
