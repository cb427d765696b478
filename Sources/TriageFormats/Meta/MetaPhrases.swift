/// Recognizes sentences that Instagram writes itself to describe what people did.
enum MetaPhrases {
    /// Whether the whole text only says that somebody reacted to a message.
    static func isReactionNotice(_ text: String) -> Bool {
        let trimmed = text.trimmingBlanks()
        if likes.contains(trimmed) { return true }
        return reactions.contains { begin, end in
            guard trimmed.hasPrefix(begin), trimmed.hasSuffix(end) else { return false }
            let middle = trimmed.dropFirst(begin.count).dropLast(end.count)
            // Between the two there is only an emoji.
            return trimmed.count > begin.count + end.count && middle.count <= 3
                && !middle.unicodeScalars.contains { $0.isASCII || $0.properties.isAlphabetic }
        }
    }

    /// Whether the whole text only says that something was attached.
    ///
    /// - Parameter isOwn: whether the owner sent it; nil: unknown. Only the owner's notices begin with `You`.
    static func isAttachmentNotice(_ text: String, sender: String, isOwn: Bool?) -> Bool {
        let trimmed = text.trimmingBlanks()
        if isOwn != false, attachedByMe.contains(trimmed) { return true }
        guard !sender.isEmpty, trimmed.hasPrefix(sender) else { return false }
        let rest = String(trimmed.dropFirst(sender.count))
        return attached.contains(rest) || attachedElsewhere.contains(rest)
    }

    /// Whether a notice is one of those known from the start, whose words are left out of generated ids.
    static func isOldNotice(_ text: String, sender: String) -> Bool {
        let trimmed = text.trimmingBlanks()
        return attachedByMe.contains(trimmed) || attached.contains(String(trimmed.dropFirst(sender.count)))
    }

    /// Whether the whole text describes an action in the group or in a call.
    ///
    /// Text that could be a person's own sentence counts as one. Meta's notices begin with the sender's name, or with
    /// `You` for the owner, and name only participants.
    ///
    /// - Parameters:
    ///   - isOwn: whether the owner sent it; nil: unknown.
    ///   - people: names of the participants.
    static func isSystemNotice(_ text: String, sender: String, isOwn: Bool?, people: [String]) -> Bool {
        let trimmed = text.trimmingBlanks()
        guard !sender.isEmpty, trimmed.utf8.count <= 300, !trimmed.utf8.contains(0x0A),
            let name = [sender, "You"].first(where: { trimmed.hasPrefix($0 + " ") }), name == sender || isOwn != false
        else { return false }
        let rest = trimmed.dropFirst(name.count + 1)
        if acts.contains(String(rest)) { return true }
        func between(_ begin: String, _ end: String) -> Substring? {
            guard rest.hasPrefix(begin), rest.hasSuffix(end), rest.count > begin.count + end.count else { return nil }
            return rest.dropFirst(begin.count).dropLast(end.count)
        }
        if let title = between("named the group ", ".") {
            return name == sender && title.utf8.count <= 60 && !title.contains { ".?!,;:".contains($0) }
        }
        guard let others = between("added ", " to the group.") ?? between("removed ", " from the group.") else {
            return false
        }
        let known = Set(people + ["you", "You"])
        return others.replacing(" and ", with: ", ").split(separator: ", ").allSatisfy {
            known.contains(String($0))
        }
    }

    private static let likes: Set<String> = [
        "Liked a message", "Le gustó un mensaje", "Curtiu uma mensagem", "Gostou de uma mensagem", "A aimé un message",
        "Hat eine Nachricht mit „Gefällt mir“ markiert", "Ha messo \"Mi piace\" a un messaggio",
    ]

    private static let reactions: [(String, String)] = [
        ("Reacted ", " to your message"), ("Reacted ", " to a message"), ("Reaccionó con ", " a tu mensaje"),
        ("Reagiu com ", " à sua mensagem"), ("Reagiu ", " à sua mensagem"), ("A réagi ", " à votre message"),
        ("A réagi avec ", " à votre message"), ("Hat mit ", " auf deine Nachricht reagiert"),
        ("Ha reagito con ", " al tuo messaggio"),
    ]

    private static let attachedByMe: Set<String> = [
        "You sent an attachment.", "Has enviado un archivo adjunto.", "Enviaste un archivo adjunto.",
        "Você enviou um anexo.", "Vous avez envoyé une pièce jointe.", "Du hast einen Anhang gesendet.",
        "Hai inviato un allegato.",
    ]

    private static let attached: Set<String> = [
        " sent an attachment.", " envió un archivo adjunto.", " ha enviado un archivo adjunto.", " enviou um anexo.",
        " a envoyé une pièce jointe.", " hat einen Anhang gesendet.", " ha inviato un allegato.",
    ]

    /// Notices in further languages, as far as they are known.
    private static let attachedElsewhere: Set<String> = [
        " heeft een bijlage verzonden.", " heeft een bijlage gestuurd.", " heeft een bijlage verstuurd.",
        " bir ek gönderdi.", " wysłał(a) załącznik.", " wysyła załącznik.", " отправил(-а) вложение.",
        " отправил(а) вложение.", " mengirim lampiran.", " skickade en bilaga.", " har skickat en bilaga.",
        " sendte en vedhæftet fil.", " sendte et vedlegg.", " lähetti liitteen.", " odeslal(a) přílohu.",
        " poslal(a) přílohu.", " a trimis un atașament.", " elküldött egy mellékletet.", " đã gửi một file đính kèm.",
        " đã gửi tệp đính kèm.", "が添付ファイルを送信しました。", "さんが添付ファイルを送信しました。", "님이 첨부 파일을 보냈습니다.",
        " a envoyé un fichier joint.", " enviou um ficheiro em anexo.", " mandó un archivo adjunto.",
    ]

    private static let acts: Set<String> = [
        "created the group.", "left the group.", "joined the group.", "started a video chat", "started a video chat.",
        "started an audio call", "started an audio call.", "changed the group photo.", "changed the theme.",
        "pinned a message.",
    ]
}
