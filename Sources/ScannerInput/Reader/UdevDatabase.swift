internal import CLibevdev
internal import Glibc
internal import WireText

/// The records of udev about devices, one small file each, in memory.
///
/// The format is that of systemd's `device_update_db` (sd-device): a line `E:NAME=VALUE` for each
/// property, in a file `c` + major + `:` + minor.
package struct UdevDatabase: Hashable, Sendable {
    /// The property by which a rule marks a scanner.
    package static let mark = "KEYWEDGE_SCANNER"

    private let folder: String

    package init(folder: String = DevicePlaces().udevData) {
        self.folder = folder
    }

    /// Whether a rule marked a device as a scanner.
    func isMarked(_ number: dev_t) -> Bool {
        let path = "\(folder)/c\(clibevdev_major(number)):\(clibevdev_minor(number))"
        return Self.hasMark(KernelFile.read(path) ?? "")
    }

    /// Whether an entry of the database holds the mark.
    static func hasMark(_ entry: String) -> Bool {
        entry.split(separator: "\n").contains { $0 == "E:\(mark)=1" }
    }
}

/// Reads the short files of the kernel and of udev.
enum KernelFile {
    static func read(_ path: String) -> String? {
        (try? SmallFile.read(path, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in a folder; nil if it cannot be read.
    static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
