extension ReplyTemplates {
    static let offer = Template(
        name: "business.offer",
        en: [
            "thank you for the offer. Could you send the brief, the dates and the usage you have in mind? I will get back to "
                + "you by {date}.",
            "thanks for thinking of me. To look at this properly I need the brief, the timing and the rights you would "
                + "like. You will hear from me by {date}.",
        ],
        es: [
            "gracias por la propuesta. ¿Podrías enviarme el briefing, las fechas y los derechos de uso previstos? Te "
                + "respondo antes del {date}."
        ],
        pt: [
            "obrigado pela proposta. Pode enviar o briefing, as datas e os direitos de uso previstos? Respondo até {date}."
        ],
        fr: [
            "merci pour la proposition. Pourriez-vous m'envoyer le brief, les dates et les droits d'utilisation prévus ? "
                + "Je vous réponds avant le {date}."
        ],
        de: [
            "danke für das Angebot. Könnten Sie mir das Briefing, die Termine und die gewünschten Nutzungsrechte schicken? "
                + "Ich melde mich bis {date}."
        ])

    static let rates = Template(
        name: "business.rates",
        en: [
            "thanks for asking about rates. For work like this it is {rate}; usage rights are agreed apart. Could you send "
                + "the brief and the dates?",
            "thank you for your interest. The rate for this is {rate}. If that fits, please send the brief and the timing.",
        ],
        es: [
            "gracias por preguntar por las tarifas. Para un trabajo así son {rate}; los derechos de uso se acuerdan aparte. "
                + "¿Podrías enviar el briefing y las fechas?"
        ],
        pt: [
            "obrigado por perguntar pelos valores. Para este tipo de trabalho são {rate}; os direitos de uso são combinados "
                + "à parte. Pode enviar o briefing e as datas?"
        ],
        fr: [
            "merci pour votre intérêt. Pour ce type de travail, le tarif est de {rate} ; les droits d'utilisation se "
                + "conviennent à part. Pourriez-vous envoyer le brief et les dates ?"
        ],
        de: [
            "danke für die Anfrage. Für so etwas liegt der Preis bei {rate}; Nutzungsrechte werden getrennt vereinbart. "
                + "Könnten Sie Briefing und Termine schicken?"
        ])

    static let invoice = Template(
        name: "business.invoice",
        en: ["thank you for the note about payment. I am checking the invoice and will confirm its state by {date}."],
        es: ["gracias por el aviso sobre el pago. Reviso la factura y confirmo su estado antes del {date}."],
        pt: ["obrigado pelo aviso sobre o pagamento. Vou verificar a fatura e confirmo a situação até {date}."],
        fr: [
            "merci pour le message au sujet du paiement. Je vérifie la facture et vous confirme où elle en est avant le {date}."
        ],
        de: ["danke für die Nachricht zur Zahlung. Ich prüfe die Rechnung und gebe bis {date} Bescheid, wie es steht."])

    static let press = Template(
        name: "business.press",
        en: [
            "thank you for the invitation. Could you tell me the questions, the length and when it will be published? I will "
                + "say by {date} whether it works."
        ],
        es: [
            "gracias por la invitación. ¿Me dices las preguntas, la duración y cuándo se publica? Respondo antes del {date}."
        ],
        pt: ["obrigado pelo convite. Pode dizer as perguntas, a duração e quando será publicado? Respondo até {date}."],
        fr: [
            "merci pour l'invitation. Pourriez-vous m'indiquer les questions, la durée et la date de publication ? Je vous "
                + "réponds avant le {date}."
        ],
        de: [
            "danke für die Einladung. Können Sie mir die Fragen, die Länge und den Termin der Veröffentlichung nennen? Ich "
                + "sage bis {date} Bescheid."
        ])

    static let gifting = Template(
        name: "business.gifting",
        en: [
            "thank you for the kind offer. Before anything is sent: is a post expected in return, and is there a budget for "
                + "it? I will answer by {date}."
        ],
        es: [
            "gracias por el detalle. Antes de enviar nada: ¿se espera una publicación a cambio, y hay presupuesto? Respondo "
                + "antes del {date}."
        ],
        pt: [
            "obrigado pela gentileza. Antes de enviar algo: espera-se uma publicação em troca, e há orçamento? Respondo até "
                + "{date}."
        ],
        fr: [
            "merci pour la proposition. Avant tout envoi : une publication est-elle attendue en échange, et y a-t-il un budget "
                + "? Je vous réponds avant le {date}."
        ],
        de: [
            "danke für das Angebot. Bevor etwas verschickt wird: Wird dafür ein Beitrag erwartet, und gibt es ein Budget? Ich "
                + "antworte bis {date}."
        ])

    static let representation = Template(
        name: "business.representation",
        en: [
            "thank you for your interest in working together. Please send your terms and a few people you represent; I will read them in peace."
        ],
        es: [
            "gracias por el interés. Envíame vuestras condiciones y algunas personas a las que representáis; lo leeré con calma."
        ],
        pt: ["obrigado pelo interesse. Envie as condições e alguns nomes que representam; vou ler com calma."],
        fr: [
            "merci pour votre intérêt. Envoyez-moi vos conditions et quelques personnes que vous représentez ; je les lirai à tête reposée."
        ],
        de: [
            "danke für das Interesse. Schicken Sie mir bitte Ihre Konditionen und ein paar Namen, die Sie vertreten; ich lese es in Ruhe."
        ])

