internal import Glibc
internal import Keystrokes
package import WireText

/// An input device as `keywedge devices` lists it.
package struct SurveyedDevice: Hashable, Sendable {
    package var node: String
    package var facts: Result<DeviceFacts, SystemCallError>
    /// Whether the daemon would claim the device; nil if it could not be opened.
    package var verdict: SelectionVerdict?
    /// The verdict on a device that could not be opened, if sysfs describes the device.
    package var closedVerdict: SelectionVerdict?
    /// The scanner that the device would belong to; nil unless ``verdict`` is `taken`.
    package var scanner: AttachedScanner?
    /// The other processes that have the device open, including the one that claimed it, if any.
    package var holders: [NodeHolder]

    package init(
        node: String, facts: Result<DeviceFacts, SystemCallError>,
        verdict: SelectionVerdict? = nil, scanner: AttachedScanner? = nil,
        holders: [NodeHolder] = []
    ) {
        self.node = node
        self.facts = facts
        self.verdict = verdict
        self.scanner = scanner
        self.holders = holders
    }

    /// Why the device could not be opened, if permissions were the reason; otherwise nil.
    package var forbidden: ForbiddenNode? {
        guard case .failure(let error) = facts else { return nil }
        return ForbiddenNode(error)
    }
}

/// A survey of all devices that may be scanners; it does not claim any of them.
package struct DeviceSurvey: Sendable {
    private let rules: SelectionRules
    private let places: DevicePlaces
    private let kernel = KernelDevices()

    package init(rules: SelectionRules = SelectionRules(), places: DevicePlaces = DevicePlaces()) {
        self.rules = rules
        self.places = places
    }

    /// Returns the node at a path, following links; nil if it does not exist or cannot be a scanner.
    package func node(at path: String) -> String? {
        guard let number = kernel.number(at: path) else { return nil }
        return DeviceNodes.all(in: places, for: rules).first { kernel.number(at: $0) == number }
    }

    /// Returns the attached devices that may be scanners, sorted by kind and number.
    package func devices() -> [SurveyedDevice] {
        let nodes = attachedNodes
        // Found first, because this process becomes a holder itself when it opens a node.
        let holders = NodeHolders.find(nodes)
        let devices = nodes.map { node in
            SurveyedDevice(node: node, facts: facts(of: node), holders: holders[node] ?? [])
        }
        return rules.judged(devices).map { device in
            var device = device
            device.closedVerdict = closedVerdict(on: device)
            return device
        }
    }

    private func closedVerdict(on device: SurveyedDevice) -> SelectionVerdict? {
        guard case .failure = device.facts, let number = kernel.number(at: device.node),
            let described = described(device.node, number)
        else { return nil }
        return rules.verdict(on: facts(device.node, number, described))
    }

    private var attachedNodes: [String] {
        var seen: Set<dev_t> = []
        return DeviceNodes.all(in: places, for: rules).filter { path in
            guard let number = kernel.number(at: path) else { return false }
            let isKnown = DeviceNodes.kind(of: path) == .event || described(path, number) != nil
            return isKnown && seen.insert(number).inserted
        }
    }

    private func described(_ path: String, _ number: dev_t) -> DescribedDevice? {
        DescribedDevice(number: number, at: path, sysfs: places.sysfs)
    }

    /// Collects the facts about a node; opens it only if it is an event node.
    private func facts(of node: String) -> Result<DeviceFacts, SystemCallError> {
        Result { () throws(SystemCallError) in
            guard let number = kernel.number(at: node) else {
                throw SystemCallError(operation: "stat", path: node, errno: ENODEV)
            }
            guard DeviceNodes.kind(of: node) != .event, let described = described(node, number)
            else {
                let device = try kernel.open(node, as: nil)
                return facts(node, device.number, device.described)
            }
            try SystemCallError.check("open", node, access(node, R_OK))
            return facts(node, number, described)
        }
    }

    private func facts(
        _ node: String, _ number: dev_t, _ device: DescribedDevice
    ) -> DeviceFacts {
        DeviceFacts(
            of: device, number: number, at: node, rules: rules, places: places, devices: kernel)
    }
}

extension SelectionRules {
    /// Returns the devices with `verdict` and `scanner` set; leaves those that could not be opened unchanged.
    package func judged(_ devices: [SurveyedDevice]) -> [SurveyedDevice] {
        var attached: [AttachedScanner] = []
        return devices.map { device in
            var device = device
            guard case .success(let facts) = device.facts else { return device }
            let verdict = verdict(on: facts)
            device.verdict = verdict
            device.scanner = verdict.rule.map {
                AttachedScanner(
                    rule: $0,
                    DescribedDevice(identity: facts.identity, interface: facts.interface),
                    besides: attached)
            }
            if let scanner = device.scanner { attached.append(scanner) }
            return device
        }
    }
}

package struct NodeHolder: Hashable, Sendable {
    package var process: Int32
    /// The command name (`/proc/…/comm`), which the process itself can set.
    package var command: String

    package init(process: Int32, command: String) {
        self.process = process
        self.command = command
    }
}

/// A search for the processes that have a node open, as far as `/proc` shows them.
package enum NodeHolders {
    /// Returns, for each node that is open, the processes that have it open, sorted by process ID.
    package static func find(_ nodes: [String]) -> [String: [NodeHolder]] {
        let kernel = KernelDevices()
        var byNumber: [dev_t: String] = [:]
        for node in nodes {
            if let number = kernel.number(at: node) { byNumber[number] = node }
        }
        var holders: [String: [NodeHolder]] = [:]
        for process in KernelFile.names(in: "/proc").compactMap(Int32.init).sorted() {
            let folder = "/proc/\(process)/fd"
            let open = KernelFile.names(in: folder)
                .compactMap { kernel.number(at: "\(folder)/\($0)") }.compactMap { byNumber[$0] }
            guard !open.isEmpty else { continue }
            let command = (KernelFile.read("/proc/\(process)/comm") ?? "").prefix { $0 != "\n" }
            for node in Set(open) {
                holders[node, default: []].append(
                    NodeHolder(process: process, command: String(command)))
            }
        }
        return holders
    }
}
