import Foundation
import Keystrokes
import Recordings

/// The path of the package's folder, with a slash at the end.
let packageFolder =
    #filePath.split(separator: "/").dropLast(3)
    .reduce(into: "") { $0 += "/" + $1 } + "/"

/// The result of reading a recording to its end: the items, and the error at which reading stopped, if any.
struct Reading: Equatable {
    var format: RecordingFormat?
    var items: [RecordingItem] = []
    var error: RecordingError?

    init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    init(bytes: [UInt8]) {
        do {
            var reader = try RecordingReader(bytes: bytes, name: "shop")
            format = reader.format
            while let item = try reader.next() { items.append(item) }
        } catch {
            self.error = error
        }
    }

    init(path: String) {
        do {
            var reader = try RecordingReader(path: path)
            format = reader.format
            while let item = try reader.next() { items.append(item) }
        } catch {
            self.error = error
        }
    }

    /// Returns the text of a file whose path is relative to the package's folder.
    static func text(of path: String) throws -> String {
        try String(decoding: Data(contentsOf: URL(filePath: packageFolder + path)), as: UTF8.self)
    }

    var message: String? { error?.description }

    /// The events without the devices.
    var events: [KeyEvent] {
        items.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    /// The devices without the events.
    var devices: [DeviceIdentity] {
        items.compactMap { if case .device(let device) = $0 { device } else { nil } }
    }

    /// The events as short lines: `1000 down KEY_A`.
    var story: [String] {
        events.map { event in
            switch (event.type, event.code) {
            case (1, let code):
                let verb = ["up", "down", "repeat"][Int(event.value)]
                return "\(event.microseconds) \(verb) \(KeyCode(rawValue: code))"
            case (0, 0): return "\(event.microseconds) report"
            case (0, 3): return "\(event.microseconds) dropped"
            default: return "\(event.microseconds) \(event.type) \(event.code) \(event.value)"
            }
        }
    }
}

extension KeyEvent {
    /// Makes an event from its fields, in the same order as in recordings.
    init(_ microseconds: Int64, _ type: UInt16, _ code: UInt16, _ value: Int32) {
        self.init(type: type, code: code, value: value, microseconds: microseconds)
    }
}
