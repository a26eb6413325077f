import Events
import Foundation
import Glibc
import Synchronization
import Testing
import WireText

@testable import KeywedgeDaemon

/// A pipe that replaces standard output; a test reads the written events from it.
final class OutputPipe: Sendable {
    private let pipe = Pipe()
    /// The bytes read after the last whole line.
    private let rest = Mutex<[UInt8]>([])

    init() {
        signal(SIGPIPE, SIG_IGN)
    }

    var writing: Int32 { pipe.fileHandleForWriting.fileDescriptor }
    private var reading: Int32 { pipe.fileHandleForReading.fileDescriptor }

    /// The sink with which the daemon writes to standard output.
    func output(holdsBack: Bool = false) throws -> OutputSink {
        try OutputSink(
            descriptor: writing, name: "pipe", formatter: EventFormatter(.json),
            holdsBack: holdsBack)
    }

    /// A sink that blocks its caller until the pipe has room.
    var sink: any EventSink { WaitingSink(descriptor: writing) }

    /// A publisher of events to ``sink``.
    var publisher: EventPublisher {
        EventPublisher(events: EventFactory(register: "r", identifiers: .random), sinks: [sink])
    }

    /// Waits for at least `count` events, and returns those that were read.
    func events(_ count: Int) throws -> [WrittenEvent] {
        try lines(count).map { WrittenEvent(try JSONReader.read($0)) }
    }

    /// Waits for at least `count` lines, and returns those that were read.
    func lines(_ count: Int) throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while found.count < count {
            let length = Glibc.read(reading, &chunk, chunk.count)
            try #require(length > 0)
            let bytes = rest.withLock { rest in
                defer { rest = [] }
                return rest + chunk[..<length]
            }
            var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let last = lines.popLast() ?? []
            rest.withLock { $0 = Array(last) }
            found += lines.filter { !$0.isEmpty }.map(Array.init)
        }
        return found
    }
}

private struct WaitingSink: EventSink {
    let descriptor: Int32

    func send(_ event: Event) throws {
        var writer = DescriptorWriter(descriptor: descriptor, name: "pipe")
        try writer.write(event.line + [UInt8(ascii: "\n")])
        try writer.flush()
    }
}

/// An event parsed from a written line.
struct WrittenEvent {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    subscript(_ path: String...) -> JSONValue? {
        path.reduce(value) { $0?.object?[$1] }
    }

    var type: String? { self["type"]?.string }
    var text: String? { self["data", "text"]?.string }
    var sequence: UInt64? { self["sequence"]?.string.flatMap { UInt64($0) } }
}