    static let licence = Template(
        name: "business.licence",
        en: [
            "thank you for asking first. Please tell me what you would like to use, where, for how long and in which "
                + "countries; the fee for that would be {rate}."
        ],
        es: [
            "gracias por preguntar antes. Dime qué quieres usar, dónde, durante cuánto tiempo y en qué países; la tarifa sería "
                + "{rate}."
        ],
        pt: [
            "obrigado por perguntar antes. Diga o que quer usar, onde, por quanto tempo e em que países; o valor seria {rate}."
        ],
        fr: [
            "merci de demander d'abord. Dites-moi ce que vous souhaitez utiliser, où, combien de temps et dans quels pays ; le "
                + "tarif serait de {rate}."
        ],
        de: [
            "danke, dass Sie vorher fragen. Was möchten Sie nutzen, wo, wie lange und in welchen Ländern? Die Gebühr dafür wäre "
                + "{rate}."
        ])

    static let job = Template(
        name: "business.job",
        en: [
            "thank you for writing. Please send a short summary of the work and where I can see more; I will answer by {date}."
        ],
        es: ["gracias por escribir. Envíame un resumen breve y dónde puedo ver más; respondo antes del {date}."],
        pt: ["obrigado por escrever. Envie um breve resumo e onde posso ver mais; respondo até {date}."],
        fr: [
            "merci pour votre message. Envoyez-moi un bref résumé et où en voir plus ; je vous réponds avant le {date}."
        ],
        de: [
            "danke für die Nachricht. Schicken Sie mir kurz, worum es geht und wo ich mehr sehe; ich antworte bis {date}."
        ])

    static let event = Template(
        name: "business.event",
        en: [
            "thank you for the invitation. Could you send the date, the place, the audience, the fee and who covers travel? I will answer by {date}."
        ],
        es: [
            "gracias por la invitación. ¿Me envías fecha, lugar, público, honorarios y quién cubre el viaje? Respondo antes del {date}."
        ],
        pt: [
            "obrigado pelo convite. Pode enviar data, local, público, valor e quem cobre a viagem? Respondo até {date}."
        ],
        fr: [
            "merci pour l'invitation. Pourriez-vous m'envoyer la date, le lieu, le public, le cachet et qui prend en charge le voyage ? Je vous réponds avant le {date}."
        ],
        de: [
            "danke für die Einladung. Können Sie mir Datum, Ort, Publikum, Honorar und die Regelung der Reisekosten schicken? Ich antworte bis {date}."
        ])

    static let charity = Template(
        name: "business.charity",
        en: [
            "thank you for what you do and for thinking of me. Please send a page about the campaign and its dates; I will answer by {date}."
        ],
        es: [
            "gracias por lo que hacéis y por pensar en mí. Enviadme información de la campaña y las fechas; respondo antes del {date}."
        ],
        pt: [
            "obrigado pelo que fazem e por pensarem em mim. Enviem informação da campanha e as datas; respondo até {date}."
        ],
        fr: [
            "merci pour ce que vous faites et d'avoir pensé à moi. Envoyez-moi une page sur la campagne et les dates ; je vous réponds avant le {date}."
        ],
        de: [
            "danke für Ihre Arbeit und dass Sie an mich denken. Schicken Sie mir bitte etwas zur Aktion und die Termine; ich antworte bis {date}."
        ])

    static let followUp = Template(
        name: "business.follow-up",
        en: ["thank you for following up. I have your message in front of me and will answer by {date}."],
        es: ["gracias por el seguimiento. Tengo el mensaje delante y respondo antes del {date}."],
        pt: ["obrigado pelo retorno. Estou com a mensagem à frente e respondo até {date}."],
        fr: ["merci pour la relance. J'ai votre message sous les yeux et je vous réponds avant le {date}."],
        de: ["danke für die Nachfrage. Die Nachricht liegt vor mir, ich antworte bis {date}."])

    static let legal = Template(
        name: "legal",
        en: [
            "thank you for your message. It has been received. A person will read it and answer; nothing is agreed or admitted by this note."
        ],
        es: [
            "gracias por su mensaje. Ha sido recibido. Una persona lo leerá y responderá; esta nota no acepta ni admite nada."
        ],
        pt: [
            "obrigado pela mensagem. Foi recebida. Uma pessoa vai lê-la e responder; esta nota não aceita nem admite nada."
        ],
        fr: [
            "merci pour votre message, bien reçu. Une personne le lira et répondra ; cette note ne vaut ni accord ni reconnaissance."
        ],
        de: [
            "danke für Ihre Nachricht. Sie ist angekommen. Ein Mensch wird sie lesen und antworten; diese Zeilen sind weder Zusage noch Anerkenntnis."
        ])
}
