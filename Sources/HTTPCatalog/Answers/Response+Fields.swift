import HTTPTypes
import WebAPI

extension Response {
    /// The value of a header field whose name a declaration gives; nil where there is none.
    func value(of name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }
}
