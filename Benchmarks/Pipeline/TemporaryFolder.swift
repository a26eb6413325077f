import Foundation

/// A new folder that goes when nobody refers to it.
final class TemporaryFolder {
    /// Where it is.
    let path: String

    init() throws {
        let parent = FileManager.default.temporaryDirectory.path
        path = parent + "/keywedge-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
