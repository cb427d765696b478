/// The words of drafts that no answer of the library covers.
///
/// Every wording stands for itself: a greeting goes before it, and a name below it in e-mail. `{…}` marks what a person
/// must fill in; nothing here promises, prices or decides anything. They are plain on purpose: the creator's voice comes
/// from the creator, who reads every draft before it is sent.
enum ReplyTemplates {
    /// Words for one situation; each list holds the wordings to choose from.
    struct Template {
        /// What ``DraftAnswer/basedOn`` says behind `template:`.
        let name: String
        let en: [String]
        let es: [String]
        let pt: [String]
        let fr: [String]
        let de: [String]

        /// The wordings in the order of ``ReplyTemplates/languages``.
        var wordings: [[String]] { [en, es, pt, fr, de] }
    }

    /// Languages that drafts are written in.
    static let languages = ["en", "es", "pt", "fr", "de"]

    /// Greetings without and with a name, in the order of ``languages``.
    static let greetings = [
        ("Hi,", "Hi {name},"), ("Hola:", "Hola, {name}:"), ("Olá,", "Olá, {name},"), ("Bonjour,", "Bonjour {name},"),
        ("Hallo,", "Hallo {name},"),
    ]

    /// Lines before an answer that settles the question.
    static let answerLeads = Template(
        name: "faq",
        en: ["thanks for asking.", "good question, thank you."],
        es: ["gracias por preguntar.", "buena pregunta, gracias."],
        pt: ["obrigado pela pergunta.", "boa pergunta, obrigado."],
        fr: ["merci pour la question.", "bonne question, merci."],
        de: ["danke für die Frage.", "gute Frage, danke."])

    /// Lines before an answer that may not be the one that is wanted.
    static let possibleLeads = Template(
        name: "faq",
        en: ["thanks for asking. This may be what you are looking for:"],
        es: ["gracias por preguntar. Quizá sea esto lo que buscas:"],
        pt: ["obrigado pela pergunta. Talvez seja isto que você procura:"],
        fr: ["merci pour la question. Voici peut-être la réponse :"],
        de: ["danke für die Frage. Vielleicht hilft das hier:"])

    /// Lines behind such an answer.
    static let possibleTails = Template(
        name: "faq",
        en: ["If you meant something else, tell me a little more."],
        es: ["Si te referías a otra cosa, cuéntame un poco más."],
        pt: ["Se você quis dizer outra coisa, conte um pouco mais."],
        fr: ["Si ce n'est pas ça, dites-m'en un peu plus."],
        de: ["Falls etwas anderes gemeint war, schreib mir kurz mehr dazu."])

    static let praise = Template(
        name: "fan.praise",
        en: [
            "thank you for writing this. It means a lot to read it.", "thank you, that is really kind.",
            "reading this made my day. Thank you.",
        ],
        es: [
            "gracias por escribirlo. Me alegra mucho leerlo.", "muchas gracias, es muy amable.",
            "leer esto me ha alegrado el día. Gracias.",
        ],
        pt: [
            "obrigado por escrever. Fico muito feliz em ler isso.", "muito obrigado pelo carinho.",
            "ler isto fez o meu dia. Obrigado.",
        ],
        fr: [
            "merci d'avoir écrit. Ça fait vraiment plaisir à lire.", "merci beaucoup, c'est très gentil.",
            "votre message me fait très plaisir. Merci.",
        ],
        de: [
            "danke, dass du das schreibst. Das freut mich sehr.", "vielen Dank, das ist wirklich nett.",
            "das zu lesen tut gut. Danke.",
        ])

