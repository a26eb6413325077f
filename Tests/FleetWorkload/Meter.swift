import Synchronization

/// Counts the events that all registers make and the broker acknowledges, and measures the broker's delays.
final class Meter: Sendable {
    private struct State {
        var made = 0
        var acknowledged = 0
        /// The delays of acknowledgements since the last ``line()``, in microseconds.
        var delays: [Int64] = []
        /// The delays of acknowledgements since the last ``takeWindow()``, in microseconds.
        var window: [Int64] = []
        var troubles = 0
        var words: [String: Int] = [:]
    }

    private let state = Mutex(State())

    func made(_ count: Int = 1) { state.withLock { $0.made += count } }

    /// Counts an acknowledged event.
    ///
    /// - Parameter delay: The time from making the event to its acknowledgement; nil if unknown.
    func acknowledged(after delay: Duration?) {
        state.withLock { state in
            state.acknowledged += 1
            guard let delay else { return }
            state.delays.append(Int64(delay / .microseconds(1)))
            state.window.append(Int64(delay / .microseconds(1)))
        }
    }

    /// Counts a notice from a sink.
    func heard(_ words: String, isTrouble: Bool, isWell: Bool) {
        state.withLock { state in
            if isTrouble { state.troubles += 1 }
            if isWell { state.troubles -= 1 }
            state.words[words, default: 0] += 1
        }
    }

    /// Returns the eight most frequent notices since the last call, such as `3 times: connection refused`.
    func takeWords() -> [String] {
        let words = state.withLock { state in
            defer { state.words = [:] }
            return state.words
        }
        return words.sorted { $0.value > $1.value }.prefix(8).map { "\($0.value) times: \($0.key)" }
    }

    /// Returns the counts so far, and the delays since the last call, as a line of JSON.
    func line() -> String {
        let (made, acknowledged, troubles, delays) = state.withLock { state in
            defer { state.delays = [] }
            return (state.made, state.acknowledged, state.troubles, state.delays.sorted())
        }
        return "{\"made\": \(made), \"acknowledged\": \(acknowledged), \"troubles\": \(troubles), "
            + "\(Self.words(delays))}"
    }

    /// Returns the delays since the last call, as a line of JSON.
    func takeWindow() -> String {
        let delays = state.withLock { state in
            defer { state.window = [] }
            return state.window.sorted()
        }
        return "{\"window\": {\(Self.words(delays))}}"
    }

    private static func words(_ delays: [Int64]) -> String {
        let median = delays.isEmpty ? 0 : delays[delays.count / 2]
        let most = delays.isEmpty ? 0 : delays[min(delays.count - 1, delays.count * 99 / 100)]
        return "\"delays\": \(delays.count), \"median_us\": \(median), \"p99_us\": \(most)"
    }
}
