/// Sentences that Instagram writes itself in place of what people did.
enum MetaPhrases {
    /// Whether a whole text says only that somebody reacted to a message.
    static func isReactionNotice(_ text: String) -> Bool {
        let trimmed = text.trimmingBlanks()
        if likes.contains(trimmed) { return true }
        return reactions.contains { begin, end in
            guard trimmed.hasPrefix(begin), trimmed.hasSuffix(end) else { return false }
            let middle = trimmed.dropFirst(begin.count).dropLast(end.count)
            // Between the two stands an emoji and nothing that a person would write.
            return trimmed.count > begin.count + end.count && middle.count <= 3
                && !middle.unicodeScalars.contains { $0.properties.isAlphabetic }
        }
    }

    /// Whether a whole text says only that something was attached.
    static func isAttachmentNotice(_ text: String, sender: String) -> Bool {
        let trimmed = text.trimmingBlanks()
        if attachedByMe.contains(trimmed) { return true }
        guard !sender.isEmpty, trimmed.hasPrefix(sender) else { return false }
        return attached.contains(String(trimmed.dropFirst(sender.count)))
    }

    /// Whether a whole text says what somebody did to the group or in a call.
    static func isSystemNotice(_ text: String, sender: String) -> Bool {
        let trimmed = text.trimmingBlanks()
        guard !sender.isEmpty, let name = [sender, "You"].first(where: { trimmed.hasPrefix($0 + " ") }) else {
            return false
        }
        let rest = trimmed.dropFirst(name.count + 1)
        if rest.hasPrefix("named the group ") { return true }
        return acts.contains(String(rest)) || (rest.hasPrefix("added ") && rest.hasSuffix(" to the group."))
            || (rest.hasPrefix("removed ") && rest.hasSuffix(" from the group."))
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

    private static let acts: Set<String> = [
        "created the group.", "left the group.", "joined the group.", "started a video chat", "started a video chat.",
        "started an audio call", "started an audio call.", "changed the group photo.", "changed the theme.",
        "pinned a message.",
    ]
}
