import Foundation
import Keystrokes
import Testing

/// umockdev puts its own library in front of the C library's calls, which has to happen at the
/// start of a process: the tests of ``MockedDeviceTests`` run in a second one.
enum Mock {
    static let environment = ProcessInfo.processInfo.environment
    static let isInside = environment["KEYWEDGE_MOCK_REPORT"] != nil
    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run")

    /// Tells the first process that a test has come to its end.
    static func report(_ name: String = #function) throws {
        let file = try #require(environment["KEYWEDGE_MOCK_REPORT"])
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((name + "\n").utf8))
        try handle.close()
    }
}

@Suite(.enabled(if: Mock.isAvailable, "umockdev is not installed"), .enabled(if: !Mock.isInside))
struct MockTests {
    /// Two scans a second apart, as evemu writes them.
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

    @Test func devicesAreReadThroughTheRealCalls() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "keywedge-mock-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let report = folder.appending(path: "report")
        try Data().write(to: report)

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments =
            try ["-s", "KILL", "60", "umockdev-run"] + arguments(in: folder) + ["--"]
            + [CommandLine.arguments[0]]
            + ["--testing-library", "swift-testing", "--filter", "MockedDeviceTests"]
        process.environment = Mock.environment.merging(
            ["KEYWEDGE_MOCK_REPORT": report.path()]) { $1 }
        let output = folder.appending(path: "output")
        try Data().write(to: output)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()

        let words = try String(contentsOf: output, encoding: .utf8)
        #expect(process.terminationStatus == 0, "\(words)")
        let done = try String(contentsOf: report, encoding: .utf8).split(separator: "\n")
        #expect(
            done.sorted() == [
                "aRawReaderDescribesTheDevice()", "aScanIsReadAndTheOneBeforeTheGrabIsNot()",
                "theSurveySaysWhatWouldBeTaken()",
            ], "\(words)")
    }

    private func arguments(in folder: URL) throws -> [String] {
        var arguments: [String] = []
        for device in MockDevice.all {
            let description = folder.appending(path: "\(device.number).umockdev")
            let ioctls = folder.appending(path: "\(device.number).ioctl")
            try device.description.write(to: description, atomically: true, encoding: .utf8)
            try device.ioctls.write(to: ioctls, atomically: true, encoding: .utf8)
            arguments += ["-d", description.path()]
            arguments += ["-i", "/dev/input/event\(device.number)=\(ioctls.path())"]
        }
        let events = folder.appending(path: "scans.evemu")
        try Self.events.write(to: events, atomically: true, encoding: .utf8)
        return arguments + ["-e", "/dev/input/event0=\(events.path())"]
    }
}
