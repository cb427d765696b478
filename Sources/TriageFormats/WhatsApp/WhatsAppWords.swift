/// WhatsApp's placeholder texts in the languages of most phones; in lower case, without a final period.
enum WhatsAppWords {
    /// Lines that stand for media that was not exported, with its type.
    static let omitted: [String: String] = [
        "<media omitted>": "file", "<medien ausgeschlossen>": "file", "<multimedia omitido>": "file",
        "<médias omis>": "file", "<mídia oculta>": "file", "<arquivo de mídia oculto>": "file",
        "<media omessi>": "file", "<media weggelaten>": "file", "<medya dahil edilmedi>": "file",
        "<без медиафайлов>": "file", "<pominięto multimedia>": "file", "<media tidak disertakan>": "file",
        "<तस्वीर और वीडियो शामिल नहीं है>": "file", "<ficheiro não revelado>": "file",
        "image omitted": "image", "photo omitted": "image", "video omitted": "video", "video note omitted": "video",
        "audio omitted": "audio", "sticker omitted": "sticker", "gif omitted": "gif", "document omitted": "file",
        "contact card omitted": "contact",
        "bild weggelassen": "image", "video weggelassen": "video", "audio weggelassen": "audio",
        "sticker weggelassen": "sticker", "gif weggelassen": "gif", "dokument weggelassen": "file",
        "kontaktkarte weggelassen": "contact", "kontaktkarte ausgelassen": "contact",
        "imagen omitida": "image", "video omitido": "video", "audio omitido": "audio", "sticker omitido": "sticker",
        "gif omitido": "gif", "documento omitido": "file", "tarjeta de contacto omitida": "contact",
        "image absente": "image", "vidéo absente": "video", "audio omis": "audio", "sticker omis": "sticker",
        "gif retiré": "gif", "document manquant": "file", "fiche contact manquante": "contact",
        "imagem ocultada": "image", "imagem omitida": "image", "vídeo omitido": "video", "vídeo ocultado": "video",
        "áudio ocultado": "audio", "áudio omitido": "audio", "figurinha omitida": "sticker",
        "cartão do contato omitido": "contact",
        "immagine omessa": "image", "video omesso": "video", "audio omesso": "audio", "sticker non incluso": "sticker",
        "gif esclusa": "gif", "documento omesso": "file", "scheda contatto omessa": "contact",
        "afbeelding weggelaten": "image", "video weggelaten": "video", "audio weggelaten": "audio",
        "sticker weggelaten": "sticker", "gif weggelaten": "gif", "document weggelaten": "file",
        "contactkaart weggelaten": "contact",
        "görüntü dahil edilmedi": "image", "video dahil edilmedi": "video", "ses dahil edilmedi": "audio",
        "изображение отсутствует": "image", "видео отсутствует": "video", "аудиофайл отсутствует": "audio",
    ]

    /// The word in `<attached: name>`.
    static let attached: Set<String> = [
        "attached", "anhang", "adjunto", "archivo adjunto", "pièce jointe", "allegato", "anexado", "anexo", "bijlage",
        "ekli", "вложение", "прикреплено", "załączono",
    ]

    /// The words in `name (file attached)`.
    static let fileAttached: Set<String> = [
        "file attached", "datei angehängt", "archivo adjunto", "fichier joint", "arquivo anexado", "file allegato",
        "bestand bijgevoegd", "dosya ekli", "файл добавлен", "plik w załączniku", "file terlampir",
    ]

    static let deleted: Set<String> = [
        "this message was deleted", "you deleted this message", "this message has been deleted",
        "diese nachricht wurde gelöscht", "du hast diese nachricht gelöscht", "se eliminó este mensaje",
        "este mensaje fue eliminado", "eliminaste este mensaje", "ce message a été supprimé",
        "vous avez supprimé ce message", "mensagem apagada", "esta mensagem foi apagada", "você apagou esta mensagem",
        "apagou esta mensagem", "questo messaggio è stato eliminato", "hai eliminato questo messaggio",
        "dit bericht is verwijderd", "dit bericht werd verwijderd", "u hebt dit bericht verwijderd",
        "je hebt dit bericht verwijderd", "bu mesaj silindi", "bu mesajı sildiniz", "данное сообщение удалено",
        "вы удалили данное сообщение", "ta wiadomość została usunięta", "usunięto tę wiadomość",
        "pesan ini telah dihapus", "anda menghapus pesan ini",
    ]

