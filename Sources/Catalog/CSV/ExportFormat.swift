/// The exports whose columns their names alone do not tell.
///
/// Most systems need no line here: ``NameList``, ``CodeName`` and ``PriceName`` recognise their columns.
struct ExportFormat {
    /// What the system is called.
    let system: String
    /// Names that the header of such an export has; with an underscore if another system's has a blank.
    private let marks: [String]
    /// The names of columns; of those for a field the first that the header has counts.
    private let columns: [(field: String, name: String)]

    // `price*` is any name that begins so. Loyverse: each store has a price, the default one is that of new stores. Shopify: with markets, each
    // has prices of its own besides. Shopware 5: EK is the customer group of everybody. BigCommerce: the
    // retail price is the recommended one.
    private static let all = """
        Loyverse | handle sku soldbyweight | price=price* price=defaultprice
        Shopify | handle variantprice | price=variantprice
        Shopify | urlhandle compareatprice | price=price
        Lightspeed Retail (R-Series) | systemid customsku price | name=item name=description price=price
        Odoo | list_price default_code | price=listprice
        Odoo | list_price standard_price | price=listprice
        Odoo | lstprice | price=lstprice
        JTL-Wawi | artikelnummer stdvkbrutto | price=stdvkbrutto
        JTL-Wawi | artikelnummer bruttovk | price=bruttovk
        Shopware 6 | productnumber pricegross pricenet | price=pricegross
        Shopware 5 | ordernumber mainnumber priceek | id=ordernumber variant=additionaltext price=priceek
        PrestaShop | pricetaxincluded pricetaxexcluded | price=pricetaxincluded
        PrestaShop | pricetaxincl pricetaxexcl | price=pricetaxincl
        BigCommerce | productcodesku price | price=price
        """.split(separator: "\n").map { ExportFormat(line: $0.split(separator: "|")) }

    /// The format of a header; nil for any other.
    init?(header names: [String]) {
        let known = Set(names)
        guard let format = Self.all.first(where: { known.isSuperset(of: $0.marks) }) else {
            return nil
        }
        self = format
    }

    private init(line parts: [Substring]) {
        system = parts[0].dropLast().description
        marks = parts[1].split(separator: " ").map(String.init)
        columns = parts[2].split(separator: " ").map { column in
            let sides = column.split(separator: "=").map(String.init)
            return (sides[0], sides[1])
        }
    }

    /// The columns of a field; nil if the format does not say.
    func columns(of field: CatalogField, in names: [String]) -> [Int]? {
        for (known, name) in columns where known == field.rawValue {
            let found = names.indices.filter { index in
                name.hasSuffix("*")
                    ? names[index].hasPrefix(name.dropLast()) : names[index] == name
            }
            if !found.isEmpty { return found }
        }
        return nil
    }
}