    static let criticism = Template(
        name: "fan.criticism",
        en: [
            "thank you for being straight with me. I have read it and will think about it.",
            "thank you for telling me. I take the point and will look at it.",
        ],
        es: [
            "gracias por decirlo claramente. Lo he leído y lo pensaré.",
            "gracias por contármelo. Tomo nota y lo miraré.",
        ],
        pt: [
            "obrigado pela franqueza. Li e vou pensar nisso.", "obrigado por me dizer. Vou olhar para isso.",
        ],
        fr: [
            "merci de votre franchise. Je l'ai lu et je vais y réfléchir.", "merci de me le dire. Je vais regarder ça.",
        ],
        de: [
            "danke für die ehrlichen Worte. Ich habe sie gelesen und denke darüber nach.",
            "danke, dass du mir das sagst. Ich sehe es mir an.",
        ])

    static let question = Template(
        name: "fan.question",
        en: ["thanks for asking. {answer}", "thanks for writing. {answer}"],
        es: ["gracias por preguntar. {answer}", "gracias por escribir. {answer}"],
        pt: ["obrigado pela pergunta. {answer}", "obrigado por escrever. {answer}"],
        fr: ["merci pour la question. {answer}", "merci pour votre message. {answer}"],
        de: ["danke für die Frage. {answer}", "danke für die Nachricht. {answer}"])

    static let note = Template(
        name: "fan.note",
        en: ["thanks for writing. I have read it.", "thank you for the message, I am glad you wrote."],
        es: ["gracias por escribir. Lo he leído.", "gracias por el mensaje, me alegra que escribas."],
        pt: ["obrigado por escrever. Li a mensagem.", "obrigado pela mensagem, que bom que escreveu."],
        fr: ["merci d'avoir écrit. Je l'ai bien lu.", "merci pour le message."],
        de: ["danke für die Nachricht. Ich habe sie gelesen.", "danke, dass du schreibst."])

    /// Promises nothing: whether something is replaced or refunded is for a person to say.
    static let orderTrouble = Template(
        name: "fan.order",
        en: [
            "thanks for writing, and I am sorry about the trouble. If they are not in your message yet, please send me the "
                + "order number and, where something is broken or wrong, a photo. I will look into it."
        ],
        es: [
            "gracias por escribir, y siento las molestias. Si aún no están en tu mensaje, envíame el número de pedido y, si "
                + "algo llegó roto o equivocado, una foto. Lo voy a mirar."
        ],
        pt: [
            "obrigado por escrever, e lamento o transtorno. Se ainda não estão na sua mensagem, envie o número do pedido e, "
                + "se algo veio quebrado ou errado, uma foto. Vou ver o que se passa."
        ],
        fr: [
            "merci de m'avoir écrit, et toutes mes excuses pour ce souci. S'ils ne sont pas déjà dans votre message, "
                + "envoyez-moi le numéro de commande et, si quelque chose est cassé ou ne va pas, une photo. Je vais regarder."
        ],
        de: [
            "danke für die Nachricht, der Ärger tut mir leid. Falls noch nicht geschehen, schick mir bitte die Bestellnummer "
                + "und, wenn etwas kaputt oder falsch ist, ein Foto. Ich sehe es mir an."
        ])

    static let condolence = Template(
        name: "fan.condolence",
        en: ["thank you for your kind words. They mean a lot to me."],
        es: ["gracias por tus palabras. Significan mucho para mí."],
        pt: ["obrigado pelas suas palavras. Significam muito para mim."],
        fr: ["merci pour vos mots. Ils comptent beaucoup pour moi."],
        de: ["danke für deine lieben Worte. Sie bedeuten mir viel."])

    static let hardship = Template(
        name: "fan.hardship",
        en: ["thank you for telling me this. I am sorry that you have had to go through it, and glad that you wrote."],
        es: ["gracias por contármelo. Siento que hayas tenido que pasar por esto, y te agradezco que escribas."],
        pt: ["obrigado por me contar. Sinto muito que tenha passado por isso, e que bom que escreveu."],
        fr: ["merci de me le confier. Ce que vous traversez est dur, et vous avez bien fait de m'écrire."],
        de: [
            "danke, dass du mir das erzählst. Es tut mir leid, dass du das durchmachst, und es ist gut, dass du schreibst."
        ])
}
