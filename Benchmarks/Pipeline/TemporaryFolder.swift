import Foundation

/// A new folder, which is removed with this object.
final class TemporaryFolder {
    let path: String

    init() throws {
        let parent = FileManager.default.temporaryDirectory.path
        path = parent + "/keywedge-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
    }

    /// Writes a file, and returns its path.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
