import Catalog
import WireText

/// Writes products and pages of them as JSON.
///
/// Members that a product does not have are left out.
enum ProductText {
    /// One product.
    static func product(_ product: Product) -> [UInt8] {
        var text: [UInt8] = []
        append(product, to: &text)
        return text
    }

    /// All products with a code.
    static func lookup(_ match: Match?) -> [UInt8] {
        var text = Array("{\"products\":".utf8)
        append(match?.candidates ?? [], to: &text)
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// A page of products.
    static func page(_ page: ProductPage) -> [UInt8] {
        var text = Array("{\"products\":".utf8)
        append(page.products, to: &text)
        append("total", number: page.total, to: &text)
        if let next = page.next { append("next", "\(next)", to: &text) }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private static func append(_ products: [Product], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        for (index, product) in products.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            append(product, to: &text)
        }
        text.append(UInt8(ascii: "]"))
    }

    private static func append(_ product: Product, to text: inout [UInt8]) {
        text += "{\"id\":".utf8
        JSONWriter.append(product.id, to: &text)
        if let name = product.name { append("name", name, to: &text) }
        if let price = product.price {
            append("price", price.amount, to: &text)
            append("currency", price.currency.code, to: &text)
        }
        if !product.datedPrices.isEmpty {
            text += ",\"prices\":".utf8
            JSONWriter.append(.array(product.datedPrices.map(\.json)), to: &text)
        }
        if let unit = product.unit { append("unit", unit, to: &text) }
        if !product.codes.isEmpty { append("codes", product.codes, to: &text) }
        if !product.attributes.isEmpty {
            text += ",\"attributes\":{".utf8
            for (index, attribute) in product.sortedAttributes.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                JSONWriter.append(attribute.name, to: &text)
                text.append(UInt8(ascii: ":"))
                JSONWriter.append(attribute.value, to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
        text.append(UInt8(ascii: "}"))
    }

    private static func append(_ name: String, _ value: String, to text: inout [UInt8]) {
        text += ",\"\(name)\":".utf8
        JSONWriter.append(value, to: &text)
    }

    private static func append(_ name: String, _ values: [String], to text: inout [UInt8]) {
        text += ",\"\(name)\":[".utf8
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            JSONWriter.append(value, to: &text)
        }
        text.append(UInt8(ascii: "]"))
    }

    private static func append(_ name: String, number: Int, to text: inout [UInt8]) {
        text += ",\"\(name)\":\(number)".utf8
    }
}
