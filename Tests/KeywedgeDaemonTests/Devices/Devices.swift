import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import WireText

/// Devices attached by a test, as a survey finds them.
struct Devices {
    private var devices: [SurveyedDevice] = []

    static let typing = KeyCapabilities(hasDigits: true, hasEnter: true)
    static let mouse = KeyCapabilities(hasDigits: false, hasEnter: false, movesPointer: true)

    /// Returns the devices, and whether the daemon would claim each of them under a configuration.
    func surveyed(by configuration: Configuration = .standard) -> [SurveyedDevice] {
        configuration.readerConfiguration.rules.judged(devices)
    }

    mutating func attach(
        _ number: Int, _ vendor: UInt16, _ product: UInt16, name: String? = nil, bus: UInt16 = 3,
        phys: String? = nil, uniq: String? = nil, keys: KeyCapabilities = typing,
        holders: [NodeHolder] = []
    ) {
        let node = "/dev/input/event\(number)"
        let identity = DeviceIdentity(
            name: name, bus: bus, vendor: vendor, product: product, phys: phys, uniq: uniq)
        devices.append(
            SurveyedDevice(
                node: node,
                facts: .success(
                    DeviceFacts(node: node, identity: identity, interface: .keyboard(keys))),
                holders: holders))
    }

    /// Attaches a device that this user has no permission to open.
    mutating func attachForbidden(_ number: Int) {
        let node = "/dev/input/event\(number)"
        devices.append(
            SurveyedDevice(
                node: node,
                facts: .failure(SystemCallError(operation: "open", path: node, errno: 13))))
    }
}

extension Configuration {
    static func scanners(_ scanners: [(name: String, match: DeviceMatch)]) -> Configuration {
        var configuration = Configuration.standard
        configuration.scanners = scanners.map { name, match in
            ScannerConfiguration(name: name, match: match)
        }
        return configuration
    }
}
