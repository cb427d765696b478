import TriageCore

/// The style of the page.
enum PageStyle {
    /// Contrast of text is at least 4.5 : 1, of marks 3 : 1, in both schemes.
    static let css = """
        :root{--page:#fff;--ink:#1b1f24;--soft:#57606a;--rule:#d5dae0;--band:#f4f6f8;--s1:#1f5fbf;--s2:#b4500b;--s3:#1a7f4e;--s4:#7a45c2}
        @media (prefers-color-scheme:dark){:root{--page:#14181d;--ink:#e6eaef;--soft:#9aa5b1;--rule:#343c46;--band:#1c2229;--s1:#79aefc;--s2:#f2a065;--s3:#63cf99;--s4:#bda0f5}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
        main{max-width:1160px;margin:0 auto;padding:24px 20px 64px}
        h1{font-size:26px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
        h2{font-size:19px;margin:40px 0 8px;padding-top:12px;border-top:1px solid var(--rule);overflow-wrap:anywhere}
        small,.lead,.note,figcaption{color:var(--soft);font-weight:400}
        small{font-size:14px;margin-left:6px}
        .note,figcaption{font-size:13px;margin:4px 0}
        .legend span{display:inline-flex;align-items:center;gap:6px;margin-right:18px}
        .scroll{overflow-x:auto}
        :focus-visible{outline:3px solid var(--s1);outline-offset:2px}
        table{border-collapse:collapse;margin:8px 0;font-size:14px}
        th,td{text-align:left;padding:4px 14px 4px 8px;border-bottom:1px solid var(--rule);vertical-align:top;max-width:420px;overflow-wrap:anywhere}
        th:not(.number),td:not(.number){min-width:8.5em}
        th{font-weight:500}
        thead th{color:var(--soft);font-weight:400}
        tbody tr:nth-child(even){background:var(--band)}
        .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        .plots{display:flex;flex-wrap:wrap;gap:12px 32px;align-items:flex-start;margin-top:12px}
        figure{margin:0;max-width:100%}
        figcaption{max-width:356px}
        svg{max-width:100%;height:auto}
        details{margin-top:12px}
        summary{cursor:pointer;color:var(--soft)}
        text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--soft)}
        text.axis,text.share{fill:var(--ink)}
        text.count{font-size:14px;fill:var(--ink)}
        .grid{stroke:var(--rule);stroke-width:1}
        .ideal{stroke:var(--soft);stroke-width:1;stroke-dasharray:4 4;fill:none}
        .line{fill:none;stroke-width:2}
        .dot{stroke:var(--page);stroke-width:1}
        .line.s1{stroke:var(--s1)}.line.s2{stroke:var(--s2)}.line.s3{stroke:var(--s3)}.line.s4{stroke:var(--s4)}
        .dot.s1{fill:var(--s1)}.dot.s2{fill:var(--s2)}.dot.s3{fill:var(--s3)}.dot.s4{fill:var(--s4)}
        .frame{fill:var(--band)}
        .hit{fill:var(--s1)}
        .miss{fill:var(--s2)}
        @media print{.scroll{overflow:visible}figure,tr{break-inside:avoid}h2,h3{break-after:avoid}}
        """

    /// SHA-256 of a text in base64, as a policy names a style.
    static func digest(_ text: String) -> String {
        var hash = SHA256()
        hash.update(Array(text.utf8))
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var out: [UInt8] = []
        let digest = hash.digest()
        for start in stride(from: 0, to: digest.count, by: 3) {
            let group = digest[start..<min(start + 3, digest.count)]
            var bits: UInt32 = 0
            for (place, byte) in group.enumerated() { bits |= UInt32(byte) << UInt32(16 - 8 * place) }
            for place in 0..<4 {
                out.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : 0x3D)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
