internal import CLibevdev
internal import Glibc
import WireText

/// Watches the folder of event nodes, its making and removal, and udev's database (inotify).
///
/// inotify rather than netlink: it works in a sandbox without network, and `IN_ATTRIB` tells when
/// udev has set the permissions of a node, which is about a second after the node appears.
final class FolderWatch {
    /// What changed.
    enum Change: Hashable {
        /// A name is there now.
        case appeared(String)
        /// A name has other permissions now.
        case changed(String)
        /// A name is gone.
        case vanished(String)
        /// The folder is gone, or another has taken its place.
        case folderGone
        /// The folder may be there now.
        case folderAppeared
        /// udev has written an entry of an input device.
        case databaseChanged
        /// So much changed that the kernel lost count.
        case overflow
    }

    /// Becomes readable when something changed.
    let descriptor: Int32
    private let places: DevicePlaces
    private let parent: String
    private let folderName: String
    private var folder: Int32?
    private var parentFolder: Int32?
    private var database: Int32?

    init(places: DevicePlaces) throws(SystemCallError) {
        self.places = places
        (parent, folderName) = Self.split(places.nodes)
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "inotify_init1", errno: errno)
        }
        database = watch(places.udevData, IN_MOVED_TO)
    }

    deinit {
        close(descriptor)
    }

    /// Starts to watch the folder or, while there is none, for its making.
    ///
    /// - Returns: Whether the folder is there.
    func arm() -> Bool {
        if armFolder() { return true }
        parentFolder = watch(parent, IN_CREATE | IN_MOVED_TO)
        // It may have been made between the two calls.
        return armFolder()
    }

    /// What has changed since the last call.
    func changes() -> [Change] {
        var changes: [Change] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return changes }
            for entry in Self.entries(buffer[..<count]) {
                if let change = change(entry) { changes.append(change) }
            }
        }
    }

    private func armFolder() -> Bool {
        folder = watch(
            places.nodes,
            IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF
                | IN_MOVE_SELF)
        guard folder != nil else { return false }
        if let parentFolder { inotify_rm_watch(descriptor, parentFolder) }
        parentFolder = nil
        return true
    }

    private func watch(_ path: String, _ mask: Int32) -> Int32? {
        let watch = inotify_add_watch(descriptor, path, UInt32(bitPattern: mask | IN_ONLYDIR))
        return watch >= 0 ? watch : nil
    }

    private static func split(_ path: String) -> (parent: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (
            slash == path.startIndex ? "/" : String(path[..<slash]),
            String(path[path.index(after: slash)...])
        )
    }
}

extension FolderWatch {
    private struct Entry {
        var watch: Int32
        var mask: Int32
        var name: String

        func has(_ bits: Int32) -> Bool { mask & bits != 0 }
    }

    private static func entries(_ bytes: ArraySlice<UInt8>) -> [Entry] {
        var entries: [Entry] = []
        bytes.withUnsafeBytes { bytes in
            let header = MemoryLayout<inotify_event>.size
            var offset = 0
            while offset + header <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = min(offset + header + Int(event.len), bytes.count)
                let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
                entries.append(
                    Entry(
                        watch: event.wd, mask: Int32(bitPattern: event.mask),
                        name: String(decoding: name, as: UTF8.self)))
                offset = end
            }
        }
        return entries
    }

    private func change(_ entry: Entry) -> Change? {
        if entry.has(IN_Q_OVERFLOW) { return .overflow }
        switch entry.watch {
        case folder: return folderChange(entry)
        case parentFolder: return entry.name == folderName ? .folderAppeared : nil
        case database: return entry.name.hasPrefix("c13:") ? .databaseChanged : nil
        default: return nil
        }
    }

    private func folderChange(_ entry: Entry) -> Change? {
        if entry.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) {
            // A folder moved away is still watched under its new name.
            if let folder, entry.has(IN_MOVE_SELF) { inotify_rm_watch(descriptor, folder) }
            folder = nil
            return .folderGone
        }
        if entry.has(IN_CREATE | IN_MOVED_TO) { return .appeared(entry.name) }
        if entry.has(IN_DELETE | IN_MOVED_FROM) { return .vanished(entry.name) }
        return entry.name.isEmpty ? nil : .changed(entry.name)
    }
}
