/// Words that bind the creator: a draft that accepts, promises, confirms or refuses says what only a person may say.
///
/// Drafts are asked for without such words, so that one that has them was talked into it, or has not listened.
enum DraftPromises {
    /// Whether the text binds the creator in words that the answer of the library does not hold.
    static func binds(_ text: String, answer: String) -> Bool {
        let words = joined(text)
        let allowed = joined(answer)
        if phrases.contains(where: { words.contains($0) && !allowed.contains($0) }) { return true }
        return unspaced.contains { text.contains($0) && !answer.contains($0) }
    }

    private static func joined(_ text: String) -> String { " " + Money.words(of: text).joined(separator: " ") + " " }

    private static let phrases = [
        // English
        "i accept", "we accept", "gladly accept", "happily accept", "i agree", "we agree", "agreed", "i promise",
        "we promise",
        "you have my word", "it s a deal", "have a deal", "got a deal", "deal is done", "i confirm", "we confirm",
        "confirmed",
        "i hereby", "i guarantee", "we guarantee", "guaranteed", "i commit", "count me in", "i will pay", "i ll pay",
        "we will pay", "we ll pay", "i will refund", "i ll refund", "we ll refund", "i authorize", "i authorise",
        "i approve",
        "i decline", "i refuse", "have to decline", "must decline", "i am signing", "i will sign", "i ll sign",
        "i ll do it",
        "i will do it", "consider it done",
        // Spanish, Portuguese, Italian
        "acepto", "aceptamos", "prometo", "confirmo", "confirmado", "trato hecho", "tienes mi palabra", "garantizo",
        "autorizo",
        "pagaré", "rechazo", "estoy de acuerdo", "me comprometo", "aceito", "aceitamos", "negócio fechado", "fechado",
        "combinado", "garanto", "pagarei", "recuso", "estou de acordo", "accetto", "prometto", "confermo",
        "affare fatto",
        "garantisco", "pagherò", "rifiuto", "mi impegno",
        // French
        "j accepte", "nous acceptons", "je promets", "je confirme", "marché conclu", "je garantis", "je m engage",
        "je paierai", "je refuse", "j autorise", "c est d accord", "je suis d accord",
        // German, Dutch
        "ich akzeptiere", "nehme das angebot an", "nehme dein angebot an", "nehme ihr angebot an", "ich verspreche",
        "versprochen", "ich bestätige", "ich garantiere", "abgemacht", "ich zahle", "sage ich zu", "ich sage zu",
        "ich stimme zu",
        "ich bin einverstanden", "ich lehne", "ik accepteer", "ik beloof", "akkoord", "ik bevestig", "afgesproken",
        // Swedish, Norwegian, Danish
        "jag accepterar", "jag lovar", "jag bekräftar", "jeg aksepterer", "jeg accepterer", "jeg lover",
        "jeg bekrefter",
        "jeg bekræfter", "avtalt", "aftalt",
        // Polish, Czech
        "zgadzam się", "akceptuję", "obiecuję", "potwierdzam", "gwarantuję", "souhlasím", "přijímám", "slibuji",
        "potvrzuji",
        // Russian, Ukrainian
        "я согласен", "я согласна", "принимаю", "обещаю", "подтверждаю", "гарантирую", "договорились", "заплачу",
        "погоджуюсь",
        "обіцяю", "підтверджую",
        // Turkish, Indonesian, Hindi in Latin letters, Vietnamese
        "kabul ediyorum", "söz veriyorum", "onaylıyorum", "anlaştık", "garanti ederim", "saya terima", "saya setuju",
        "saya janji", "saya konfirmasi", "sepakat", "manzoor hai", "wada karta", "wada karti", "tôi đồng ý", "tôi hứa",
    ].map { " " + $0 + " " }

    /// In scripts without blanks between words, and with endings that run on.
    private static let unspaced = [
        "約束します", "お約束", "承諾", "お受けします", "契約成立", "保証します", "我接受", "我同意", "我保证", "我保證", "我承诺", "我承諾", "成交", "수락합니다",
        "약속합니다", "약속드", "동의합니다", "보장합니다", "أقبل", "أوافق", "أعدك", "أؤكد", "اتفقنا", "मंज़ूर", "वादा", "ตกลง", "สัญญา",
    ]
}
