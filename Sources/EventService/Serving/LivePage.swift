import HTTPService
import HTTPTypes
import Hummingbird

/// The files of the live page, which the interface shows in a browser.
///
/// They contain nothing about events, so a browser gets them without a token; the page then asks for
/// events as any other page does.
enum LivePage: String, CaseIterable {
    case document = ""
    case style = "live.css"
    case icon = "live.svg"
    case view = "live.js"
    case stream = "stream.js"
    case words = "words.js"

    /// What the page may do: nothing but show itself and ask this interface.
    ///
    /// Texts that were scanned stand in it. Should one ever be taken for HTML, no script in it runs, no
    /// other place is asked, and no text becomes HTML in the first place (`require-trusted-types-for`).
    private static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    /// The file, with the rules that a browser applies to it.
    var answer: Response {
        var answer = Response(mediaType, .asking, content)
        answer.set("Content-Security-Policy", Self.contentSecurityPolicy)
        answer.set("Referrer-Policy", "no-referrer")
        answer.set("Cross-Origin-Opener-Policy", "same-origin")
        answer.set("Cross-Origin-Resource-Policy", "same-origin")
        return answer
    }

    private var mediaType: String {
        switch self {
        case .document: "text/html; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        case .icon: "image/svg+xml"
        case .view, .stream, .words: "text/javascript; charset=utf-8"
        }
    }

    private var content: [UInt8] {
        switch self {
        case .document: PackageResources.live_html
        case .style: PackageResources.live_css
        case .icon: PackageResources.live_svg
        case .view: PackageResources.live_js
        case .stream: PackageResources.stream_js
        case .words: PackageResources.words_js
        }
    }
}
