internal import Keystrokes

/// Decides which devices are scanners.
///
/// With scanners configured, those and no others. With none, only what a udev rule marked or what
/// comes from a maker of scanners; never a plain keyboard. A device that cannot type a scan is
/// refused whatever it is called.
public struct SelectionRules: Hashable, Sendable {
    /// The configured scanners, in the order of the configuration: name and match.
    public var configured: [ConfiguredDevice]

    /// A configured scanner's name and match.
    public struct ConfiguredDevice: Hashable, Sendable {
        /// The scanner's name.
        public var name: String
        /// Which device it is.
        public var match: DeviceMatch

        /// Makes a configured device.
        ///
        /// - Parameters:
        ///   - name: The scanner's name.
        ///   - match: Which device it is.
        public init(name: String, match: DeviceMatch) {
            self.name = name
            self.match = match
        }
    }

    /// Makes rules.
    ///
    /// - Parameter configured: The configured scanners; none for automatic choice.
    public init(configured: [ConfiguredDevice] = []) {
        self.configured = configured
    }

    /// Every path a configured scanner is matched by.
    public var paths: [String] { configured.compactMap(\.match.path) }

    /// Decides on a device.
    ///
    /// - Parameter facts: What is known of it.
    /// - Returns: Whether it is taken, with the first rule that holds, or why not.
    public func verdict(on facts: DeviceFacts) -> Verdict {
        guard let rule = rule(for: facts) else {
            return .refused(
                configured.isEmpty ? .notKnownAsScanner : .matchesNoConfiguredScanner)
        }
        return facts.keys.canTypeAScan ? .taken(rule) : .refused(.cannotType(facts.keys))
    }

    private func rule(for facts: DeviceFacts) -> Verdict.Rule? {
        guard configured.isEmpty else { return configuredRule(for: facts) }
        if facts.isMarked { return .marked }
        guard KnownMakers.buses.contains(facts.identity.bus) else { return nil }
        return KnownMakers.byVendor[facts.identity.vendor].map { .knownMaker($0) }
    }

    private func configuredRule(for facts: DeviceFacts) -> Verdict.Rule? {
        for (index, scanner) in configured.enumerated()
        where scanner.match.matches(facts.identity, resolvesToDevice: facts.paths.contains) {
            return .configured(index: index, name: scanner.name)
        }
        return nil
    }
}
