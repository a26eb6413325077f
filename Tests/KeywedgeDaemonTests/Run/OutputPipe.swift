import Events
import Foundation
import Glibc
import Synchronization
import Testing
import WireText

@testable import KeywedgeDaemon

/// A pipe in place of standard output, and the events that are read from it.
final class OutputPipe: Sendable {
    private let pipe = Pipe()
    /// The bytes after the last line.
    private let rest = Mutex<[UInt8]>([])

    init() {
        signal(SIGPIPE, SIG_IGN)
    }

    var writing: Int32 { pipe.fileHandleForWriting.fileDescriptor }
    private var reading: Int32 { pipe.fileHandleForReading.fileDescriptor }

    /// Standard output as the daemon has it.
    func output(holdsBack: Bool = false) throws -> OutputSink {
        try OutputSink(
            writer: DescriptorWriter(descriptor: writing, name: "pipe"),
            formatter: EventFormatter(.json), holdsBack: holdsBack)
    }

    /// A sink whose senders wait for the reader.
    var sink: any EventSink { WaitingSink(descriptor: writing) }

    /// A publisher that writes into it.
    var publisher: EventPublisher {
        EventPublisher(events: EventFactory(register: "r", identifiers: .random), sinks: [sink])
    }

    /// Reads events, waiting for them.
    func events(_ count: Int) throws -> [WrittenEvent] {
        try lines(count).map { WrittenEvent(try JSONReader.read($0)) }
    }

    /// Reads lines, waiting for them.
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

/// An event as it was written.
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
