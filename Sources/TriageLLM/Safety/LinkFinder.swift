/// Finds everything in a draft that leads elsewhere: links, bare domains, IP addresses, and their disguises.
///
/// It is deliberately broad: "great.thanks" counts as a domain. A dropped draft costs a person a minute, but a link
/// that slips through may cost a follower's account.
enum LinkFinder {
    /// The links, normalized for comparison: lower case, without scheme, `www.` and final slash.
    static func links(in text: String) -> [String] {
        tokens(of: text).compactMap { isLink($0) ? key($0) : nil }
    }

    /// Whether a link is written so that only a person can follow it: `hxxp`, `[.]`, `(dot)`, "example dot com".
    static func isDisguised(_ text: String) -> Bool {
        let lower = text.lowercased()
        let marks = [
            "hxxp", "[.]", "(.)", "{.}", "[dot]", "(dot)", "{dot}", "(at)", "[at]", "{at}", "(punkt)", "(punto)",
        ]
        if marks.contains(where: { Text.contains(Array(lower.utf8), Array($0.utf8)) }) { return true }
        let words = Money.words(of: lower)
        return words.indices.contains { place in
            place + 1 < words.count && place > 0 && (words[place] == "dot" || words[place] == "punkt")
                && spokenEndings.contains(words[place + 1])
        }
    }

    private static let spokenEndings: Set<String> = [
        "com", "net", "org", "io", "me", "co", "link", "app", "gg", "ly", "ru", "de", "fr", "es", "br", "uk", "info",
        "xyz", "shop", "site", "online", "top",
    ]

    private static func tokens(of text: String) -> [[Unicode.Scalar]] {
        var scalars = text.unicodeScalars.map(Text.narrow)
        for index in scalars.indices where "\u{3002}\u{FF61}\u{2024}\u{FF0E}".unicodeScalars.contains(scalars[index]) {
            // Between Latin letters, browsers treat an ideographic full stop as the dot of a domain.
            let isInside =
                index > 0 && index + 1 < scalars.count && isLatin(scalars[index - 1]) && isLatin(scalars[index + 1])
            if isInside { scalars[index] = "." }
        }
        return scalars.split {
            $0.properties.isWhitespace || "\"'<>()[]{}|,;*`\u{AB}\u{BB}\u{201C}\u{201D}".unicodeScalars.contains($0)
        }
        .map { trimmed(Array($0)) }
    }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        Text.isASCIILetter(scalar) || Text.isASCIIDigit(scalar)
    }

    private static func trimmed(_ token: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let isEdge: (Unicode.Scalar) -> Bool = { ".!?:\u{2026}-_~".unicodeScalars.contains($0) }
        return Array(token.drop(while: isEdge).reversed().drop(while: isEdge).reversed())
    }

    private static func isLink(_ token: [Unicode.Scalar]) -> Bool {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: token)
        let lower = String(view).lowercased()
        if Text.contains(Array(lower.utf8), Array("://".utf8)) || lower.hasPrefix("www.") { return true }
        for scheme in ["mailto:", "tel:", "sms:", "javascript:", "data:", "tg:", "whatsapp:", "intent:", "file:", "//"]
        where lower.hasPrefix(scheme) { return true }
        return hasDomain(token) || hasAddress(token)
    }

    /// A dot after a letter or digit, followed by two or more letters at the end of the name.
    private static func hasDomain(_ token: [Unicode.Scalar]) -> Bool {
        for index in token.indices where token[index] == "." && index > 0 {
            let before = token[index - 1]
            guard before.properties.isAlphabetic || PersonalData.digit(before) >= 0 || before == "-" else { continue }
            var end = index + 1
            while end < token.count, token[end].properties.isAlphabetic { end += 1 }
            if end - index > 2 { return true }
        }
        return false
    }

    /// Four groups of digits separated by dots.
    private static func hasAddress(_ token: [Unicode.Scalar]) -> Bool {
        token.split(separator: ":")[...].first?.split(separator: "/").first.map { head in
            let groups = head.split(separator: ".", omittingEmptySubsequences: false)
            return groups.count == 4
                && groups.allSatisfy { !$0.isEmpty && $0.count <= 3 && $0.allSatisfy(Text.isASCIIDigit) }
        } ?? false
    }

    private static func key(_ token: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: token)
        var key = Substring(String(view).lowercased())
        for prefix in ["https://", "http://", "www."] where key.hasPrefix(prefix) { key = key.dropFirst(prefix.count) }
        while key.hasSuffix("/") { key = key.dropLast() }
        return String(key)
    }
}
