/// The header field in which a service says through which others its products come.
enum ChainField {
    static let name = "Keywedge-Chain"
}
