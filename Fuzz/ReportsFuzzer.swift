import Keystrokes
import ScannerInput

/// Reads each input of libFuzzer as the report descriptor of a hostile USB device, and as its reports.
///
/// Nothing may trap, and no scan may contain more characters than the reports had bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReports(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    let hostile = HIDPOSLayout(descriptor: Array(bytes.prefix(4096)))
    for layout in [hostile, usual].compactMap(\.self) { feed(bytes, layout) }
    return 0
}

private let usual = HIDPOSLayout(descriptor: VirtualHIDScanner.reportDescriptor)

/// Feeds the input as reports of 64 bytes, each up to about a second after the one before.
private func feed(_ bytes: [UInt8], _ layout: HIDPOSLayout) {
    var input = InterfaceAssembler(.hidPOS(layout), settings: ScanSettings())
    var time: Int64 = 0
    var received = 0
    for start in stride(from: 0, to: bytes.count, by: 64) {
        let report = Array(bytes[start..<min(start + 64, bytes.count)])
        time += Int64(report[0]) * 4_000
        received += report.count
        input.feed(.report(report, at: time)) { check($0, received) }
    }
    check(input.scans.finish(), received)
}

private func check(_ outcome: ScanAssembler.Outcome, _ received: Int) {
    guard case .scan(let scan) = outcome else { return }
    precondition(scan.keyCount <= received && scan.text.unicodeScalars.count <= received)
    precondition(scan.aim.map { $0.utf8.count == 3 } ?? true)
}
