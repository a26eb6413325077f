import Foundation
import Keystrokes
import TestFolders
import TestWaiting
import Testing

/// The connection to a second process, which runs ``MockedDeviceTests``, because umockdev replaces calls to the C
/// library only in a process that starts with it.
enum Mock {
    static let environment = ProcessInfo.processInfo.environment
    static let isInside = environment["KEYWEDGE_MOCK_REPORT"] != nil
    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run")

    /// Reports to the first process that a test has run to its end.
    static func report(_ name: String = #function) throws {
        let file = try #require(environment["KEYWEDGE_MOCK_REPORT"])
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((name + "\n").utf8))
        try handle.close()
    }
}

@Suite(
    .blocking, .enabled(if: Mock.isAvailable, "umockdev is not installed"),
    .enabled(if: !Mock.isInside))
struct MockTests {
    /// Two scans, of which the second starts 1.5 s after the first, as evemu writes them.
    private static let events: String = {
        var lines = ["E: 0.000000 0004 0004 458782"]
        for start in [0.0, 1.5] {
            for (offset, key) in [2, 3, 4, 28].enumerated() {
                for value in [1, 0] {
                    let time = start + Double(offset) * 0.02 + (value == 0 ? 0.01 : 0)
                    let text = String(format: "%.6f", time)
                    lines.append("E: \(text) 0001 \(String(format: "%04x", key)) \(value)")
                    lines.append("E: \(text) 0000 0000 0")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    @Test func devicesAreReadThroughTheRealCalls() async throws {
        let folder = try TemporaryFolder()
        let report = try folder.write("", to: "report")

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments =
            try ["-s", "KILL", "\(Duration.patience.components.seconds)", "umockdev-run"]
            + arguments(in: folder) + ["--"]
            + [CommandLine.arguments[0]]
            + ["--testing-library", "swift-testing", "--filter", "MockedDeviceTests"]
        process.environment = Mock.environment.merging(
            ["KEYWEDGE_MOCK_REPORT": report]) { $1 }
        let output = URL(filePath: try folder.write("", to: "output"))
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = process.standardOutput
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }

        let words = try String(contentsOf: output, encoding: .utf8)
        #expect(process.terminationStatus == 0, "\(words)")
        let done = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
        #expect(
            done.sorted() == [
                "aRawReaderDescribesTheDevice()", "aScanIsReadAndTheOneBeforeTheGrabIsNot()",
                "theSurveySaysWhatWouldBeTaken()",
            ], "\(words)")
    }

    private func arguments(in folder: TemporaryFolder) throws -> [String] {
        var arguments: [String] = []
        for device in MockDevice.all {
            let description = try folder.write(
                device.description, to: "\(device.number).umockdev")
            let ioctls = try folder.write(device.ioctls, to: "\(device.number).ioctl")
            arguments += ["-d", description]
            arguments += ["-i", "/dev/input/event\(device.number)=\(ioctls)"]
        }
        let events = try folder.write(Self.events, to: "scans.evemu")
        return arguments + ["-e", "/dev/input/event0=\(events)"]
    }
}
