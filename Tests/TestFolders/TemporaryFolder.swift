import Foundation

/// A folder that is gone with the value.
package final class TemporaryFolder: Sendable {
    /// Where it is, without a slash at its end.
    package let path: String

    /// Makes a folder that nobody else has; `inMemory`, it needs no disk, for tests with thousands of
    /// files.
    package init(inMemory: Bool = false) throws {
        let shared = URL(filePath: "/dev/shm")
        let url = (inMemory ? shared : FileManager.default.temporaryDirectory)
            .appending(path: "keywedge-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    package func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file and gives its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Writes a file of bytes and gives its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }
}
