import Keystrokes
import Recordings
import ScannerInput

/// The keys, bytes or reports that a scanner sends for a text.
struct SentCode {
    private let interface: ScannerInterface
    let events: [DeviceEvent]

    /// Throws `TypingError` if the scanner cannot send the text.
    init(
        _ text: String, _ kind: ScannerInterface.Kind, settings: ScanSettings, pace: Duration
    ) throws(TypingError) {
        switch kind {
        case .keyboard:
            interface = .keyboard(KeyCapabilities(hasDigits: true, hasEnter: true))
            events = try ScanTypist(settings: settings).events(typing: text, pace: pace)
                .map(DeviceEvent.key)
        case .hidPOS:
            interface = .hidPOS(
                HIDPOSLayout(descriptor: VirtualHIDScanner.reportDescriptor) ?? .empty)
            let (aim, rest) = Self.split(text)
            let data = try settings.forWholeCodes.bytes(for: rest)
            events = VirtualHIDScanner.reports(for: data, aim: aim).enumerated().map {
                .report($1, at: Int64($0) * pace.wholeMicroseconds)
            }
        case .serial:
            interface = .serial
            events = try settings.forBytes.bytes(for: text).enumerated().map {
                .byte($1, at: Int64($0) * pace.wholeMicroseconds)
            }
        }
    }

    /// Splits a text into its AIM identifier, if any, and the rest.
    private static func split(_ text: String) -> (aim: String?, rest: String) {
        guard let aim = HIDPOSLayout.aimIdentifier(Array(text.utf8)), text.utf8.count > 3 else {
            return (nil, text)
        }
        return (aim, String(decoding: text.utf8.dropFirst(3), as: UTF8.self))
    }

    /// Whether keywedge decodes the sent keys, bytes or reports to the same text.
    func isReadBack(as text: String, with settings: ScanSettings) -> Bool {
        var input = InterfaceAssembler(interface, settings: settings)
        var outcomes: [ScanAssembler.Outcome] = []
        for event in events { input.feed(event) { outcomes.append($0) } }
        outcomes.append(input.scans.finish())
        let all = outcomes.filter { $0 != .nothing }
        guard case .scan(let scan)? = all.first, all.count == 1 else { return false }
        return (scan.aim ?? "") + scan.text == text
    }

    /// A recording of the scan.
    func recording(of device: DeviceIdentity) -> [UInt8] {
        var writer = RecordingWriter(interface, device, keyboard: EvemuWriter(device: device))
        var bytes: [UInt8] = []
        writer.appendHeader(to: &bytes)
        for event in events { writer.append([event], to: &bytes) }
        return bytes
    }

    /// Plugs in a virtual scanner that can send the code.
    func scanner(_ identity: DeviceIdentity) throws -> SendingScanner {
        switch interface {
        case .keyboard:
            var keys = Set(KeyCode.ofAKeyboard)
            for case .key(let event) in events where event.type == InputEventType.key {
                keys.insert(KeyCode(rawValue: event.code))
            }
            return .keyboard(try VirtualScanner(identity: identity, keys: keys))
        case .hidPOS: return .hid(try VirtualHIDScanner(identity: identity))
        case .serial: return .port(try VirtualPort())
        }
    }
}

/// A virtual scanner of one of the interfaces.
enum SendingScanner {
    case keyboard(VirtualScanner)
    case hid(VirtualHIDScanner)
    case port(VirtualPort)

    /// The scanner's node; nil if the kernel does not report it.
    var node: String? {
        switch self {
        case .keyboard(let scanner): scanner.node
        case .hid: nil
        case .port(let port): port.path
        }
    }

    func send(_ event: DeviceEvent) throws {
        switch (self, event) {
        case (.keyboard(let scanner), .key(let event)): try scanner.send(event)
        case (.hid(let scanner), .report(let report, _)): try scanner.send(report: report)
        case (.port(let port), .byte(let byte, _)): try port.send([byte])
        default: break
        }
    }
}