    /// The text in `<…>` at the end of an edited message.
    static let edited: Set<String> = [
        "this message was edited", "diese nachricht wurde bearbeitet", "se editó este mensaje",
        "este mensaje fue editado", "ce message a été modifié", "mensagem editada", "esta mensagem foi editada",
        "questo messaggio è stato modificato", "dit bericht is bewerkt", "bu mesaj düzenlendi",
        "данное сообщение изменено", "сообщение изменено", "ta wiadomość została edytowana", "pesan ini diedit",
    ]

    /// Words before a poll's question, and before each option.
    static let polls: [(question: String, option: String)] = [
        ("POLL:", "OPTION:"), ("UMFRAGE:", "OPTION:"), ("ENCUESTA:", "OPCIÓN:"), ("SONDAGE:", "OPTION:"),
        ("SONDAGE :", "OPTION :"), ("ENQUETE:", "OPÇÃO:"), ("SONDAGEM:", "OPÇÃO:"), ("SONDAGGIO:", "OPZIONE:"),
        ("PEILING:", "OPTIE:"), ("ANKET:", "SEÇENEK:"), ("ОПРОС:", "ВАРИАНТ:"),
    ]

    static let liveLocations: Set<String> = [
        "live location shared", "live-standort geteilt", "live-standort wird geteilt",
        "ubicación en tiempo real compartida", "localisation en direct partagée",
        "localização em tempo real compartilhada", "posizione in tempo reale condivisa", "live locatie gedeeld",
    ]

    static let calls: Set<String> = [
        "voice call", "video call", "missed voice call", "missed video call", "missed group voice call",
        "missed group video call", "silenced voice call", "silenced video call", "group voice call",
        "group video call", "sprachanruf", "videoanruf", "verpasster sprachanruf", "verpasster videoanruf",
        "verpasster gruppen-sprachanruf", "llamada de voz", "videollamada", "llamada perdida",
        "llamada de voz perdida", "videollamada perdida", "appel vocal", "appel vidéo", "appel vocal manqué",
        "appel vidéo manqué", "chamada de voz", "chamada de vídeo", "chamada de voz perdida",
        "chamada de vídeo perdida", "chiamata vocale", "videochiamata", "chiamata vocale persa",
        "videochiamata persa", "spraakoproep", "video-oproep", "gemiste spraakoproep", "gemiste video-oproep",
    ]

    /// The beginnings of all lines that consist entirely of WhatsApp's words.
    private static let beginnings = Set(
        [Array(omitted.keys), Array(deleted), Array(liveLocations), Array(calls)].joined().map { beginning($0.utf8) })

    /// The first three bytes in lower case; 0: lowercasing them is not trivial.
    private static func beginning(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var value: UInt32 = 0
        for byte in bytes.prefix(3) {
            guard byte < 0x80 else { return 0 }
            let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
            value = value << 8 | UInt32(lower)
        }
        return value
    }

    /// Whether a line could consist of such words; the first letters rule out most lines.
    static func mayBegin(_ line: [UInt8]) -> Bool {
        let value = beginning(line.drop(while: Opening.isBlank))
        return value == 0 || beginnings.contains(value)
    }

    /// Words before the URL of a place.
    static let places: Set<String> = [
        "location", "standort", "ubicación", "localisation", "localização", "posizione", "locatie", "konum",
        "местоположение", "lokalizacja", "lokasi", "localización", "plats", "sijainti", "موقع", "स्थान",
    ]

    /// Units of call durations.
    static let units: Set<String> = [
        "s", "sec", "secs", "second", "seconds", "sek", "seg", "min", "mins", "minute", "minutes", "minuten", "minutos",
        "minuti", "hr", "hrs", "hour", "hours", "h", "std", "stunde", "stunden", "hora", "horas", "heure", "heures",
        "ora", "ore", "uur", "dk", "sn", "мин", "сек", "ч", "с",
    ]

    /// What follows a call after a comma, in lines not marked as WhatsApp's own.
    static let callEnds: Set<String> = [
        "no answer", "answered on other device", "tap to call back", "keine antwort", "sin respuesta", "pas de réponse",
        "sem resposta", "nessuna risposta", "geen antwoord",
    ]
}

/// Distinguishes WhatsApp's notices from people's messages.
enum WhatsAppNotices {
    /// Phrases in lines that are marked as WhatsApp's own.
    private static let parts = [
        "created this group", "created group", "created the group", "added you", " added ", " removed ", " left",
        "changed the group", "changed this group", "changed their", "changed to a new", "changed the subject",
        "now an admin", "security code", "disappearing messages", "message timer", "blocked this contact",
        "unblocked this contact", "invite link", "pinned a message", "started a call", "is a contact",
        "joined from the community", "this business", "turned on", "turned off", "were added", "was added",
        "hat die gruppe", "hat diese gruppe", "hinzugefügt", "entfernt", "hat die gruppe verlassen",
        "sicherheitsnummer", "einladungslink", "creó este grupo", "creó el grupo", "añadió", "eliminó a",
        "salió del grupo", "código de seguridad", "enlace de invitación", "a créé ce groupe", "a créé le groupe",
        "a ajouté", "a quitté", "code de sécurité", "criou este grupo", "criou o grupo", "adicionou", "removeu",
        "código de segurança", "ha creato questo gruppo", "ha creato il gruppo", "ha aggiunto", "ha rimosso",
        "heeft deze groep", "heeft de groep", "toegevoegd", "beveiligingscode",
    ]

