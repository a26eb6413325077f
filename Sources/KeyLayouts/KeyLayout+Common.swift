extension KeyLayout {
    /// The layouts a scanner is likely to be set to, the likeliest first.
    ///
    /// A choice of ours, for ``LayoutSuspicion``: a scanner leaves the factory set to `us`, and is
    /// then set to the keyboard of a country. No maker's list; what is not in it is not suspected.
    public static let commonOnScanners: [KeyLayout] = [
        ("us", nil), ("de", nil), ("fr", nil), ("gb", nil), ("es", nil), ("it", nil),
        ("ch", nil), ("ch", "fr"), ("be", nil), ("nl", nil), ("pt", nil), ("br", nil),
        ("se", nil), ("no", nil), ("dk", nil), ("fi", nil), ("pl", nil), ("cz", nil),
        ("cz", "qwerty"), ("sk", nil), ("sk", "qwerty"), ("hu", nil), ("hu", "qwerty"),
        ("si", nil), ("hr", nil), ("ro", nil), ("tr", nil), ("tr", "f"), ("ru", nil),
        ("bg", nil), ("gr", nil), ("il", nil), ("jp", nil), ("latam", nil), ("ca", nil),
        ("us", "intl"), ("us", "dvorak"),
    ].compactMap { (name: String, variant: String?) in KeyLayout(name: name, variant: variant) }
}
