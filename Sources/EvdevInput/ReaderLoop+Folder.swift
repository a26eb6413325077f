/// How the reader follows what happens in the folder of event nodes.
extension ReaderLoop {
    /// Looks at everything in the folder; where there is none, waits for it.
    mutating func examineFolder() {
        guard watch.arm() else {
            say(.folderMissing(configuration.places.nodes))
            return
        }
        for path in EventNodes.all(in: configuration.places.nodes) { examine(path) }
    }

    /// Does what the changes in the folder ask for.
    mutating func followFolder() {
        for change in watch.changes() {
            switch change {
            case .appeared(let name), .changed(let name):
                if EventNodes.number(in: name) != nil { examine(path(name)) }
            case .vanished(let name): forget(path(name))
            case .folderGone:
                for path in Array(nodes.keys) { forget(path) }
                examineFolder()
            case .folderAppeared, .overflow: examineFolder()
            case .databaseChanged: examineRefused()
            }
        }
    }

    /// Looks again at every node that is not open.
    mutating func examineRefused() {
        for node in Array(nodes.values) where node.device == nil { examine(node.path) }
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
