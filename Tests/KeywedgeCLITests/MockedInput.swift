import Foundation
import TestFolders

/// Input devices simulated by umockdev.
struct MockedInput {
    /// A simulated device: its identity and its keys.
    struct Device {
        var number: Int
        var name: String
        var vendor: UInt16
        var product: UInt16
        var phys = ""
        var uniq = ""
        var keys: [Int] = Array(1...127)

        static let scanner = Device(
            number: 2, name: "Voyager\u{1B}[2J", vendor: 0x0C2E, product: 0x0B61,
            phys: "usb-1/input0", uniq: "17031B2345")
        static let mouse = Device(
            number: 3, name: "Barcode Scanner", vendor: 0x046D, product: 0xC077,
            phys: "usb-2/input0", keys: [0x110, 0x111])
        static let keyboard = Device(
            number: 10, name: "Plain Keyboard", vendor: 0x1A86, product: 0x5456,
            phys: "usb-3/input0")
    }

    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run")

    private let folder: TemporaryFolder
    private let arguments: String

    /// Makes devices, the first of which sends `events`, which are in evemu's format.
    init(_ devices: [Device], typing events: String = "") throws {
        folder = try TemporaryFolder()
        var arguments: [String] = []
        for device in devices {
            let node = "/dev/input/event\(device.number)"
            let description = try folder.write(device.description, to: "\(device.number).umockdev")
            let ioctls = try folder.write(device.ioctls, to: "\(device.number).ioctl")
            arguments += ["-d", description, "-i", "\(node)=\(ioctls)"]
        }
        if let first = devices.first {
            let events = try folder.write(events, to: "events")
            arguments += ["-e", "/dev/input/event\(first.number)=\(events)"]
        }
        self.arguments = arguments.joined(separator: " ")
    }

    /// Runs a shell script in which `$KEYWEDGE` sees only these devices.
    func run(_ script: String) throws -> CommandRun {
        let path = try folder.write(script, to: "script")
        return try CommandRun.shell("timeout 600 umockdev-run \(arguments) -- bash \(path)")
    }

    /// Returns events in evemu's format for keys that are pressed and released, with `milliseconds` between events.
    static func taps(_ keys: [Int], every milliseconds: Int = 2) -> String {
        var lines: [String] = []
        for (index, key) in keys.flatMap({ [$0, -$0] }).enumerated() {
            let time = 100 + index * milliseconds
            let stamp = String(format: "%d.%03d000", time / 1_000, time % 1_000)
            lines.append(
                "E: \(stamp) 0001 \(String(format: "%04x", abs(key))) \(key > 0 ? 1 : 0)")
            lines.append("E: \(stamp) 0000 0000 0")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension MockedInput.Device {
    /// The device in umockdev's format.
    fileprivate var description: String {
        """
        P: /devices/virtual/input/input\(number)/event\(number)
        N: input/event\(number)
        E: DEVNAME=/dev/input/event\(number)
        E: MAJOR=13
        E: MINOR=\(64 + number)
        E: SUBSYSTEM=input
        A: dev=13:\(64 + number)\\n


        """
    }

    /// The answers to ioctls (`linux/input.h`) on this device, with the sizes that libevdev requests.
    fileprivate var ioctls: String {
        let identity = [3, vendor, product, 0x111].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let bits = keys.reduce(into: [UInt8](repeating: 0, count: 96)) { bits, key in
            bits[key / 8] |= 1 << (key % 8)
        }
        let lines =
            [
                "@DEV /dev/input/event\(number)", "EVIOCGVERSION 0 01000100",
                "EVIOCGID 0 \(hex(identity, 8))",
            ]
            + [("NAME", name), ("PHYS", phys), ("UNIQ", uniq)].map { call, text in
                "EVIOCG\(call)(0) \(text.utf8.count + 1) \(hex(Array(text.utf8), 255))"
            }
            + [
                "EVIOCGPROP(0) 8 \(hex([], 8))", "EVIOCGBIT(0) 8 \(hex([0x03], 8))",
                "EVIOCGBIT(1) 96 \(hex(bits, 96))", "EVIOCGKEY(0) 96 \(hex([], 96))",
                "EVIOCGLED(0) 8 \(hex([], 8))", "EVIOCGSW(0) 8 \(hex([], 8))",
                "EVIOCGBIT(21) 16 \(hex([], 16))",
            ] + [2, 3, 4, 5, 17, 18].map { "EVIOCGBIT(\($0)) 8 \(hex([], 8))" }
        return lines.joined(separator: "\n") + "\n"
    }

    private func hex(_ bytes: [UInt8], _ length: Int) -> String {
        (bytes + [UInt8](repeating: 0, count: length - bytes.count))
            .map { String(format: "%02X", $0) }.joined()
    }
}
