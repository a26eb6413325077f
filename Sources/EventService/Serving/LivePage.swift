import HTTPService
import Hummingbird

/// The files of the live page and their security headers; the page shows events in a browser.
///
/// The files reveal nothing about events, so a browser gets them without a token. To request events, the page must send
/// the token, if one is configured, like any other client.
enum LivePage {
    static let answers: [(path: String, Response)] = {
        let script = "text/javascript; charset=utf-8"
        let files = [
            ("", "text/html; charset=utf-8", PackageResources.live_html),
            ("live.css", "text/css; charset=utf-8", PackageResources.live_css),
            ("live.svg", "image/svg+xml", PackageResources.live_svg),
            ("live.js", script, PackageResources.live_js),
            ("sound.js", script, PackageResources.sound_js),
            ("status.js", script, PackageResources.status_js),
            ("stream.js", script, PackageResources.stream_js),
            ("words.js", script, PackageResources.words_js),
        ]
        return files.map { path, mediaType, content in
            var answer = Response(mediaType, .asking, content)
            answer.set("Content-Security-Policy", contentSecurityPolicy)
            answer.set("Referrer-Policy", "no-referrer")
            answer.set("Cross-Origin-Opener-Policy", "same-origin")
            answer.set("Cross-Origin-Resource-Policy", "same-origin")
            return (path, answer)
        }
    }()

    /// The policy that lets the page load only its own files and send requests only to its own origin.
    ///
    /// The page shows scanned text. `require-trusted-types-for` prevents this text from becoming HTML. Even as HTML,
    /// the text could neither run scripts nor send requests to another server.
    private static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")
}
