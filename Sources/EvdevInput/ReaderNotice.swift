package import WireText

/// Something the reader has to say; it never writes a log itself.
package enum ReaderNotice: Hashable, Sendable {
    /// No device is taken at present; so many nodes may not be opened.
    case noScanner(configured: Bool, forbidden: Int)
    /// The folder of the event nodes does not exist.
    case folderMissing(String)
    /// Another process holds the grab of a node.
    case grabbedElsewhere(node: String, scanner: String)
    /// A node cannot be opened yet; it is tried again when its permissions change.
    case noPermission(node: String)
    /// A node is left alone although a rule takes it.
    case refused(node: String, name: String?, SelectionVerdict.Refusal)
    /// A key is down; the grab is made when it comes up, or when the time for that is up.
    case waitingForHeldKeys(node: String)
    /// A key was still held when the time was up; the grab was made all the same.
    case grabbedWithKeyHeld(node: String)
    /// A node cannot be opened, read or grabbed.
    case failed(SystemCallError)
    /// The consumer did not read for so long that scans or rejections had to be thrown away.
    case lost(count: Int)

    /// Whether it deserves a warning, rather than information.
    package var isWarning: Bool {
        switch self {
        case .noScanner, .folderMissing, .noPermission, .waitingForHeldKeys: false
        default: true
        }
    }
}

extension ReaderNotice: CustomStringConvertible {
    /// One sentence for the log.
    package var description: String {
        switch self {
        case .noScanner(let configured, let forbidden):
            Self.noScanner(configured) + Self.forbidden(forbidden)
        case .folderMissing(let folder):
            "\(folder.quoted(upTo: .max)) does not exist; waiting for it"
        case .grabbedElsewhere(let node, let scanner):
            "\(node) (scanner \(scanner.quoted(upTo: .max))) is grabbed by another process; trying again"
                + " (keywedge devices says which it may be)"
        case .noPermission(let node):
            "\(node) may not be opened yet; waiting for its permissions to change"
        case .refused(let node, let name, let refusal):
            "\(node) (\((name ?? "").quoted(upTo: .max))) is left alone: \(refusal)"
        case .waitingForHeldKeys(let node):
            "\(node) has a key held down; grabbing it as soon as the key is up"
        case .grabbedWithKeyHeld(let node):
            "\(node) was grabbed while one of its keys was held down"
        case .failed(let error): "\(error)"
        case .lost(let count):
            count.counted("scan or rejection was", "scans or rejections were")
                + " thrown away because nothing read \(count == 1 ? "it" : "them")"
        }
    }

    private static func noScanner(_ configured: Bool) -> String {
        configured
            ? "no configured scanner is attached; waiting (keywedge devices lists what is attached)"
            : "no device known as a scanner is attached, and none is configured; waiting"
                + " (keywedge devices lists what is attached; name one under scanners: match:)"
    }

    private static func forbidden(_ count: Int) -> String {
        count == 0 ? "" : "; \(count.counted("device")) may not be opened by this user"
    }
}
