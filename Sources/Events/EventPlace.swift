/// Where an event happened, as its source says it.
package struct EventPlace: Equatable, Sendable {
    /// The register's name; nil where the source is another's.
    package let register: String?
    /// The scanner's name; nil for the daemon itself.
    package let scanner: String?

    /// Reads a source.
    ///
    /// - Parameter source: `/keywedge/REGISTER` or `/keywedge/REGISTER/scanners/NAME`.
    package init(source: String) {
        let steps = source.split(separator: "/", omittingEmptySubsequences: false)
        register = steps.count > 2 ? String(steps[2]) : nil
        scanner = steps.count > 4 && steps[3] == "scanners" ? String(steps[4]) : nil
    }
}
