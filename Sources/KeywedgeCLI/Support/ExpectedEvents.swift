import ArgumentParser
import Events
import Glibc
import WireText

/// Compares events with those of a file, and reports the differences.
actor ExpectedEvents: EventSink {
    private let descriptor: Int32
    private let path: String
    private var comparison: EventComparison<DescriptorLines>
    private var differenceCount = 0

    /// After so many differences the rest is only counted.
    private static let shownDifferences = 20

    init(path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure(SystemCallError(operation: "open", path: path, errno: errno))
        }
        self.descriptor = descriptor
        self.path = path
        comparison = EventComparison(
            expected: DescriptorLines(descriptor: descriptor, name: path))
    }

    deinit { close(descriptor) }

    /// Compares the next event.
    func send(_ event: Event) async throws {
        try report(comparison.add(event.line))
    }

    /// Compares the ends, and fails where anything differed.
    func finish() throws {
        try orFail { try report(comparison.finish()) }
        guard differenceCount > 0 else {
            StandardError.write("keywedge: \(comparison.equalCount.counted("event")) as expected")
            return
        }
        if differenceCount > Self.shownDifferences {
            print("… and \(differenceCount - Self.shownDifferences) more")
        }
        let path = Escaping.line.escaped(path)
        throw Failure(
            "\(differenceCount.counted("event differs", "events differ")) from \(path), "
                + comparison.equalCount.counted("is", "are") + " as expected"
        )
    }

    private func report(_ differences: [EventDifference]) throws {
        for difference in differences {
            differenceCount += 1
            if differenceCount <= Self.shownDifferences { print(difference) }
        }
    }
}
