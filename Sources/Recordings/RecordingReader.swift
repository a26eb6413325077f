package import Keystrokes

/// Reads a recording from start to end, in memory that does not grow with the file.
///
/// ```swift
/// var reader = try RecordingReader(path: "shop.evemu")
/// while let item = try reader.next() {
///     if case .event(let event) = item { assembler.feed(event) }
/// }
/// ```
///
/// It owns the open file and reads it once, hence it cannot be copied.
package struct RecordingReader: ~Copyable {
    /// The recording's format, recognised from its content.
    package let format: RecordingFormat

    private var lines: LineReader
    private var items = ItemQueue()
    private var evemu = EvemuParser()
    private var libinput = LibinputParser()
    private var evtest = EvtestParser()
    private var pythonEvdev = PythonEvdevParser()
    private var getevent = GeteventParser()
    private var keys: KeysParser

    /// Opens the file at `path` and recognises its format.
    ///
    /// - Parameters:
    ///   - path: The file; also a pipe or a device.
    ///   - typist: Finds the keys for a `type` line of the `.keys` format; nil for the US layout.
    /// - Throws: ``RecordingError``: a system call's, or that the file is no recording.
    package init(path: String, typist: Typist? = nil) throws(RecordingError) {
        try self.init(ByteSource(path: path), typist: typist)
    }

    /// Reads from an open file descriptor, for instance standard input, and recognises the format.
    ///
    /// - Parameters:
    ///   - fileDescriptor: Open for reading; it stays the caller's to close.
    ///   - name: What messages call it.
    ///   - typist: Finds the keys for a `type` line of the `.keys` format; nil for the US layout.
    /// - Throws: ``RecordingError``: a system call's, or that the content is no recording.
    package init(
        fileDescriptor: Int32, name: String, typist: Typist? = nil
    ) throws(RecordingError) {
        try self.init(ByteSource(fileDescriptor: fileDescriptor, name: name), typist: typist)
    }

    /// Reads a recording that is already in memory, and recognises its format.
    ///
    /// - Parameters:
    ///   - bytes: The recording.
    ///   - name: What messages call it.
    ///   - typist: Finds the keys for a `type` line of the `.keys` format; nil for the US layout.
    /// - Throws: ``RecordingError`` where the content is no recording.
    package init(
        bytes: [UInt8], name: String, typist: Typist? = nil
    ) throws(RecordingError) {
        try self.init(ByteSource(bytes: bytes, name: name), typist: typist)
    }

    private init(_ source: consuming ByteSource, typist: Typist?) throws(RecordingError) {
        lines = LineReader(source)
        format = try lines.recogniseFormat()
        keys = KeysParser(typist: typist)
    }

    /// What messages call the recording: its path, unless it was given another name.
    package var name: String { lines.name }

    /// The 1-based number of the line read last.
    package var line: Int { lines.number }

    /// The next device or event.
    ///
    /// - Returns: The next item; nil at the end, and after an error.
    /// - Throws: ``RecordingError``; everything ahead of the bad line has then been returned.
    package mutating func next() throws(RecordingError) -> RecordingItem? {
        switch format {
        case .evemu: try Self.next(&evemu, &lines, &items)
        case .libinput: try Self.next(&libinput, &lines, &items)
        case .evtest: try Self.next(&evtest, &lines, &items)
        case .pythonEvdev: try Self.next(&pythonEvdev, &lines, &items)
        case .getevent: try Self.next(&getevent, &lines, &items)
        case .keys: try Self.next(&keys, &lines, &items)
        }
    }

    @inline(__always)
    private static func next(
        _ parser: inout some LineParser, _ lines: inout LineReader, _ items: inout ItemQueue
    ) throws(RecordingError) -> RecordingItem? {
        while true {
            if let item = items.pop() { return item }
            parser.resume(into: &items)
            if let item = items.pop() { return item }
            guard let line = try lines.next() else {
                if !lines.hasFailed { parser.finish(into: &items) }
                return items.pop()
            }
            do {
                try parser.read(line, into: &items)
            } catch {
                throw lines.fail(error, in: line)
            }
        }
    }
}

/// What a recording consists of, in the order of the file.
package enum RecordingItem: Hashable, Sendable {
    /// The events that follow come from this device.
    ///
    /// A file that says nothing of its device has no such item; one with several sections has one
    /// before each section. Where ``RecordingFormat/takesTurns`` a device may come back, at the same
    /// time as others.
    case device(DeviceIdentity)
    /// One raw input event.
    ///
    /// Times are as recorded: they count from anywhere, and may go backwards.
    case event(KeyEvent)
}
