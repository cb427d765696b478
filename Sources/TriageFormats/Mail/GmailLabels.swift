/// The labels that Gmail gives a message, in the language of the account.
struct GmailLabels {
    enum Place: String { case spam, trash, drafts, chats, sent, inbox }

    let names: [String]
    private(set) var places = Set<Place>()

    init(_ header: String?) {
        names = (header ?? "").split(separator: ",").map { label in
            var text = label.drop { $0 == " " || $0 == "\"" }
            while text.last == " " || text.last == "\"" { text = text.dropLast() }
            return String(text)
        }.filter { !$0.isEmpty }
        for name in names { if let place = Self.places[name.lowercased()] { places.insert(place) } }
    }

    /// Why a message is not for the creator to read; nil: it is.
    var reasonToSkip: Place? { [.spam, .trash, .drafts, .chats].first { places.contains($0) } }

    private static let places: [String: Place] = {
        let words: [(Place, [String])] = [
            (.spam, ["spam", "junk", "skräppost", "søppelpost", "roskaposti", "спам", "迷惑メール", "垃圾邮件", "스팸함"]),
            (
                .trash,
                [
                    "trash", "bin", "papierkorb", "corbeille", "papelera", "lixeira", "lixo", "cestino", "prullenbak",
                    "kosz", "papperskorgen", "papirkurv", "roskakori", "çöp kutusu", "koš", "корзина", "ゴミ箱",
                    "已删除邮件", "휴지통",
                ]
            ),
            (
                .drafts,
                [
                    "drafts", "draft", "entwürfe", "entwurf", "brouillons", "brouillon", "borradores", "borrador",
                    "rascunhos", "rascunho", "bozze", "concepten", "wersje robocze", "utkast", "kladder",
                    "luonnokset", "taslaklar", "koncepty", "черновики", "下書き", "草稿", "임시보관함",
                ]
            ),
            (.chats, ["chat", "chats", "hangouts"]),
            (
                .sent,
                [
                    "sent", "gesendet", "messages envoyés", "envoyés", "enviados", "enviado", "enviadas",
                    "posta inviata", "inviati", "inviata", "verzonden", "wysłane", "skickat", "sendt", "lähetetyt",
                    "gönderilmiş postalar", "odeslaná pošta", "отправленные", "送信済みメール", "已发邮件", "보낸편지함",
                ]
            ),
            (
                .inbox,
                [
                    "inbox", "posteingang", "boîte de réception", "recibidos", "bandeja de entrada",
                    "caixa de entrada", "entrada", "posta in arrivo", "postvak in", "odebrane", "inkorg", "innboks",
                    "indbakke", "postilaatikko", "gelen kutusu", "doručená pošta", "входящие", "受信トレイ", "收件箱",
                    "받은편지함",
                ]
            ),
        ]
        var table: [String: Place] = [:]
        for (place, names) in words { for name in names { table[name] = place } }
        return table
    }()
}
