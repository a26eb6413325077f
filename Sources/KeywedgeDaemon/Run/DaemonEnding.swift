/// How a daemon ended.
public enum DaemonEnding: Equatable, Sendable {
    /// Everything that was read has been published.
    case complete
    /// Not everything that was read could be published in time.
    case unpublished
    /// Everything was published, and so many products were not written back in time.
    case notWrittenBack(products: Int)
    /// Nobody took events any more, and no signal had asked for the end.
    case abandoned
}
