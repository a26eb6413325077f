import Foundation

/// A folder that is removed when this value is destroyed.
package final class TemporaryFolder: Sendable {
    /// The folder's path, without a slash at the end.
    package let path: String

    /// Makes a new folder; with `inMemory` it is not on a disk, for tests with thousands of files.
    package init(inMemory: Bool = false) throws {
        let shared = URL(filePath: "/dev/shm")
        let url = (inMemory ? shared : FileManager.default.temporaryDirectory)
            .appending(path: "keywedge-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a file in the folder, whether or not it exists.
    package func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Writes a file, and returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }
}
