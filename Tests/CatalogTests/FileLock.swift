import Foundation
import Testing

/// Another process that is writing to a catalog's file.
final class FileLock: Sendable {
    private let process = Process()
    private let input = Pipe()

    /// Starts it, and waits until it has the lock.
    init(_ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(
            contentsOf: Data("BEGIN IMMEDIATE;\n.print locked\n".utf8))
        #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
    }

    /// Lets the file go.
    func release() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
