/// Keeps the answers of one connection with the requests they belong to.
///
/// HTTP/1.1 has nothing but their order to tell which answer is whose: one that nobody asked for,
/// such as a duplicate that comes late, would be taken for the next request's, and every later one
/// for that of the request before it. So a connection on which anything comes that was not asked for
/// is never used again.
///
/// Rule: RFC 9112, section 9.2.
struct AnswerOrder: Equatable {
    private enum State {
        /// No request is out.
        case idle
        /// A request is out, and nothing of its answer has come.
        case asked
        /// An answer is coming.
        case answering
        /// The answer is whole, and what has come with it was not yet looked through.
        case ended
        /// Something came that was not asked for.
        case spoilt
    }

    /// What to do with bytes that came.
    enum Verdict: Equatable {
        /// They belong to the answer that is awaited.
        case pass
        /// They belong to nothing: drop them, and end the connection once the answer before them
        /// was handed on.
        case drop
        /// They were sent before the request arrived that is out: end the connection, and the
        /// request with it.
        case refuse
    }

    private var state = State.idle

    /// Whether a request was answered before, so that an answer too many may follow.
    private(set) var isReused = false

    /// Whether something came that was not asked for.
    var isSpoilt: Bool { state == .spoilt }

    /// Whether the answer is whole.
    var hasEnded: Bool { state == .ended }

    /// Whether what comes next begins an answer that may be to an earlier request.
    var isBeginning: Bool { state == .asked && isReused }

    /// A request is to be written; says whether it may.
    ///
    /// - Parameter hasUnread: Whether something has come that was not read yet.
    /// - Returns: Whether it may.
    mutating func ask(hasUnread: Bool) -> Bool {
        if state == .idle { state = isReused && hasUnread ? .spoilt : .asked }
        return state != .spoilt
    }

    /// Bytes came.
    ///
    /// - Parameter isUnheard: Whether the server cannot have had the request that is out.
    /// - Returns: What to do with them.
    mutating func receive(isUnheard: Bool) -> Verdict {
        switch state {
        case .asked where isReused && isUnheard:
            state = .spoilt
            return .refuse
        case .asked, .answering:
            state = .answering
            return .pass
        case .idle, .ended, .spoilt:
            state = .spoilt
            return .drop
        }
    }

    /// The answer's last byte was read; before the next bytes are, ``settle()`` must tell so.
    mutating func end() {
        if state == .asked || state == .answering { state = .ended }
    }

    /// All that had come with the answer was looked through.
    mutating func settle() {
        isReused = true
        if state == .ended { state = .idle }
    }
}
