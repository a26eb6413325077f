import ArgumentParser
import Barcodes
import Events
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import ScannerInput
import WireText

struct TypeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type",
        abstract: "Type a text as a scanner would: into a recording, or through a virtual scanner.",
        discussion: """
            replay reads the recording back as the same text. With --device a scanner exists in \
            the kernel while it types; keywedge run claims it if its numbers or its name match a \
            configured scanner, and otherwise every program that reads keyboards gets the keys. If \
            replay would not read the text back unchanged, type says so and exits with 3.
            """,
        examples: "keywedge type 4006381333931 -o scan.evemu && keywedge replay scan.evemu",
        "sudo keywedge type 4006381333931 --device --vendor 0c2e --product 0b61")

    @Argument(help: "The text; write a control character with a backslash, such as \\x1d.")
    var text: String

    @Option(
        name: [.short, .long], help: "The recording to write; - is standard output.",
        completion: .file())
    var output: String?

    @Flag(help: "Type through a virtual scanner, which needs /dev/uinput or /dev/uhid.")
    var device = false

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var layoutOption: LayoutOption

    @Option(help: "The kind of scanner: keyboard, hid-pos or serial.")
    var interface = ScannerInterface.Kind.keyboard

    @Option(help: "The configured scanner to type as.")
    var scanner: String?

    @Option(
        help: ArgumentHelp(
            "The time between two changes of a key; by default 2ms.", valueName: "time"),
        transform: durations(.zero ... .seconds(60)))
    var pace = Duration.milliseconds(2)

    private static let usbNumber = parser(expecting: "four hexadecimal digits, such as 0c2e") {
        $0.utf8.count == 4 && $0.allSatisfy(\.isHexDigit) ? UInt16($0, radix: 16) : nil
    }

    @Option(
        help: ArgumentHelp(
            "With --device: the vendor's number, such as 0c2e; this makes it a USB device.",
            valueName: "hex"), transform: usbNumber)
    var vendor: UInt16?

    @Option(
        help: ArgumentHelp("With --device: the product's number.", valueName: "hex"),
        transform: usbNumber)
    var product: UInt16?

    @Option(help: "With --device: the device's name.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "With --device: how long the device exists before and after it types; by default 2s.",
            valueName: "time"), transform: durations(.zero ... .seconds(600)))
    var wait = Duration.seconds(2)

    func validate() throws {
        try require((output != nil) != device, "expected either --output or --device")
        try require(
            !formatOption.isJSON || output != "-",
            "--format json: expected --output FILE or --device beside it")
        try require(
            device || vendor == nil && product == nil && name == nil,
            "--vendor, --product and --name belong to --device")
        try require((1...79).contains((name ?? "x").utf8.count), "--name: expected 1 to 79 bytes")
    }

    func run() async throws {
        let configuration = try layoutOption.applied(to: try configurationOption.load())
        let scanners = try ReplayScanners(configuration: configuration, name: scanner)
        let settings = scanners.settings
        let text = try unescaped(self.text)
        let sending = try SentCode(text, interface, settings: settings, pace: pace)
        if let output {
            let recording = sending.recording(of: scanners.identity)
            try OutputFile.replace(output) { try $0.write(recording) }
        } else {
            try await send(sending)
        }
        let isReadBack = sending.isReadBack(as: text, with: settings)
        try formatOption.report(
            [
                "text": .string(text), "output": output.map(JSONValue.string) ?? .null,
                "interface": .string(interface.rawValue), "read_back": .bool(isReadBack),
            ], nil, configurationOption.quiet)
        guard !isReadBack else { return }
        StandardError.write("with these settings replay does not read this text back")
        throw ExitCode(Ending.Code.rejected)
    }

    private func send(_ code: SentCode) async throws {
        let (node, send) = try code.plugIn(identity)
        configurationOption.quiet.say("the virtual scanner is \(node ?? "there")")
        defer { withExtendedLifetime(send) {} }
        try await Task.sleep(for: wait)
        let start = ContinuousClock.now
        for event in code.events {
            try await ContinuousClock().sleep(
                until: start + .microseconds(event.microseconds), tolerance: nil)
            try send(event)
        }
        // Keys that no reader has read yet disappear with the device.
        try await Task.sleep(for: wait)
    }

    private var identity: DeviceIdentity {
        var identity = VirtualScanner.usualIdentity
        // Set BUS_USB, because vendor numbers have no meaning on the virtual bus.
        if vendor != nil || product != nil { identity.bus = 0x03 }
        identity.vendor = vendor ?? identity.vendor
        identity.product = product ?? identity.product
        identity.name = name ?? identity.name
        return identity
    }
}

extension ScannerInterface.Kind: ExpressibleByArgument {}

/// The input events that a scanner sends for a code: keys, HID reports or bytes.
struct SentCode {
    private let interface: ScannerInterface
    let events: [DeviceEvent]

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
            let (aim, rest) = AIMIdentifier.split(text)
            let data = try settings.forWholeCodes.bytes(for: rest)
            events = VirtualHIDScanner.reports(for: data, aim: aim?.description).enumerated().map {
                .report($1, at: Int64($0) * pace.wholeMicroseconds)
            }
        case .serial:
            interface = .serial
            events = try settings.forBytes.bytes(for: text).enumerated().map {
                .byte($1, at: Int64($0) * pace.wholeMicroseconds)
            }
        }
    }

    /// Whether keywedge, with these settings, reads exactly `text` from ``events``.
    func isReadBack(as text: String, with settings: ScanSettings) -> Bool {
        var input = InterfaceAssembler(interface, settings: settings)
        var outcomes: [ScanAssembler.Outcome] = []
        for event in events { input.feed(event) { outcomes.append($0) } }
        outcomes.append(input.scans.finish())
        let all = outcomes.filter { $0 != .nothing }
        guard case .scan(let scan)? = all.first, all.count == 1 else { return false }
        return (scan.aim ?? "") + scan.text == text
    }

    func recording(of device: DeviceIdentity) -> [UInt8] {
        var writer = RecordingWriter(interface, device, keyboard: EvemuWriter(device: device))
        var bytes: [UInt8] = []
        writer.appendHeader(to: &bytes)
        for event in events { writer.append([event], to: &bytes) }
        return bytes
    }

    /// Plugs in a virtual scanner that can send the code; it is unplugged when the closure `send` is released.
    ///
    /// `node` is the path of the device node; it is nil for HID POS, or if the kernel does not report it.
    func plugIn(
        _ identity: DeviceIdentity
    ) throws -> (node: String?, send: (DeviceEvent) throws -> Void) {
        switch interface {
        case .keyboard:
            var keys = Set(KeyCode.ofAKeyboard)
            for case .key(let event) in events where event.type == InputEventType.key {
                keys.insert(KeyCode(rawValue: event.code))
            }
            let scanner = try VirtualScanner(identity: identity, keys: keys)
            return (scanner.node, { if case .key(let event) = $0 { try scanner.send(event) } })
        case .hidPOS:
            let scanner = try VirtualHIDScanner(identity: identity)
            return (nil, { if case .report(let bytes, _) = $0 { try scanner.send(report: bytes) } })
        case .serial:
            let port = try VirtualPort()
            return (port.path, { if case .byte(let byte, _) = $0 { try port.send([byte]) } })
        }
    }
}
