import Testing
import WebAPI

@Suite struct ConnectionSentenceTests {
    @Test(arguments: [
        (ConnectionError(.unknownHost, during: .dns), "the host's name is unknown"),
        (
            ConnectionError(.unreachable, during: .connect, underlying: "no\nroute"),
            #"the host cannot be reached while the connection was made: no\nroute"#
        ),
        (
            ConnectionError(.timedOut(after: .milliseconds(1500)), during: .dns),
            "the time of 1.5s was up while the host's name was looked up"
        ),
        (
            ConnectionError(.timedOut(after: .microseconds(10)), during: .write),
            "the time of 10us was up while the request was sent"
        ),
        (
            ConnectionError(.certificateExpired(nil), during: .tls),
            "the server's certificate expired"
        ),
        (
            ConnectionError(.certificateNotYetValid(nil), during: .tls),
            "the server's certificate is not valid yet"
        ),
        (
            ConnectionError(.certificateNotVerified, during: .tls),
            "the server's certificate could not be verified"
        ),
        (
            ConnectionError(.tlsFailed, during: .tls, underlying: "X"),
            "encryption failed while TLS was set up: X"
        ),
        (
            ConnectionError(.other, during: .write),
            "the connection failed while the request was sent"
        ),
    ])
    func everyErrorIsASentence(error: ConnectionError, sentence: String) {
        #expect(error.description == sentence)
    }

    @Test(arguments: ConnectionError.Phase.allCases)
    func fromTheWritingOnTheServerMayKnow(phase: ConnectionError.Phase) {
        let mayKnow = [.write, .head, .body].contains(phase)
        #expect(
            ConnectionError(.closed, during: phase).serverMayHaveBeenReached == mayKnow)
    }
}
