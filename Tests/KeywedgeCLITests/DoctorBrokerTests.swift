import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests that the advice of `keywedge doctor` about a real mosquitto matches the cause of the failure.
@Suite(
    .blocking,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/mosquitto")
            && FileManager.default.isExecutableFile(atPath: "/usr/bin/mosquitto_passwd"),
        "mosquitto is not installed"), .timeLimit(.minutes(10)))
struct DoctorBrokerTests {
    /// Runs `doctor` while a broker with these settings runs, and prints the findings about the sink.
    private func findings(
        _ broker: String, url: String = "mqtt://127.0.0.1", settings: String, _ files: String,
        until line: String = ""
    ) throws -> CommandRun {
        let folder = try TemporaryFolder()
        return try CommandRun.shell(
            """
            cd \(folder.path)
            port=$(python3 -c 'import socket
            s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
            \(files)
            printf 'user root\\nlistener %s 127.0.0.1\\n%s\\n' $port '\(broker)' >broker.conf
            /usr/sbin/mosquitto -v -c broker.conf >broker.log 2>&1 & broker=$!
            trap 'kill $broker; wait $broker' EXIT
            until_true 'grep -q running broker.log' || { cat broker.log >&2; exit 2; }
            echo "catalog: {sources: []}
            events: [{mqtt: {url: '\(url):$port', topic: a, \(settings)}}]" >k.yaml
            findings() {
                $KEYWEDGE doctor --config k.yaml --format json | jq -r '.findings[] | select(.subject == "sinks") |
                    .verdict, .message, (.remedies[] | .advice, .commands[])' >found
                grep -q '^\(line)' found
            }
            until_true findings; cat found
            """)
    }

    @Test func aWrongPasswordIsNotABrokerThatDoesNotRun() throws {
        let run = try findings(
            "allow_anonymous false\npassword_file ./known",
            settings: "user_file: user, password_file: word",
            """
            echo till:right >known; mosquitto_passwd -U known
            echo till >user; echo wrong >word
            """)
        #expect(run.output.contains("knows another user or password"), "\(run)")
        #expect(!run.output.contains("systemctl"), "\(run)")
    }

    @Test func anExpiredCertificateIsNotABrokerThatDoesNotRun() throws {
        let run = try findings(
            "allow_anonymous true\ncertfile ./c.pem\nkeyfile ./k.pem", url: "mqtts://127.0.0.1",
            settings: "ca_file: ca.pem",
            """
            new() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "$@" 2>/dev/null; }
            new -x509 -keyout ca.key -out ca.pem -subj /CN=authority
            new -keyout k.pem -out c.csr -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1
            touch index; echo 01 >serial; chmod 644 k.pem
            printf '%s\\n' '[ca]' default_ca=d '[d]' database=index serial=serial new_certs_dir=. \\
                default_md=sha256 policy=p copy_extensions=copy '[p]' commonName=supplied >ca.cnf
            openssl ca -batch -config ca.cnf -cert ca.pem -keyfile ca.key -in c.csr -out c.pem \\
                -startdate 20200101000000Z -enddate 20210101000000Z 2>/dev/null
            """)
        #expect(run.output.contains("expired"), "\(run)")
        #expect(run.output.contains("renew"), "\(run)")
        #expect(!run.output.contains("enable --now"), "\(run)")
    }

    /// The system trusts the broker's certificate, but `ca_file` contains another one.
    @Test(arguments: [false, true])
    func onlyTheAuthoritiesOfTheFileAreTrustedIfThatIsSaid(isOnly: Bool) throws {
        let run = try findings(
            "allow_anonymous true\ncertfile ./c.pem\nkeyfile ./k.pem", url: "mqtts://127.0.0.1",
            settings: "ca_file: other.pem, only_ca_file: \(isOnly)",
            """
            new() {
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $1.key \\
                    -out $1.pem -subj /CN=$1 -addext subjectAltName=IP:127.0.0.1 2>/dev/null
            }
            new c; new other; mv c.key k.pem; chmod 644 k.pem
            export SSL_CERT_FILE=c.pem
            """, until: isOnly ? "" : "ok")
        #expect(run.output.contains("is not signed by a trusted authority") == isOnly, "\(run)")
        #expect(run.lines.contains("ok") == !isOnly, "\(run)")
    }
}
