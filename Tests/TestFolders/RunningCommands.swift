import Foundation

/// Runs a command to its end.
///
/// - Parameters:
///   - command: Its name, as the shell finds it.
///   - arguments: What it is given.
/// - Returns: What it wrote to both outputs, and its exit code.
/// - Throws: What keeps it from starting.
package func run(_ command: String, _ arguments: String...) throws -> (
    output: String, status: Int32
) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
}
