package import WireText

package enum ReaderNotice: Hashable, Sendable {
    /// No scanner is attached. `configured` is true if the configuration lists scanners. `forbidden` lists nodes that
    /// this process lacks permission to open; one of them may be a scanner.
    case noScanner(configured: Bool, forbidden: [ForbiddenNode] = [])
    /// udev's database does not exist, so scanners that a udev rule marked are not recognised.
    case databaseMissing(String)
    case folderMissing(String)
    case claimedElsewhere(node: String, scanner: String)
    /// This process lacks permission to open a node; it tries again when the node's permissions change.
    case noPermission(ForbiddenNode)
    /// A node is not claimed, although a rule makes it a scanner.
    case refused(node: String, name: String?, SelectionVerdict.Refusal)
    /// A second device matches a configured scanner, and is called `name` in events.
    case anotherDevice(node: String, scanner: String, name: String)
    /// A key is down; the node is claimed when the key is released, or after a timeout.
    case waitingForHeldKeys(node: String)
    case claimedWithKeyHeld(node: String)
    case failed(SystemCallError)

    package var isWarning: Bool {
        switch self {
        case .noScanner, .folderMissing, .databaseMissing, .waitingForHeldKeys: false
        case .noPermission(let node): !node.isByRights
        default: true
        }
    }
}

extension ReaderNotice: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noScanner(configured: true, let forbidden):
            "no configured scanner is attached; waiting (keywedge devices lists what is attached)"
                + forbidden.clause
        case .noScanner(configured: false, let forbidden):
            "no device known as a scanner is attached, and none is configured; waiting (keywedge"
                + " devices lists what is attached; name one under scanners: match:)"
                + forbidden.clause
        case .folderMissing(let folder):
            "\(folder.quoted(upTo: .max)) does not exist; waiting for it (in a container, mount it)"
        case .databaseMissing(let folder):
            "\(folder.quoted(upTo: .max)) does not exist, so marks of udev rules are not seen (in a"
                + " container, mount it)"
        case .claimedElsewhere(let node, let scanner):
            "\(node) (scanner \(scanner.quoted(upTo: .max))) is grabbed by another process; trying again"
                + " (keywedge devices says which it may be)"
        case .noPermission(let node):
            node.isByRights ? "\(node); waiting for its rights to change" : "\(node)"
        case .refused(let node, let name, let refusal):
            "\(node) (\((name ?? "").quoted(upTo: .max))) is left alone: \(refusal)"
        case .anotherDevice(let node, let scanner, let name):
            "\(node) matches the configured scanner \(scanner.quoted(upTo: .max)) as well; events call it"
                + " \(name.quoted(upTo: .max)): tell the two apart by phys or uniq"
        case .waitingForHeldKeys(let node):
            "\(node) has a key held down; grabbing it as soon as the key is up"
        case .claimedWithKeyHeld(let node):
            "\(node) was grabbed while one of its keys was held down"
        case .failed(let error): "\(error)"
        }
    }
}
