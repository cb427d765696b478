import TriageCore

/// The style sheet of a report, and the policy that allows nothing but this style.
enum ReportStyle {
    /// Allows the style by its digest, and nothing else.
    static let policy =
        "default-src 'none'; style-src 'sha256-\(digest(css))'; base-uri 'none'; form-action 'none'"

    /// Five stars, drawn once for the whole page.
    static let symbols: String = {
        let star = "M8 1l2.2 4.6 5 .7-3.6 3.5.9 5L8 12.4l-4.5 2.4.9-5L.8 6.3l5-.7z"
        let paths = (0..<5).map { "<path d=\"\(star)\" transform=\"translate(\($0 * 16))\"/>" }.joined()
        return "<svg width=\"0\" height=\"0\" class=\"unseen\" aria-hidden=\"true\">"
            + "<symbol id=\"stars\" viewBox=\"0 0 80 16\">\(paths)</symbol></svg>"
    }()

    /// Contrast is at least 4.5 : 1 for text and 3 : 1 for graphics, in both color schemes; distances are multiples of
    /// 8.
    static let css = """
        :root{color-scheme:light dark;--page:#f5f6f8;--card:#fff;--ink:#1a1d21;--soft:#58606a;--rule:#d9dde2;--track:#e4e7eb;--fan:#c2255c;--business:#1662bf;--spam:#69717b;--urgent:#c22626;--positive:#23774a;--ai:#6f3bc4;--gold:#855d00;--star:#b07a00;--mark:#8a4b00}
        @media (prefers-color-scheme:dark){:root{--page:#0f1216;--card:#191d23;--ink:#eceff3;--soft:#a6b0bb;--rule:#363d47;--track:#2d343d;--fan:#ff85b3;--business:#78b5ff;--spam:#a3acb7;--urgent:#ff8f8a;--positive:#67cf98;--ai:#c4a5ff;--gold:#f0c04a;--star:#f0c04a;--mark:#ffb46b}}
        @media (forced-colors:active){:root{--page:Canvas;--card:Canvas;--ink:CanvasText;--soft:CanvasText;--rule:CanvasText;--track:Canvas;--fan:Highlight;--business:CanvasText;--spam:GrayText;--urgent:CanvasText;--positive:Highlight;--ai:Highlight;--gold:CanvasText;--star:Highlight;--mark:CanvasText}svg .track{stroke:CanvasText;stroke-width:1px}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
        header,main,footer{max-width:72rem;margin:0 auto;padding:0 16px}
        header{padding-top:32px}
        footer{padding-top:8px;padding-bottom:48px;color:var(--soft);font-size:.875rem}
        h1{font-size:1.75rem;line-height:1.25;margin:0}
        h2{font-size:1.25rem;line-height:1.4;margin:0 0 8px}
        h3{font-size:1rem;line-height:1.5;margin:0}
        p{margin:0 0 8px}
        section{background:var(--card);border:1px solid var(--rule);border-radius:16px;padding:16px;margin:16px 0;min-width:0}
        .soft,figcaption{color:var(--soft)}
        figure{margin:0}
        figcaption{margin-bottom:16px}
        svg{display:block;max-width:100%}
        .plot{overflow:visible}
        text{font-size:14px;fill:var(--ink);unicode-bidi:plaintext}
        text.tick,text.value{fill:var(--soft)}
        text.tick{font-size:12px;paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
        .grid{stroke:var(--rule);stroke-width:1}
        .fan{fill:var(--fan)}.business{fill:var(--business)}.spam,.none{fill:var(--spam)}.positive{fill:var(--positive)}.negative{fill:var(--urgent)}.language,.ai{fill:var(--ai)}.gold{fill:var(--star)}.track{fill:var(--track)}
        .none,.faint{fill-opacity:.6}
        .tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(136px,1fr));gap:16px;margin:0 0 8px}
        .tiles dt{color:var(--soft);font-size:.875rem}
        .tiles dd{margin:0}
        .tiles b{display:block;font-size:1.75rem;line-height:1.25;font-weight:600;font-variant-numeric:tabular-nums}
        .tiles dd>span{color:var(--soft);font-size:.875rem}
        .legend{display:flex;flex-wrap:wrap;gap:0 16px;list-style:none;margin:0 0 8px;padding:0;color:var(--soft);font-size:.875rem}
        .legend li{display:flex;align-items:center;gap:8px}
        details{margin-top:8px}
        summary{cursor:pointer;color:var(--soft);min-height:44px;padding:10px 0}
        :focus-visible{outline:3px solid var(--business);outline-offset:2px;border-radius:4px}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;font-size:.875rem;min-width:100%;font-variant-numeric:tabular-nums}
        th,td{text-align:right;padding:8px;border-bottom:1px solid var(--rule);font-weight:400;vertical-align:top;overflow-wrap:normal}
        th:first-child{text-align:left;min-width:96px;overflow-wrap:anywhere}
        thead th{color:var(--soft)}
        .cards{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:minmax(0,1fr);gap:16px}
        .cards>li{border-top:1px solid var(--rule);padding-top:16px;min-width:0}
        .facts{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;color:var(--soft);font-size:.875rem;margin:8px 0}
        .facts b{color:var(--ink)}
        .id{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.8125rem}
        .badge{display:inline-block;border:1px solid currentcolor;border-radius:16px;padding:0 8px;font-size:.8125rem;line-height:22px;color:var(--spam)}
        .badge.fan{color:var(--fan)}.badge.business,.badge.blue{color:var(--business)}.badge.urgent,.badge.negative{color:var(--urgent)}.badge.gold{color:var(--gold)}
        .score{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
        .score b{font-size:1.5rem;line-height:1.25;font-variant-numeric:tabular-nums}
        .stars{display:inline-flex;flex-wrap:wrap;align-items:center;gap:0 8px}
        .parts{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:8px 24px;margin:8px 0}
        .parts div{display:grid;grid-template-columns:1fr auto;gap:0 8px;font-size:.875rem}
        .parts dd{margin:0;color:var(--soft);font-variant-numeric:tabular-nums}
        .parts dd+dd{grid-column:1/-1}
        .insights,.notes{margin:8px 0;padding-inline-start:24px;list-style:disc}
        blockquote{margin:0;padding:0;padding-inline-start:16px;border-inline-start:4px solid var(--rule)}
        .mark{color:var(--mark);font:.8125em ui-monospace,Menlo,Consolas,monospace;unicode-bidi:isolate;direction:ltr}
        code{font:.9375em ui-monospace,Menlo,Consolas,monospace}
        .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        @media (min-width:48rem){header,main,footer{padding-left:32px;padding-right:32px}section{padding:24px}.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:16px}.pair section{margin:0}.pair{margin:16px 0}.offers{grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:16px 32px}}
        @media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#444;--rule:#bbb;--track:#e4e7eb;--fan:#c2255c;--business:#1662bf;--spam:#69717b;--urgent:#c22626;--positive:#23774a;--ai:#6f3bc4;--gold:#855d00;--star:#b07a00;--mark:#8a4b00}body{font-size:11pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}header,main,footer{max-width:none;padding:0}section{border:0;border-top:1px solid #bbb;border-radius:0;padding:8px 0}figure,.cards>li,tr{break-inside:avoid}h2,h3{break-after:avoid}summary{display:none}details::details-content{content-visibility:visible;display:block;block-size:auto}.scroll{overflow:visible}}
        """

    /// The SHA-256 of a text in base64, the form in which a policy names a style.
    private static func digest(_ text: String) -> String {
        var hash = SHA256()
        hash.update(Array(text.utf8))
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let bytes = hash.digest()
        var out: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32(16 - 8 * $1.offset) }
            for place in 0..<4 {
                let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
                out.append(place <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
