/// What a key means on a scanner, in place of what the layout says.
package enum KeyConfiguration: Hashable, Sendable {
    /// The key types this character.
    case character(Unicode.Scalar)
    /// The key is no data.
    case ignore
    /// The key ends a scan.
    case terminator
}
