import ArgumentParser
import Keystrokes
import ScannerInput

/// The options that say what a virtual scanner is like.
struct VirtualScannerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With --device: the vendor's number, as 0c2e; it is a USB device then.",
            valueName: "hex"))
    var vendor: USBNumber?

    @Option(help: ArgumentHelp("With --device: the product's number.", valueName: "hex"))
    var product: USBNumber?

    @Option(help: "With --device: the device's name.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            """
            With --device: how long the device is there before it types and after. A reader has \
            to find it, and waits for a pause before its first scan.
            """, valueName: "time"))
    var wait = DurationArgument(.seconds(2))

    func validate() throws {
        try wait.check(in: .zero ... .seconds(600), as: "--wait")
        if let name, !(1...79).contains(name.utf8.count) || name.utf8.contains(0) {
            throw ValidationError("--name: expected 1 to 79 bytes")
        }
    }

    /// Whether one was given that means nothing without a device.
    var isIdentityGiven: Bool { vendor != nil || product != nil || name != nil }

    /// Who the device says it is.
    var identity: DeviceIdentity {
        var identity = VirtualScanner.usualIdentity
        // BUS_USB: a maker's number means nothing on the virtual bus.
        if vendor != nil || product != nil { identity.bus = 0x03 }
        identity.vendor = vendor?.value ?? identity.vendor
        identity.product = product?.value ?? identity.product
        identity.name = name ?? identity.name
        return identity
    }
}

/// A number of a vendor or a product: four hexadecimal digits.
struct USBNumber: ExpressibleByArgument {
    let value: UInt16

    init?(argument: String) {
        guard argument.utf8.count == 4, argument.allSatisfy(\.isHexDigit),
            let value = UInt16(argument, radix: 16)
        else { return nil }
        self.value = value
    }
}

extension VirtualScanner {
    /// Sends events at their times.
    func type(_ events: [KeyEvent]) async throws {
        let start = ContinuousClock.now
        for event in events {
            try await ContinuousClock().sleep(
                until: start + .microseconds(event.microseconds), tolerance: nil)
            try send(event)
        }
    }
}
