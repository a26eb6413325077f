import Foundation

/// Another process that holds a lock on an SQLite file.
package final class FileLock: Sendable {
    /// The process did not get the lock.
    package struct NotLocked: Error {}

    private let process = Process()
    private let input = Pipe()

    /// Starts the process, and waits until it holds the lock that the SQL statements acquire.
    package init(_ path: String, _ sql: String = "BEGIN IMMEDIATE;") throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(
            contentsOf: Data("\(sql)\n.print locked\n".utf8))
        var text = ""
        while !text.contains("locked\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw NotLocked() }
            text += String(decoding: data, as: UTF8.self)
        }
    }

    /// Ends the process, which releases the lock.
    package func release() {
        // A process that was started meanwhile may keep the pipe open, so closing it is not enough.
        try? input.fileHandleForWriting.write(contentsOf: Data(".exit\n".utf8))
        process.waitUntilExit()
    }
}
