import TestFolders
import TestWaiting
import Testing

/// Tests that the daemon still answers after thousands of clients have connected and died, or have waited for it.
@Suite(.blocking, .serialized, .timeLimit(.minutes(30))) struct ConnectionStormTests {
    /// Runs a Python script in the folder of a daemon that listens on a socket and on a port.
    ///
    /// In the script, `connect(kind)` returns a connection, `ask(client)` sends a request, and `check(client)` fails
    /// unless the daemon answers it.
    private func run(_ script: String) throws -> CommandRun {
        let folder = try TemporaryFolder()
        try folder.write(Self.clients + script, to: "clients.py")
        let path = folder.path
        return try CommandRun.shell(
            """
            cd \(path)
            cat >k.yaml <<'END'
            catalog: {sources: []}
            journal: {file: journal.sqlite}
            listen: {socket: s, http: "127.0.0.1:0"}
            END
            echo 'device name="x"' >nothing.keys
            $KEYWEDGE run --config k.yaml --replay nothing.keys >out 2>log & daemon=$!
            until_true "grep -q 'over HTTP: port [0-9]*$' log" || exit 8
            port=$(sed -n 's/.*over HTTP: port //p' log)
            timeout 1500 python3 clients.py $port $daemon
            result=$?
            kill $daemon; kill -CONT $daemon
            wait $daemon || exit 9
            exit $result
            """)
    }

    private static let clients = """
        import os, resource, signal, socket, sys

        port, daemon = int(sys.argv[1]), int(sys.argv[2])
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        host = b"Host: localhost:%d\\r\\n" % port

        def connect(kind):
            if kind == "unix":
                client = socket.socket(socket.AF_UNIX)
                client.settimeout(250)
                client.connect("s")
                return client
            return socket.create_connection(("127.0.0.1", port), 250)

        def ask(client):
            client.sendall(b"GET /v1/status HTTP/1.1\\r\\n" + host + b"Connection: close\\r\\n\\r\\n")

        def check(client):
            assert client.recv(12) == b"HTTP/1.1 200", "the daemon does not answer"


        """

    /// For each kind of request, a client sends it over a thousand connections and dies.
    @Test func theDaemonOutlivesThousandsThatCloseAtOnce() throws {
        let run = try run(
            """
            requests = [
                b"", b"GET /v1/ev", b"GET /v1/events HTTP/1.1\\r\\n" + host + b"\\r\\n",
                b"GET /v1/events?after=oldest HTTP/1.1\\r\\nAccept: text/event-stream\\r\\n" + host + b"\\r\\n",
                b"PUT /v1/consumers/a HTTP/1.1\\r\\nContent-Length: 100\\r\\n" + host + b"\\r\\n{",
                (b"GET /v1/status HTTP/1.1\\r\\n" + host + b"\\r\\n") * 10,
                b"POST / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n" + host + b"\\r\\nzz\\r\\n",
            ]
            for kind in ["unix", "tcp"]:
                for request in requests:
                    child = os.fork()
                    if child == 0:
                        clients = []
                        for number in range(1000):
                            try:
                                clients.append(connect(kind))
                                clients[-1].sendall(request)
                            except OSError:
                                # The daemon has closed it to make room.
                                pass
                        os.kill(os.getpid(), signal.SIGKILL)
                    os.waitpid(child, 0)
                    client = connect(kind)
                    ask(client)
                    check(client)
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test(arguments: ["unix", "tcp"])
    func thousandsCanWaitUntilTheDaemonHasTime(kind: String) throws {
        let run = try run(
            """
            os.kill(daemon, signal.SIGSTOP)
            clients = []
            try:
                for number in range(2000):
                    client = connect("\(kind)")
                    ask(client)
                    clients.append(client)
            finally:
                os.kill(daemon, signal.SIGCONT)
            for client in clients: check(client)
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }
}
