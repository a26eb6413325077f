import Foundation

/// Runs a command, and waits until it ends.
///
/// - Parameters:
///   - command: The name of the command, which is searched for in `PATH`.
///   - arguments: The command's arguments.
/// - Returns: Standard output and standard error together, and the exit code.
/// - Throws: An error if `env` cannot be started.
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
