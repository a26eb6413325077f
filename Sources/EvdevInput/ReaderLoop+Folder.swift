/// How the reader follows what happens in the folder of event nodes.
extension ReaderLoop {
    /// Has everything in the folder looked at; where there is none, waits for it.
    mutating func examineFolder() {
        guard watch.arm() else {
            say(.folderMissing(configuration.places.nodes))
            return
        }
        for path in EventNodes.all(in: configuration.places.nodes) { queue(path) }
    }

    /// Does what the changes in the folder ask for.
    mutating func followFolder() {
        for change in watch.changes() {
            switch change {
            case .appeared(let name), .changed(let name):
                if EventNodes.number(in: name) != nil { queue(path(name)) }
            case .vanished(let name): forget(path(name))
            case .folderGone:
                for path in Array(nodes.keys) { forget(path) }
                examineFolder()
            case .folderAppeared: examineFolder()
            case .overflow:
                // A node that went and came again under the same number is another device.
                for node in nodes.values { node.known = nil }
                examineFolder()
            case .databaseChanged: queueRefused()
            }
        }
    }

    /// Has every node looked at again that is not open.
    mutating func queueRefused() {
        for node in nodes.values where node.device == nil { queue(node) }
    }

    /// Has what is under a name looked at when its turn comes.
    mutating func queue(_ path: String) {
        let node = nodes[path] ?? ReaderNode(path: path)
        nodes[path] = node
        queue(node)
    }

    /// Has a node looked at when its turn comes.
    mutating func queue(_ node: ReaderNode) {
        guard !node.isQueued else { return }
        node.isQueued = true
        queued.append(node)
    }

    /// Looks at the next node.
    ///
    /// It is one at a time, so that the scanners are read in between: a keyboard's buffer in the kernel
    /// is full after 20 ms.
    mutating func examineNext() {
        while let node = queued.popFirst() {
            node.isQueued = false
            // It may have gone in the meantime, and another have come in its place.
            guard nodes[node.path] === node else { continue }
            return examine(node)
        }
    }

    /// An open node stays: as long as the device is there it is read, whatever it is called.
    private mutating func forget(_ path: String) {
        guard nodes[path]?.device == nil else { return }
        nodes[path] = nil
    }

    private func path(_ name: String) -> String {
        configuration.places.nodes + "/" + name
    }
}
