import Barcodes
import Glibc

// Prints how many times each line of standard input is decoded in a second of processor time. A line consists of an
// AIM identifier or a dash, a tab, and the text, in which GS is not escaped.

func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func rate(_ text: String, aim: String?) -> Double {
    let decoder = BarcodeDecoder()
    var count = 0
    var problems = 0
    let start = processorSeconds()
    var elapsed = 0.0
    while elapsed < 1 {
        for _ in 0..<10_000 {
            let barcode = decoder.decode(text, aim: aim)
            // The result is used, so that the compiler cannot remove the decoding.
            problems &+= barcode.problems.count &+ (barcode.gtin == nil ? 1 : 0)
        }
        count += 10_000
        elapsed = processorSeconds() - start
    }
    return problems < 0 ? 0 : Double(count) / elapsed
}

while let line = readLine() {
    guard let tab = line.firstIndex(of: "\t") else { continue }
    let aim = line[..<tab]
    let text = String(line[line.index(after: tab)...])
    print(Int(rate(text, aim: aim == "-" ? nil : String(aim))))
}
