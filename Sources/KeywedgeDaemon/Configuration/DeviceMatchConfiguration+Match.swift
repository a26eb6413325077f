public import EvdevInput

extension DeviceMatchConfiguration {
    /// The match as devices are compared with it.
    public var deviceMatch: DeviceMatch {
        DeviceMatch(
            vendor: vendor, product: product, name: name.map(Glob.init), path: path, phys: phys,
            uniq: uniq)
    }
}
