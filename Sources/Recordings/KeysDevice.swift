internal import Keystrokes
internal import WireText

/// The `device` line of the `.keys` format.
enum KeysDevice {
    private static let expected =
        "name=\"…\", phys=\"…\", uniq=\"…\", bus=HEX, vendor=HEX, product=HEX or version=HEX"

    /// Reads what follows the word `device`.
    ///
    /// - Parameter scanner: Stands behind the word.
    /// - Returns: The device; what is not said of it stays unknown.
    /// - Throws: A fault for an unknown or repeated label, and for a value that is none.
    static func read(_ scanner: inout KeysScanner) throws(LineFault) -> DeviceIdentity {
        var device = DeviceIdentity()
        var seen: Set<String> = []
        repeat {
            guard let label = scanner.label() else { throw fault(scanner) }
            guard seen.insert(label).inserted else {
                throw LineFault(expected: "\(label)= once", found: "it twice")
            }
            try set(label, of: &device, &scanner)
        } while !scanner.isAtEnd
        return device
    }

    private static func set(
        _ label: String, of device: inout DeviceIdentity, _ scanner: inout KeysScanner
    ) throws(LineFault) {
        switch label {
        case "name": device.name = try scanner.quoted()
        case "phys": device.phys = try scanner.quoted()
        case "uniq": device.uniq = try scanner.quoted()
        case "bus": device.bus = try number(&scanner)
        case "vendor": device.vendor = try number(&scanner)
        case "product": device.product = try number(&scanner)
        case "version": device.version = try number(&scanner)
        default: throw LineFault(expected: expected, found: "\(quoted: (label + "="))")
        }
    }

    private static func number(_ scanner: inout KeysScanner) throws(LineFault) -> UInt16 {
        let word = scanner.word() ?? ""
        guard word.utf8.count <= 4, word.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit),
            let number = UInt16(word, radix: 16)
        else {
            throw LineFault(
                expected: "one to four hexadecimal digits", found: "\(quoted: word)")
        }
        return number
    }

    private static func fault(_ scanner: KeysScanner) -> LineFault {
        let rest = scanner.remainder
        return LineFault(
            expected: expected, found: rest.isEmpty ? "the end of the line" : "\(quoted: rest)")
    }
}
