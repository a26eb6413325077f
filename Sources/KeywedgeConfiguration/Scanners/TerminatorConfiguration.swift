package import Keystrokes

/// What ends a scan.
package enum TerminatorConfiguration: Hashable, Sendable {
    /// Either Enter key.
    case enter
    /// The Tab key.
    case tab
    /// The Escape key.
    case escape
    /// A character, whichever key types it.
    case character(Unicode.Scalar)
    /// A key, whatever it types.
    case key(KeyCode)
}
