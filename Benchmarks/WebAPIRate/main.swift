import Glibc

// A small server, and clients that send it requests as fast as they can: AsyncHTTPClient alone, and WebAPI on top of
// it. webapi-ratio runs them side by side.
//
//   WebAPIRate serve                                  prints its port, serves until stdin ends
//   WebAPIRate KIND PORT SECONDS CONCURRENCY          prints requests a second
//
// KIND is bare or output (with the content as bytes), or bare-typed or typed (with a model of the content).

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().compactMap { Int($0) }
do {
    if arguments.first == "serve" {
        try await Server.run()
    } else if numbers.count == 3, let workload = arguments.first.flatMap(Workload.init) {
        let rate = try await workload.rate(
            port: numbers[0], seconds: numbers[1], concurrency: numbers[2])
        print(Int(rate))
    } else {
        exit(2)
    }
} catch {
    var message = "\(error)\n"
    message.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
}
