import EvdevInput
import Glibc
import Keystrokes

/// The handover by way of the service manager, which keeps descriptors while the daemon is started again.
package struct ManagedHandover: Sendable {
    /// The scanners.
    let handover: Handover
    /// The number of the last event of the run before; 0 where nobody knows.
    let lastSequence: UInt64
    private let manager: ServiceManager

    /// Takes what the run before has left.
    ///
    /// - Parameters:
    ///   - descriptors: What the service manager hands over.
    ///   - manager: Keeps what this run leaves.
    package init(_ descriptors: HandedOverDescriptors, manager: ServiceManager) {
        self.manager = manager
        var note: HandoverNote?
        for (name, descriptor) in descriptors.kept where name == HandoverNote.name {
            note = HandoverNote(takenFrom: descriptor) ?? note
            close(descriptor)
            manager.drop(name)
        }
        lastSequence = note?.sequence ?? 0
        let nodes = descriptors.kept.filter { $0.name != HandoverNote.name }
        handover = Handover(
            nodes: nodes.map {
                Handover.Node(
                    name: $0.name, descriptor: $0.descriptor, rest: note?.rests[$0.name])
            },
            keep: { manager.keep($1, as: $0) }, drop: { manager.drop($0) })
    }

    /// Gives up what the run before has left: no scanner is read.
    func giveUp() {
        for node in handover.nodes { handover.giveUp(node) }
    }

    /// Leaves word for the next run; only where everything that was read has been published.
    ///
    /// - Parameters:
    ///   - rests: How scanners were left between two scans.
    ///   - lastSequence: The number of the last event.
    func leave(_ rests: [String: ScanAssembler.Rest], lastSequence: UInt64) {
        let note = HandoverNote(rests: rests, sequence: lastSequence)
        guard let descriptor = note.written() else { return }
        manager.keep(descriptor, as: HandoverNote.name)
        close(descriptor)
    }
}
