import Glibc

extension HTTPDate {
    /// The date here and now, by the system's clock.
    public static var now: HTTPDate {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return HTTPDate(secondsSince1970: Int64(time.tv_sec))
    }
}
