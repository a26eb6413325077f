import Glibc

/// Runs a program of the system and reads what it says.
package protocol ProgramRunner: Sendable {
    /// Runs a program.
    ///
    /// - Parameter words: The program, and what it is told.
    /// - Returns: What it wrote to standard output, and how it ended; nil where there is no such
    ///   program, or it does not end.
    func run(_ words: [String]) async -> ProgramOutput?
}

/// What a program came to.
package struct ProgramOutput: Equatable, Sendable {
    /// Its exit code; 128 and the signal where one ended it.
    package var code: Int32
    /// What it wrote to standard output.
    package var text: String

    /// Makes a result.
    package init(code: Int32 = 0, text: String = "") {
        self.code = code
        self.text = text
    }
}

/// Runs programs of this box, each for a few seconds at the most.
package struct SystemPrograms: ProgramRunner {
    private let limit: Duration
    private static let longest = 1 << 20

    /// Makes a runner.
    ///
    /// - Parameter limit: How long a program may take.
    package init(limit: Duration = .seconds(10)) {
        self.limit = limit
    }

    /// Runs a program that is given nothing to read, and whose complaints nobody reads.
    package func run(_ words: [String]) async -> ProgramOutput? {
        let limit = limit
        return await Bounded.waiting { Self.output(of: words, within: limit) }
    }

    private static func output(of words: [String], within limit: Duration) -> ProgramOutput? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process = start(words, writingTo: ends[1])
        close(ends[1])
        guard let process else { return nil }
        let bytes = read(ends[0], within: limit)
        if bytes == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard let bytes else { return nil }
        let signal = status & 0x7F
        let code = signal == 0 ? status >> 8 & 0xFF : 128 + signal
        return ProgramOutput(code: code, text: String(decoding: bytes, as: UTF8.self))
    }

    private static func start(_ words: [String], writingTo output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawnp(
            &process, words.first ?? "", &actions, nil, &arguments, environ)
        return result == 0 ? process : nil
    }

    /// All that comes until the end; nil where that does not come in time.
    private static func read(_ descriptor: Int32, within limit: Duration) -> [UInt8]? {
        let deadline = ContinuousClock.now + limit
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return nil }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(clamping: rest.wholeMilliseconds)) > 0 else { continue }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            if bytes.count < longest { bytes += buffer[..<count] }
        }
    }
}
