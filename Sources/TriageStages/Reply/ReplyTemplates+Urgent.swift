extension ReplyTemplates {
    /// Sober on purpose: no advice, no numbers that may be wrong where the reader lives, and the next step is a person.
    static let selfHarm = Template(
        name: "urgent.self-harm",
        en: [
            "I have read your message, and I am glad you wrote. I cannot give you the help you deserve from here, and you do "
                + "not have to carry this alone. If you are in danger right now, please call your local emergency services. "
                + "A crisis line in your country or someone near you can be there today. Please reach out to one of them now."
        ],
        es: [
            "he leído tu mensaje y me alegra que hayas escrito. Desde aquí no puedo darte la ayuda que mereces, y no tienes "
                + "que cargar con esto en soledad. Si estás en peligro ahora, llama a los servicios de emergencia de tu país. "
                + "Un teléfono de crisis o alguien cercano puede acompañarte hoy. Por favor, contacta ahora con alguien."
        ],
        pt: [
            "li a sua mensagem e ainda bem que escreveu. Daqui não consigo dar a ajuda que você merece, e não precisa passar "
                + "por isso sozinho. Se está em perigo agora, ligue para os serviços de emergência do seu país. Uma linha de "
                + "apoio em crise ou alguém próximo pode estar ao seu lado hoje. Por favor, procure alguém agora."
        ],
        fr: [
            "j'ai lu votre message, et vous avez bien fait d'écrire. Je ne peux pas vous donner d'ici l'aide que vous méritez, "
                + "et vous n'avez pas à porter cela sans personne. Si vous êtes en danger maintenant, appelez les secours de "
                + "votre pays. Une ligne d'écoute ou un proche peut être là aujourd'hui. Contactez quelqu'un maintenant, s'il "
                + "vous plaît."
        ],
        de: [
            "ich habe deine Nachricht gelesen, und es ist gut, dass du geschrieben hast. Von hier aus kann ich dir nicht die "
                + "Hilfe geben, die du verdienst, und du musst das nicht allein tragen. Wenn du gerade in Gefahr bist, ruf bitte "
                + "den Notruf. Eine Krisenberatung in deinem Land oder ein Mensch in deiner Nähe kann heute für dich da sein. "
                + "Bitte melde dich jetzt dort."
        ])

    static let threat = Template(
        name: "urgent.threat",
        en: [
            "this message has been read and kept. If anyone is in danger right now, please call the local emergency services. Threats are reported."
        ],
        es: [
            "este mensaje se ha leído y guardado. Si alguien está en peligro ahora, llame a los servicios de emergencia. Las amenazas se denuncian."
        ],
        pt: [
            "esta mensagem foi lida e guardada. Se alguém está em perigo agora, ligue para os serviços de emergência. Ameaças são denunciadas."
        ],
        fr: [
            "ce message a été lu et conservé. Si quelqu'un est en danger maintenant, appelez les secours. Les menaces sont signalées."
        ],
        de: [
            "diese Nachricht wurde gelesen und aufbewahrt. Ist gerade jemand in Gefahr, rufen Sie bitte den Notruf. Drohungen werden gemeldet."
        ])

    static let account = Template(
        name: "urgent.account",
        en: [
            "thank you for telling me quickly. Please use only the platform's own help pages, and send no passwords or codes to anyone, not to me either. I will look into it."
        ],
        es: [
            "gracias por avisar rápido. Usa solo las páginas de ayuda de la propia plataforma y no envíes contraseñas ni códigos a nadie, tampoco a mí. Lo voy a mirar."
        ],
        pt: [
            "obrigado por avisar depressa. Use só as páginas de ajuda da própria plataforma e não envie senhas nem códigos a ninguém, nem a mim. Vou ver o que se passa."
        ],
        fr: [
            "merci de me prévenir vite. N'utilisez que les pages d'aide de la plateforme et n'envoyez ni mot de passe ni code à personne, pas même à moi. Je vais regarder."
        ],
        de: [
            "danke für die schnelle Nachricht. Bitte nutze nur die Hilfeseiten der Plattform und schicke niemandem Passwörter oder Codes, auch mir nicht. Ich sehe es mir an."
        ])

    static let impersonation = Template(
        name: "urgent.impersonation",
        en: [
            "thank you for checking with me. Please treat every account that is not linked from my profile as not mine: send no money or data, and report it in the app."
        ],
        es: [
            "gracias por preguntarme. Trata como ajena toda cuenta que no esté enlazada en mi perfil: no envíes dinero ni datos y denúnciala en la aplicación."
        ],
        pt: [
            "obrigado por confirmar comigo. Trate como não sendo minha qualquer conta que não esteja no meu perfil: não envie dinheiro nem dados e denuncie no aplicativo."
        ],
        fr: [
            "merci de vérifier auprès de moi. Tout compte qui n'est pas lié depuis mon profil n'est pas le mien : n'envoyez ni argent ni données et signalez-le dans l'application."
        ],
        de: [
            "danke fürs Nachfragen. Bitte betrachte jedes Konto, das nicht in meinem Profil verlinkt ist, als nicht meins: kein Geld, keine Daten, und melde es in der App."
        ])

    static let urgent = Template(
        name: "urgent.other",
        en: [
            "your message has been read and will be looked at by a person. If someone is in danger, please call the local "
                + "emergency services first."
        ],
        es: [
            "tu mensaje se ha leído y lo mirará una persona. Si alguien está en peligro, llama antes a los servicios de "
                + "emergencia."
        ],
        pt: [
            "a sua mensagem foi lida e uma pessoa vai olhar para ela. Se alguém está em perigo, ligue primeiro para os "
                + "serviços de emergência."
        ],
        fr: [
            "votre message a été lu et une personne va s'en occuper. Si quelqu'un est en danger, appelez d'abord les secours."
        ],
        de: [
            "deine Nachricht wurde gelesen, und ein Mensch sieht sie sich an. Ist jemand in Gefahr, ruf bitte zuerst den "
                + "Notruf."
        ])

    /// Every template that stands for a whole draft, in the order of ``ReplySituation``.
    static let bySituation: [Template] = [
        praise, criticism, question, note, orderTrouble, condolence, hardship, offer, rates, invoice, press, gifting,
        representation, licence, job, event,
        charity, followUp, legal, selfHarm, threat, account, impersonation, urgent,
    ]
}