    private static let encryption = [
        "messages and calls are end-to-end encrypted", "messages to this chat and calls are now secured",
        "messages to this group are now secured", "messages you send to this chat and calls are now secured",
        "messages and calls to this chat are end-to-end encrypted",
        "nachrichten und anrufe sind ende-zu-ende-verschlüsselt", "los mensajes y las llamadas están cifrados",
        "les messages et les appels sont chiffrés", "les messages et appels sont chiffrés",
        "as mensagens e as chamadas são protegidas", "as mensagens e ligações são protegidas",
        "i messaggi e le chiamate sono crittografati", "berichten en oproepen zijn end-to-end versleuteld",
        "mesajlar ve aramalar uçtan uca şifrelidir", "сообщения и звонки защищены сквозным шифрованием",
    ]

    private static let firsts = encryption.compactMap(\.utf8.first)
    private static let seconds = encryption.compactMap { $0.utf8.dropFirst().first.map { $0 | 0x20 } }

    /// Whether a line is the notice about encryption at the top of chats.
    static func isEncryption(_ line: String) -> Bool {
        // A quick check: the shortest notice is longer, and comparing texts character by character is slow.
        guard line.utf8.count >= 30, let first = line.utf8.first, first >= 0x80 || firsts.contains(first | 0x20) else {
            return false
        }
        let second = line.utf8.dropFirst().prefix(1).first ?? 0
        guard first >= 0x80 || second >= 0x80 || seconds.contains(second | 0x20) else { return false }
        let line = line.lowercased()
        return encryption.contains { line.hasPrefix($0) }
    }

    /// Whether a line with a speaker is a WhatsApp notice.
    ///
    /// People quote such lines, and their keyboards insert marks too: in doubt, it is a person's message.
    ///
    /// - Parameters:
    ///   - line: the first line of the message, without marks.
    ///   - isMarked: whether it began with the mark that precedes WhatsApp's own text.
    ///   - isWhole: whether there is no other line; notices have only one.
    static func isNotice(_ line: String, author: String, isMarked: Bool, isWhole: Bool) -> Bool {
        guard isWhole else { return false }
        if line.hasPrefix(author + " ") {
            // Nobody types the tilde; but a person's message may begin with their own name or number.
            if isMarked || WhatsAppAuthor.isUnsaved(author) { return true }
            if WhatsAppAuthor.number(author) != nil, hasPart(line) { return true }
        }
        if isEncryption(line), isMarked || isWholeEncryption(line) { return true }
        return isMarked && !line.contains("?") && hasPart(line)
    }

    /// Whether a line without a speaker is a WhatsApp notice by its words, or by the name it begins with.
    static func isNotice(line: String, among speakers: [String]) -> Bool {
        if isEncryption(line) || hasPart(line) { return true }
        return speakers.contains { line.hasPrefix($0 + " ") }
    }

    private static func hasPart(_ line: String) -> Bool {
        guard line.utf8.count <= 300 else { return false }
        let line = line.lowercased()
        return parts.contains { line.contains($0) }
    }

    /// Whether the notice is all that the line says; a person who quotes it continues differently.
    private static func isWholeEncryption(_ line: String) -> Bool {
        guard line.utf8.count <= 300, !line.contains("?") else { return false }
        let lower = line.lowercased()
        guard let begin = encryption.first(where: { lower.hasPrefix($0) }) else { return false }
        let rest = lower.dropFirst(begin.count)
        // Some languages continue in the same sentence: `… with end-to-end encryption.`
        return rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix(" with end-to-end") || rest.hasPrefix(" de ")
            || rest.hasPrefix(" de bout en bout") || rest.hasPrefix(" com ") || rest.hasPrefix(" end-to-end")
    }

    /// Whether a name is part of a notice that contains a colon, such as a group's new name.
    static func isNoticeName(_ name: String, count: Int) -> Bool {
        guard count == 1, name.contains("\"") || name.contains("“") || name.contains("„") || name.contains("«") else {
            return false
        }
        let line = name.lowercased()
        return parts.contains { line.contains($0) }
    }
}
