package import Keystrokes
package import WireText

/// Reads a recording from start to end; its memory does not grow with the file.
///
/// ```swift
/// var reader = try RecordingReader(path: "shop.evemu")
/// while let item = try reader.next() {
///     if case .event(let event) = item { assembler.feed(event) }
/// }
/// ```
///
/// It owns the open file and reads it once, so it cannot be copied.
package struct RecordingReader: ~Copyable {
    package let format: RecordingFormat

    private var lines: LineReader
    private var parser: any LineParser
    private var items = Items()
    /// Whether the file has ended, or an error has ended the reading.
    private var hasEnded = false

    /// Opens a file, pipe or device, and recognises its format; `-` is standard input.
    package init(path: String) throws(RecordingError) {
        try self.init(ByteSource(path: path))
    }

    package init(bytes: [UInt8], name: String) throws(RecordingError) {
        try self.init(ByteSource(bytes: bytes, name: name))
    }

    private init(_ source: consuming ByteSource) throws(RecordingError) {
        lines = LineReader(source)
        format = try lines.recogniseFormat()
        parser = format.parser.init()
    }

    /// The path, or the name that was given instead.
    package var name: String { lines.name }

    /// The next device or event; nil at the end, and after an error.
    ///
    /// Returns all items before a bad line, and then throws its error.
    package mutating func next() throws(RecordingError) -> RecordingItem? {
        while true {
            if let item = items.removeFirst() { return item }
            if hasEnded { return nil }
            hasEnded = true
            guard let line = try lines.next() else {
                parser.finish(into: &items)
                continue
            }
            do {
                try parser.read(line, into: &items)
            } catch {
                throw lines.error(error, in: line)
            }
            hasEnded = false
        }
    }
}

/// A part of a recording, in the order of the file.
package enum RecordingItem: Hashable, Sendable {
    /// The events that follow come from this device.
    ///
    /// A file that does not describe its device has no such item. A file with several sections has
    /// one before each section. If the format ``RecordingFormat/takesTurns``, a device may return while
    /// others are in the middle of a scan.
    case device(DeviceIdentity)
    /// A raw input event with its recorded time, which counts from an arbitrary start and may go back.
    case event(KeyEvent)
    /// The reports that follow come from this HID device, which has this report descriptor.
    case hid(DeviceIdentity, descriptor: [UInt8])
    /// A report, starting with its number if the device numbers its reports.
    case report([UInt8], at: Int64)
    /// The bytes that follow come from a serial port; nil if the recording does not name its device.
    case port(DeviceIdentity?)
    case byte(UInt8, at: Int64)
}

/// The reason why a recording cannot be read any further.
///
/// Its strings are raw; ``description`` quotes and escapes them.
package enum RecordingError: Error, Hashable, Sendable {
    case systemCall(SystemCallError)
    /// The file contains only blank lines.
    case empty(name: String)
    /// The file contains only comments, and perhaps blank lines.
    case commentsAlone(name: String)
    /// The file is not text: it has a NUL byte at this 0-based offset.
    case binary(name: String, offset: Int)
    /// The file is text in an unknown format; `line` is the first that is neither blank nor a comment.
    case unrecognised(name: String, line: Int, found: Phrase)
    /// A line is wrong; everything before it has been returned.
    case badLine(name: String, line: Int, expected: String, found: Phrase)
}

extension RecordingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .systemCall(let error): error.description
        case .empty(let name): Self.place(name) + "empty: expected a recording: \(Self.formats)"
        case .commentsAlone(let name):
            Self.place(name) + "nothing but comments: expected a recording: \(Self.formats)"
        case .binary(let name, let offset):
            Self.place(name) + "binary: found a NUL byte at offset \(offset), "
                + "expected a recording as text: \(Self.formats)"
        case .unrecognised(let name, let line, let found):
            Self.place(name, line) + "expected a recording: \(Self.formats); found \(found)"
        case .badLine(let name, let line, let expected, let found):
            Self.place(name, line) + "expected \(expected), found \(found)"
        }
    }

    private static func place(_ name: String, _ line: Int? = nil) -> String {
        Escaping.line.escaped(name) + (line.map { ":\($0): " } ?? ": ")
    }

    private static var formats: String {
        RecordingFormat.allCases.map { "\($0.rawValue) ('\($0.example)')" }
            .joined(separator: ", ")
    }
}
