/// What Caps Lock does on a scanner.
public enum CapsHandling: String, Hashable, Sendable, CaseIterable {
    /// The Caps Lock key switches it on and off; it starts off.
    case track
    /// The Caps Lock key is no data and switches nothing.
    case ignore
    /// As ``track``, but it starts on: the scanner turns the case of letters round.
    case inverted
}

extension KeyTable {
    /// The table of a scanner whose Caps Lock does something else than the layout says.
    ///
    /// - Parameter caps: What Caps Lock does.
    /// - Returns: A table to be read with Caps Lock off at the start.
    func handling(_ caps: CapsHandling) -> KeyTable {
        switch caps {
        case .track: self
        case .ignore: withoutCapsLock
        case .inverted: withCapsLockInverted
        }
    }

    private var withoutCapsLock: KeyTable {
        var table = self
        for key in keys {
            for level in KeyLevel.all where self[key, level] == .capsLock {
                table[key, level] = .ignored
            }
        }
        return table
    }

    private var withCapsLockInverted: KeyTable {
        var table = self
        for key in keys {
            for level in KeyLevel.all {
                table[key, level] = self[key, level.symmetricDifference(.caps)]
            }
        }
        return table
    }
}
