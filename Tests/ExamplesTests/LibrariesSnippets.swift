import Barcodes

// The Swift code in docs/libraries.md, line by line; DocumentedSnippetsTests compares it.

func explain() {
    let (aim, text) = AIMIdentifier.split("]d201095060001343521726123110LOT-7")
    let barcode = BarcodeDecoder().decode(text, aim: aim?.description)
    print(barcode.kind.rawValue, barcode.gtin?.text ?? "no GTIN")
    for element in barcode.gs1?.elements ?? [] { print(element.title, element.value) }
}
