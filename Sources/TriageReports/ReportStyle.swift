import ShippedPages
import TriageCore

/// The style sheet of a report, and the policy that allows nothing but this style.
enum ReportStyle {
    /// Allows the style by its digest, and nothing else.
    static let policy =
        "default-src 'none'; style-src 'sha256-\(SHA256.base64(css))'; base-uri 'none'; form-action 'none'"

    /// Five stars, drawn once for the whole page.
    static let symbols: String = {
        let star = "M8 1l2.2 4.6 5 .7-3.6 3.5.9 5L8 12.4l-4.5 2.4.9-5L.8 6.3l5-.7z"
        let paths = (0..<5).map { "<path d=\"\(star)\" transform=\"translate(\($0 * 16))\"/>" }.joined()
        return "<svg width=\"0\" height=\"0\" class=\"unseen\" aria-hidden=\"true\">"
            + "<symbol id=\"stars\" viewBox=\"0 0 80 16\">\(paths)</symbol></svg>"
    }()

    /// `report.css` of `ShippedPages`, without its last line break.
    static let css = String(
        decoding: UnsafeBufferPointer(start: shipped_report_css.bytes, count: shipped_report_css.count).dropLast(),
        as: UTF8.self)
}
