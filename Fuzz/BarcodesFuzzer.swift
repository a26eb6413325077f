import Barcodes

/// Decodes each input of libFuzzer: nothing may trap, and each decoded value must be the same after it is written and
/// read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBarcodes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    guard let choice = bytes.first else { return 0 }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    let aim = identifiers[Int(choice) % identifiers.count]
    let decoder = decoders[Int(choice) / identifiers.count % decoders.count]
    let barcode = decoder.decode(text, aim: aim)
    checkShape(barcode, text)
    checkNumber(barcode)
    if let message = barcode.gs1 { checkMessage(message, barcode.problems) }
    checkKeys(text)
    return 0
}

private let identifiers: [String?] = [
    nil, "]E0", "]E1", "]E2", "]E3", "]E4", "]C0", "]C1", "]e0", "]d2", "]d5", "]Q1", "]Q3",
    "]J1", "]I1", "]I3", "]A0", "]",
]

private let decoders: [BarcodeDecoder] =
    [BarcodeDecoder()]
    + [BarcodeDecoder(settings: .init(content: .gs1, upcE: .unexpanded))]
    + Region.allCases.map { BarcodeDecoder(settings: .init(region: $0)) }

/// Checks that offsets lie within the text, and that a redaction counts all of its characters.
private func checkShape(_ barcode: Barcode, _ text: String) {
    let length = text.unicodeScalars.count
    precondition(barcode.text == text)
    for problem in barcode.problems {
        precondition(problem.span.map { 0 <= $0.lowerBound && $0.upperBound <= length } ?? true)
        precondition(!problem.message.isEmpty)
    }
    precondition((SensitiveContent.detect(text)?.length ?? length) == length)
}

/// Checks that each spelling of a GTIN is read as the same GTIN, and that only ambiguous codes have alternatives.
private func checkNumber(_ barcode: Barcode) {
    guard let gtin = barcode.gtin else { return }
    precondition((try? GTIN(gtin.text)) == gtin)
    for spelling in [gtin.gtin8, gtin.gtin12, gtin.gtin13] {
        precondition(spelling.map { (try? GTIN($0)) == gtin } ?? true)
    }
    precondition(gtin.upcE.map { GTIN(upcE: $0) == gtin } ?? true)
    let isAmbiguous = barcode.problems.contains { $0.code == .ambiguous }
    precondition(isAmbiguous == !barcode.alternatives.isEmpty)
}

/// Checks that a message without errors is the same after it is written in each form and read again.
private func checkMessage(_ message: GS1Message, _ problems: [Problem]) {
    for element in message.elements {
        _ = (element.title, element.decimal, element.currency, element.date(currentYear: 2026))
    }
    let link = message.digitalLink
    guard problems.allSatisfy({ $0.severity == .warning }) else { return }
    let decoder = BarcodeDecoder()
    precondition(decoder.decode(message.bracketed, aim: nil).gs1 == message)
    let scanned = message.elements.map { $0.ai + $0.value }.joined(separator: "\u{1D}")
    precondition(decoder.decode(scanned, aim: "]C1").gs1 == message)
    guard let link else { return }
    guard let read = decoder.decode(link, aim: "]Q1").gs1 else { preconditionFailure(link) }
    precondition(Set(read.elements) == Set(message.elements))
    precondition(read.digitalLink == link)
}

/// Checks that types which validate a text return it unchanged, apart from a GTIN's leading zeros.
private func checkKeys(_ text: String) {
    precondition((try? GTIN(text)).map { $0.text.hasSuffix(text) } ?? true)
    precondition(ApplicationIdentifier(text).map { $0.text == text } ?? true)
    _ = try? InStorePattern(text)
}
