import Foundation
import TestWaiting
import Testing

/// Tests the programs in docs/integrate.md with the daemon that the page describes.
@Suite(.blocking, .serialized) struct IntegrationPageTests {
    private static let printed = [
        "4006381333931 Pencil", "96385074 Chocolate bar", "9506000100624 not in the catalog",
    ]

    /// Writes the page's programs, and the commands that start its daemon on a free port, into a new folder.
    private static let prelude = #"""
        set -m
        page=$PWD/docs/integrate.md
        folder=$(mktemp -d)
        started=
        end() {
            # Do not print which jobs ended.
            exec 2>/dev/null
            for job in $started; do kill -- -"$job"; done
            wait
            rm -rf "$folder"
        }
        trap end EXIT
        # start COMMAND: runs it in the background, until the script ends
        start() { "$@" & started="$started $!"; }
        # block LINE [NUMBER]: prints the first, or NUMBERth, code block after the line that begins with LINE
        block() {
            awk -v name="$1" -v number="${2:-1}" '
                index($0, name) == 1 { on = 1 }
                on && /^```/ {
                    if (inside && count == number) exit
                    inside = !inside
                    if (inside) count++
                    next
                }
                inside && count == number' "$page"
        }
        # three_lines FILE: prints the file as soon as it has three lines
        three_lines() {
            until_true "[ \$(wc -l <'$1') -ge 3 ]"
            cat "$1"
        }
        port=$(python3 -c '
        import socket
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            print(one.getsockname()[1])')
        mkdir "$folder/bin"
        ln -s "$KEYWEDGE" "$folder/bin/keywedge"
        export PATH="$folder/bin:$PATH:/usr/sbin"
        cd "$folder"
        block '## A daemon' | sed "s/8691/$port/" >setup
        block '`till.sh`' >till.sh
        block '`on-scan`' >on-scan
        block '`on-scan`' 2 >exec.sh
        block '`till.py`' >till.py
        block '`till.mjs`' >till.mjs
        block '`page.html`' | sed "s/8691/$port/" >page.html
        block '## MQTT' | sed "s/1883/$port/" >subscribe.sh
        block '## MQTT' 2 | sed "s/1883/$port/" >mqtt.sh

        """#

    private func lines(_ script: String) throws -> [String] {
        let run = try CommandRun.shell(Self.prelude + script)
        #expect(run.exitCode == 0, "\(run.errors)")
        return run.lines
    }

    private static let daemon = """
        . ./setup 2>daemon.log
        started="$started $!"
        until_true "grep -q 'reading events' daemon.log"

        """

    @Test(arguments: ["sh till.sh", "python3 till.py"])
    func theProgramPrintsEachScan(command: String) throws {
        let lines = try lines(
            Self.daemon + """
                start \(command) >printed
                three_lines printed
                """)
        #expect(lines == Self.printed)
    }

    @Test func theCommandIsCalledForEachScan() throws {
        let lines = try lines(
            Self.daemon + #"""
                start bash exec.sh 2>printed
                three_lines printed | sed 's/^keywedge: ".\/on-scan": //'
                """#)
        #expect(lines == Self.printed)
    }

    /// An event that arrives twice is sold once, even if its first sale failed or a full disk left half a line of it.
    @Test func theCommandSellsAnEventOnceAndFailsWithoutAKey() throws {
        let lines = try lines(
            #"""
            scan='{"source":"/s","id":"1","data":{"text":"4006381333931"}}'
            mkdir without
            for tool in cat cut grep touch sync tr; do ln -s "$(command -v $tool)" without/; done
            PATH=$PWD/without /bin/sh on-scan <<<"$scan" 2>/dev/null || echo "no jq"
            sh on-scan </dev/null || echo "no event"
            printf '/s\t1\t4006' >sold-exec.tsv
            sh on-scan <<<"$scan"
            sh on-scan <<<"$scan"
            """#)
        #expect(lines == ["no jq", "no event", "4006381333931 not in the catalog"])
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/node"),
            "Node is not installed"))
    func theProgramInNodePrintsEachScan() throws {
        let lines = try lines(Self.daemon + "start node till.mjs >printed\nthree_lines printed")
        #expect(lines == Self.printed)
    }

    /// Sends the page's request as a browser does, and then the same request from another origin.
    @Test func thePageMayReadEventsAndNoOther() throws {
        let lines = try lines(
            Self.daemon + #"""
                url=$(grep -o 'http://127[^"]*events[^"]*' page.html)
                ask() { curl -sN -H 'Accept: text/event-stream' "$@" "$url"; }
                start ask -H 'Origin: http://127.0.0.1:8000' -D head >stream
                until_true 'grep -q 9506000100624 stream'
                sed -n 's/^data: //p' stream |
                    jq -r '"\(.data.text) \(.data.product.name // "not in the catalog")"'
                tr -d '\r' <head | grep -i '^access-control-allow-origin'
                ask -H 'Origin: http://127.0.0.1:8001' -o refused -w '%{http_code}\n'
                """#)
        #expect(
            lines == Self.printed + [
                "Access-Control-Allow-Origin: http://127.0.0.1:8000", "403",
            ])
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/mosquitto")
                && FileManager.default.isExecutableFile(atPath: "/usr/bin/mosquitto_sub"),
            "mosquitto and mosquitto-clients are not installed"))
    func theBrokerHasEachScan() throws {
        let lines = try lines(
            #"""
            start mosquitto -v -p "$port" >broker.log 2>&1
            until_true 'grep -q running broker.log'
            start bash subscribe.sh >printed
            until_true 'grep -q SUBACK broker.log'
            sed '/keywedge run/d' setup >products
            . ./products 2>daemon.log
            start bash mqtt.sh 2>daemon.log
            three_lines printed
            """#)
        #expect(lines == Self.printed)
    }
}
