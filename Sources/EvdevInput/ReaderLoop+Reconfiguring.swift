/// How the reader takes other settings while it reads.
extension ReaderLoop {
    /// Reads by another configuration from now on; see ``ScannerReader/reconfigure(_:)``.
    mutating func reconfigure(_ other: ReaderConfiguration) {
        let now = MonotonicClock.now()
        configuration.scanners = other.scanners
        configuration.automatic = other.automatic
        let former = scanners
        // Each finds its place anew, so that two may also change places.
        scanners = []
        for scanner in former {
            for node in scanner.members { place(node, of: scanner, at: now) }
        }
        queueRefused()
    }

    /// Finds the scanner that an open node belongs to now.
    private mutating func place(_ node: ReaderNode, of former: HeldScanner, at now: Int64) {
        guard let known = node.known, case .taken(let rule) = verdict(on: node, known) else {
            return detach(node, .reconfigured, at: now)
        }
        let scanner = AttachedScanner(rule: rule, identity: known.identity)
        let held = heldScanner(scanner, goingOnWith: former)
        guard held !== former else { return }
        part(node, from: former, .reconfigured, at: now)
        held.add(node)
        node.scanner = held
        held.startedBeforeGrab(at: now)
    }

    /// The scanner of a place: as it was, where it is the same with the same settings; else a new one.
    private mutating func heldScanner(
        _ scanner: AttachedScanner, goingOnWith former: HeldScanner
    ) -> HeldScanner {
        if let holder = holder(ofPlaceOf: scanner) { return holder }
        let typing = typing(of: scanner)
        let isSame = former.scanner.name == scanner.name && former.typing === typing
        let held =
            isSame
            ? former
            : HeldScanner(scanner, typing: typing, queue: scannerQueue(of: scanner.name))
        // Its position among the configured ones may be another.
        held.scanner = scanner
        scanners.append(held)
        return held
    }
}
