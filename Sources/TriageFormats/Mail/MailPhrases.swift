/// Phrases, in many languages, with which email programs introduce quotes, forwarded messages and footers.
enum MailPhrases {
    enum HeaderKind { case from, date, to, subject }

    /// Whether the text is the line above a quote: `On … wrote:` or similar.
    static func isAttribution(_ text: [UInt8]) -> Bool {
        guard text.count >= 10, text.count <= 400, text.last == UInt8(ascii: ":") else { return false }
        let words = String(decoding: text, as: UTF8.self).replacing("\u{A0}", with: " ").replacing(
            "\u{202F}", with: " ")
        return attributions.contains { begin, middle in
            guard words.hasPrefix(begin) else { return false }
            guard let found = words.dropFirst(begin.count).firstRange(of: middle) else { return false }
            // At most a name stands between the verb and the colon.
            return words[found.upperBound...].count <= 120
        }
    }

    private static let attributions: [(String, String)] = [
        ("On ", " wrote"), ("Am ", " schrieb"), ("Le ", " a écrit"), ("El ", " escribió"), ("Em ", " escreveu"),
        ("Il ", " ha scritto"), ("Op ", " schreef"), ("W dniu ", " napisał"), ("W dniu ", " pisze"),
        ("Den ", " skrev"), ("Dne ", " napsal"), ("Il giorno ", " ha scritto"), ("A ", " escreveu"),
    ]

    /// Whether a line says that the text after it was written by others and is forwarded.
    static func isForwardMark(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count >= 20, line.count <= 120 else { return false }
        let text = String(decoding: line, as: UTF8.self)
        guard
            text.hasPrefix("-----") || text.hasPrefix("Begin forwarded message:")
                || text.hasPrefix("Anfang der weitergeleiteten Nachricht")
        else { return false }
        let words = text.lowercased()
        return forwards.contains { words.contains($0) }
    }

    private static let forwards = [
        "forwarded message", "weitergeleitete", "message transféré", "mensaje reenviado", "mensagem encaminhada",
        "messaggio inoltrato", "doorgestuurd bericht", "przekazana wiadomość", "vidarebefordrat",
    ]

    /// Which header field a line of a quoted header shows.
    static func headerKind(_ line: ArraySlice<UInt8>) -> HeaderKind? {
        // Some programs print the names in bold.
        let content = line.drop { $0 == 0x20 || $0 == UInt8(ascii: "*") || $0 == 0x09 }
        var colon = content.startIndex
        let limit = min(content.endIndex, colon + 24)
        while colon < limit, content[colon] != UInt8(ascii: ":") { colon += 1 }
        guard colon < limit else { return nil }
        let name = content[..<colon].filter { $0 != UInt8(ascii: "*") && $0 != 0x20 }
        guard colon + 1 < content.endIndex else { return nil }
        return headers[String(decoding: name, as: UTF8.self).lowercased()]
    }

    private static let headers: [String: HeaderKind] = [
        "from": .from, "von": .from, "de": .from, "da": .from, "van": .from, "od": .from, "från": .from,
        "sent": .date, "date": .date, "gesendet": .date, "datum": .date, "envoyé": .date, "enviado": .date,
        "enviada": .date, "fecha": .date, "data": .date, "inviato": .date, "verzonden": .date, "skickat": .date,
        "to": .to, "an": .to, "à": .to, "para": .to, "a": .to, "aan": .to, "till": .to, "do": .to,
        "subject": .subject, "betreff": .subject, "objet": .subject, "asunto": .subject, "assunto": .subject,
        "oggetto": .subject, "onderwerp": .subject, "temat": .subject, "ämne": .subject,
    ]

    /// Whether a line is a footer that a phone or program appends.
    ///
    /// `Sent from my heart` and `Sent via DHL` are not: the line must name a phone or a program, and neither ask nor
    /// offer anything.
    static func isDeviceLine(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count >= 10, line.count <= 80 else { return false }
        let text = String(decoding: line, as: UTF8.self).lowercased()
        guard let begin = devices.first(where: { text.hasPrefix($0) }) else { return false }
        let rest = text.dropFirst(begin.count)
        guard !rest.contains(where: { "?!€$£:".contains($0) }), rest.split(separator: " ").count <= 8 else {
            return false
        }
        return deviceNames.contains { text.contains($0) }
    }

    private static let deviceNames = [
        "iphone", "ipad", "ipod", "android", "galaxy", "samsung", "blackberry", "huawei", "honor", "pixel", "xiaomi",
        "redmi", "oneplus", "oppo", "nokia", "motorola", "sony", "htc", "windows", "mobil", "móvil", "handy", "phone",
        "telefon", "téléphone", "teléfono", "tablet", "outlook", "gmail", "yahoo", "proton", "superhuman", "spark",
        "gmx", "web.de", "mail app", "aol", "thunderbird", "fairemail", "k-9", "appareil", "telemóvel", "celular",
    ]

    private static let devices = [
        "sent from my ", "sent from mail for ", "sent from outlook", "sent via ", "get outlook for ",
        "von meinem iphone gesendet", "von meinem ipad gesendet", "gesendet von ", "gesendet mit ",
        "envoyé de mon ", "envoyé depuis ", "enviado desde mi ", "enviado do meu ", "enviado desde ",
        "inviato da iphone", "inviato dal mio ", "verstuurd vanaf mijn ", "skickat från min ", "wysłane z ",
    ]

    /// Whether a subject marks its email as a reply.
    static func isReply(_ subject: String) -> Bool {
        let rest = subject.drop { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }
        guard let colon = rest.prefix(8).firstIndex(of: ":") else { return false }
        let word = rest[..<colon].lowercased().prefix { $0 != "[" && $0 != "(" }.filter { $0 != " " }
        return replies.contains(word)
    }

    /// A subject without the prefixes of email programs, and whether they mark it as forwarded.
    static func title(_ subject: String) -> (title: String, isForward: Bool) {
        var rest = Substring(subject)
        var isForward = false
        for _ in 0..<20 {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }
            guard let colon = rest.prefix(8).firstIndex(of: ":") else { break }
            var word = rest[..<colon].lowercased()
            // Numbered prefixes: Re[2], RE (3).
            if let bracket = word.firstIndex(where: { $0 == "[" || $0 == "(" }) { word = String(word[..<bracket]) }
            word = word.filter { $0 != " " }
            guard replies.contains(word) || forwardWords.contains(word) else { break }
            // The outermost prefix says what this email is.
            if rest.startIndex == subject.startIndex { isForward = forwardWords.contains(word) }
            rest = rest[rest.index(after: colon)...]
        }
        rest = rest.drop { $0 == " " }
        return (String(rest), isForward)
    }

    private static let replies: Set<String> = ["re", "aw", "sv", "antw", "res", "odp", "vs", "rif"]
    private static let forwardWords: Set<String> = ["fwd", "fw", "wg", "tr", "rv", "enc", "vb", "doorst"]
}
