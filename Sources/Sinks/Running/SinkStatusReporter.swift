import Synchronization

/// Says how a sink is doing: each trouble once, and again when it changes or has gone.
package final class SinkStatusReporter: Sendable {
    /// What there is to say.
    package enum Notice: Equatable, Sendable {
        /// Events are kept until the trouble has gone: what it is.
        case trouble(String)
        /// Events go out again.
        case well
        /// Something to know that keeps no event back.
        case warning(String)
    }

    private struct State {
        var trouble: String?
        var warnings: Set<String> = []
        var isRetired = false
    }

    private let state = Mutex(State())
    private let say: @Sendable (Notice) -> Void

    /// Makes a reporter.
    ///
    /// - Parameter say: Is told what changed, on any thread.
    package init(_ say: @escaping @Sendable (Notice) -> Void) { self.say = say }

    /// Notes a trouble that keeps events back.
    ///
    /// - Parameter text: What it is, in words.
    package func trouble(_ text: String) {
        state.withLock { state in
            guard !state.isRetired, state.trouble != text else { return }
            state.trouble = text
            say(.trouble(text))
        }
    }

    /// Notes that events go out.
    package func well() {
        state.withLock { state in
            if !state.isRetired, state.trouble.take() != nil { say(.well) }
        }
    }

    /// Reports no more trouble: another sink has the name now.
    package func retire() { state.withLock { $0.isRetired = true } }

    /// Says something that keeps no event back, once.
    ///
    /// - Parameter text: What it is, in words.
    package func warn(_ text: String) {
        if state.withLock({ $0.warnings.insert(text).inserted }) { say(.warning(text)) }
    }
}
