/// The exports whose columns their names alone do not tell.
///
/// Most systems need no line here: the general names of ``CatalogField``, ``CodeName`` and ``PriceName``
/// recognise them. Names are written in lower case, without blanks and punctuation; `price*` is any
/// name that begins so. Of the names for a field the first that the header has counts.
struct ExportFormat {
    /// What the system is called.
    let system: String
    /// The names that the header of such an export has.
    let marks: [String]
    /// The columns of fields.
    let columns: [CatalogField: [String]]

    static let all = [
        // Each store has a price; `Default price` is that of new stores.
        ExportFormat(
            system: "Loyverse", marks: ["handle", "sku", "soldbyweight"],
            columns: [.price: ["price*", "defaultprice"]]),
        // With markets, each has prices of its own besides: `Price / International`.
        ExportFormat(
            system: "Shopify", marks: ["handle", "variantprice"],
            columns: [.price: ["variantprice"]]),
        ExportFormat(
            system: "Shopify", marks: ["urlhandle", "compareatprice"],
            columns: [.price: ["price"]]),
        ExportFormat(
            system: "Lightspeed Retail (R-Series)", marks: ["systemid", "customsku", "price"],
            columns: [.name: ["item", "description"], .price: ["price", "defaultprice"]]),
        ExportFormat(
            system: "Odoo", marks: ["listprice", "defaultcode"], columns: [.price: ["listprice"]]),
        ExportFormat(
            system: "Odoo", marks: ["listprice", "barcode", "name", "id"],
            columns: [.price: ["listprice"]]),
        ExportFormat(
            system: "JTL-Wawi", marks: ["artikelnummer", "stdvkbrutto"],
            columns: [.price: ["stdvkbrutto"]]),
        ExportFormat(
            system: "JTL-Wawi", marks: ["artikelnummer", "bruttovk"],
            columns: [.price: ["bruttovk"]]),
        ExportFormat(
            system: "Shopware 6", marks: ["productnumber", "pricegross", "pricenet"],
            columns: [.price: ["pricegross"]]),
        // Prices of the customer group EK, which is everybody.
        ExportFormat(
            system: "Shopware 5", marks: ["ordernumber", "mainnumber", "priceek"],
            columns: [.id: ["ordernumber"], .variant: ["additionaltext"], .price: ["priceek"]]),
        ExportFormat(
            system: "PrestaShop", marks: ["pricetaxincluded", "pricetaxexcluded"],
            columns: [.price: ["pricetaxincluded"]]),
        ExportFormat(
            system: "PrestaShop", marks: ["pricetaxincl", "pricetaxexcl"],
            columns: [.price: ["pricetaxincl"]]),
        // Their retail price is the recommended one.
        ExportFormat(
            system: "BigCommerce", marks: ["productcodesku", "price"],
            columns: [.price: ["price"]]),
    ]

    /// The format of a header; nil for any other.
    init?(header names: [String]) {
        let known = Set(names)
        guard let format = Self.all.first(where: { known.isSuperset(of: $0.marks) }) else {
            return nil
        }
        self = format
    }

    private init(system: String, marks: [String], columns: [CatalogField: [String]]) {
        (self.system, self.marks, self.columns) = (system, marks, columns)
    }

    /// The columns of a field; nil if the format does not say.
    func columns(of field: CatalogField, in names: [String]) -> [Int]? {
        for pattern in columns[field] ?? [] {
            let found = names.indices.filter { index in
                pattern.hasSuffix("*")
                    ? names[index].hasPrefix(pattern.dropLast()) : names[index] == pattern
            }
            if !found.isEmpty { return found }
        }
        return nil
    }
}
