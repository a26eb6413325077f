package import Keystrokes
package import WireText

/// A line-by-line reader of a recording, which does not load the whole file into memory.
///
/// ```swift
/// var reader = try RecordingReader(path: "shop.evemu")
/// while let item = try reader.next() {
///     if case .event(let event) = item { assembler.feed(event) }
/// }
/// ```
///
/// The reader owns the open file and reads it only once, so it cannot be copied.
package struct RecordingReader: ~Copyable {
    package let format: RecordingFormat
    private var lines: LineReader
    private var parser: any LineParser
    private var items = Items()
    /// Whether the file has ended or an error has occurred.
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

    package var name: String { lines.name }

    /// Returns the next item, or nil at the end; throws for a bad line or a failed read.
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

/// A part of a recording: a device, or data that it sent.
package enum RecordingItem: Hashable, Sendable {
    /// The following events come from this device.
    ///
    /// A file that does not describe its device yields no such item. A file with several sections yields one before
    /// each section. If the format's ``RecordingFormat/takesTurns`` is true, a device may recur while others are in the
    /// middle of a scan.
    case device(DeviceIdentity)
    /// A raw input event; its recorded time counts from an arbitrary start and may run backwards.
    case event(KeyEvent)
    /// The following reports come from this HID device.
    case hid(DeviceIdentity, descriptor: [UInt8])
    /// A report and its recorded time in microseconds; the report starts with its number if it has one.
    case report([UInt8], at: Int64)
    /// The following bytes come from this serial scanner; nil if the recording names none.
    case port(DeviceIdentity?)
    case byte(UInt8, at: Int64)
}

/// Why a recording cannot be read to its end; ``description`` escapes the file names.
package enum RecordingError: Error, Hashable, Sendable {
    case systemCall(SystemCallError)
    /// The file contains only blank lines.
    case empty(name: String)
    /// The file contains only comments, and perhaps blank lines.
    case commentsAlone(name: String)
    /// The file is not text: it contains a NUL byte at this 0-based offset.
    case binary(name: String, offset: Int)
    /// The text file has an unknown format; `line` is the number of its first meaningful line.
    case unrecognised(name: String, line: Int, found: Phrase)
    /// A line is wrong; all items before it have been returned.
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
