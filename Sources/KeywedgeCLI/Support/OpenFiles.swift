import Glibc

/// How many files this process may have open.
enum OpenFiles {
    /// Allows so many, as far as the system lets it.
    static func allow(_ count: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < rlim_t(count)
        else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
