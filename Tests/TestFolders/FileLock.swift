import Foundation

/// Another process that is writing to a catalog's file.
package final class FileLock: Sendable {
    /// The process did not get the lock.
    package struct NotLocked: Error {}

    private let process = Process()
    private let input = Pipe()

    /// Starts it, and waits until it has the lock.
    package init(_ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(
            contentsOf: Data("BEGIN IMMEDIATE;\n.print locked\n".utf8))
        guard output.fileHandleForReading.availableData == Data("locked\n".utf8) else {
            throw NotLocked()
        }
    }

    /// Lets the file go.
    package func release() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
