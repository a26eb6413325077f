/// The catalogs that can be used by name.
///
/// They are the files of `examples/catalogs`, which are built into the program.
package enum Presets {
    /// The names, in alphabetical order.
    package static let names = texts.map(\.name)

    /// The declaration of a preset as YAML; nil where there is none of that name.
    package static func text(_ name: String) -> String? {
        texts.first { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private static let texts: [(name: String, bytes: [UInt8])] = [
        ("grocy", PackageResources.grocy_yaml),
        ("gs1-resolver", PackageResources.gs1_resolver_yaml),
        ("inventree", PackageResources.inventree_yaml),
        ("keywedge", PackageResources.keywedge_yaml),
        ("kroger", PackageResources.kroger_yaml),
        ("lightspeed-x", PackageResources.lightspeed_x_yaml),
        ("loyverse", PackageResources.loyverse_yaml),
        ("odoo", PackageResources.odoo_yaml),
        ("openfoodfacts", PackageResources.openfoodfacts_yaml),
        ("openfoodfacts-v3", PackageResources.openfoodfacts_v3_yaml),
        ("shopify", PackageResources.shopify_yaml),
        ("square", PackageResources.square_yaml),
        ("upcitemdb", PackageResources.upcitemdb_yaml),
        ("woocommerce", PackageResources.woocommerce_yaml),
    ]
}
