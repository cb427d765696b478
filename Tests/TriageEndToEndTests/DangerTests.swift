import Foundation
import Testing

/// A person in danger is seen, whoever answers, and gets sober words.
struct DangerTests {
    static let wishes = [
        "i want to kill myself", "I don't want to live anymore", "I'm going to end my life tonight",
        "I want to end my life, please help me", "I will hurt myself tonight \u{202E}", "quiero morirme",
        "ich will nicht mehr leben", "je veux mourir", "I took all my pills", "Non voglio più vivere.",
        "Nie chcę już żyć.", "Ik wil niet meer leven.", "Я не хочу больше жить.", "죽고 싶어요",
        "لا أريد أن أعيش بعد الآن", "मैं मरना चाहता हूँ", "main mar jana chahta hu", "me quiero matar",
        "ich bringe mich um", "i dont see a reason to be here anymore", "i dont wanna be alive anymore",
        "i took 30 ibuprofen", "mi amiga se quiere suicidar", "mon ami veut se suicider",
        "minha mae tentou se matar", "Chcę się zabić, nie mam już siły", "我真的不想活了", "haluan kuolla",
        "nechci už žít",
        "nem akarok élni", "nu mai vreau să trăiesc", "jag vill inte leva längre", "jeg vil ikke leve mere",
        "θέλω να πεθάνω", "Не хочу жити", "tôi không muốn sống nữa", "gusto ko nang mamatay", "nataka kufa",
        "میخوام بمیرم",
        "אני רוצה למות", "อยากตาย", "আমি মরে যেতে চাই", "死にたいです",
    ]

    static let laughter = [
        "me quiero morir de la risa con tu último video", "ya no puedo más 🤣🤣", "Ich kann nicht mehr 😂😂😂",
        "ich kann nicht mehr vor Lachen", "j'en peux plus 🤣 trop drôle", "não aguento mais kkkkkkk",
        "non ce la faccio più 😂", "больше не могу ахахах", "i can't go on lmaooo",
        "this made me want to die laughing", "笑死我了哈哈哈", "我想死你了", "Chcę się uczyć gry",
    ]

    static let meant = [
        "i want to kill myself lmao 😂", "quiero morir jajaja no tengo a nadie", "ich kann nicht mehr",
        "i can't go on 😂 i took all my pills", "j'en peux plus, à quoi bon 😂", "I want to die 😂",
    ]

    static let despairs = ["i wanna kms", "je n'ai plus envie de vivre", "this is goodbye. thanks for everything"]

    static let notNow = [
        "Suicide Squad review when?", "In the game I kill myself with the bomb every time, any tips?",
        "I used to be suicidal and your videos helped me so much, thanks",
        "Please ignore my last message, wrong chat", "cutting myself a slice of clay haha",
        "collab for suicide prevention week?",
    ]

    static let otherDangers = [
        "Urgent!!! my kiln caught fire", "my baby swallowed glaze, what do i do",
        "Mein Kind hat Glasur verschluckt!", "Mi hijo se tragó un trozo de arcilla", "Ma fille a avalé de l'émail",
        "my dad is having a heart attack i dont know what to do",
        "The mug burst with boiling tea and burned my daughter", "The lamp gave me an electric shock.",
        "mein Mann schlägt mich und ich habe Angst", "mon mari me frappe et j'ai peur", "mijn man slaat me",
        "someone has my nudes and wants money", "il menace de publier mes photos nues",
        "er droht, meine Nacktbilder zu veröffentlichen", "a man follows me home every night",
        "Someone posted your home address on a forum", "your studio is being robbed right now!!",
        "there's smoke coming out of your studio window", "my ex posted my nudes",
        "They bully me at school every day, I can't take it anymore", "夫に殴られています", "муж меня бьет",
        "kocam beni dövüyor",
    ]

    static let soundsLike = [
        "my kiln fires at 1200 degrees, is that ok?", "Your kiln video is fire", "my dog ate my homework",
        "your subtitles are having a stroke", "mi corazón está en llamas",
        "my kids ate the cookies from your recipe and loved them", "I cut my finger while trimming",
        "Last summer our kitchen caught fire, your videos kept me going", "my kiln caught fire 😂 just kidding",
        "my ex follows me on Instagram",
    ]

    static let blackmail = [
        "If you don't pay me 500 euros I will publish your private photos.", "si no me pagas publico tus fotos",
        "Wenn du nicht zahlst, veröffentliche ich deine Bilder", "zabiję cię", "I'm going to shoot up the meetup",
        "Pay 2 BTC or I leak your photos", "I have a bomb", "죽여버릴 거야",
    ]

    static let threats = ["I know where you live, I'm coming for you", "wir wissen wo du wohnst, wir bringen dich um"]

    static let accounts: [(text: String, kind: String)] = [
        ("Mein Account wurde gehackt, bitte meldet ihn", "account"),
        ("Mon compte a été piraté, ne cliquez sur rien", "account"),
        ("Hackearam minha conta, não clica em nada", "account"),
        ("Alguien se hace pasar por ti y pide dinero", "impersonation"),
        ("Jemand gibt sich als du aus und fragt nach Geld", "impersonation"),
        ("Someone is pretending to be you and asks for money", "impersonation"), ("我的账号被盗了", "account"),
        ("hesabım çalındı, yardım edin", "account"), ("мой аккаунт взломали", "account"),
        ("ktoś podszywa się pod ciebie na Telegramie", "impersonation"), ("有人冒充你借钱", "impersonation"),
        ("seseorang mengaku sebagai kamu dan minta uang", "impersonation"),
        ("Someone cloned your account and is asking your followers for money", "impersonation"),
        ("Clonaram seu perfil e estão pedindo dinheiro pra gente", "impersonation"),
        ("Alguien ha clonado tu cuenta y pide dinero a tus seguidores", "impersonation"),
        ("Jemand hat dein Profil kopiert und bittet deine Follower um Geld", "impersonation"),
    ]

    static let warnings = [
        "someone is using your pics to sell crypto on telegram @ada_real",
        "Heads up, an account pretending to be you is sending people bitcoin offers, @ada.official.vip",
        "Se hacen pasar por ti en telegram y piden 200 euros de inversion en cripto",
        "Jemand gibt sich als du aus und verkauft Bitcoin Kurse auf Telegram: t.me/ada_vip",
    ]

    static let sellers = [
        "Security alert: someone is impersonating you. Verify your account within 24h at account-verify-help.com",
        "We noticed an account pretending to be you. Our agency removes it for 50$, dm @fix_accounts on telegram",
    ]

    static let lawsuits = [
        "I'm going to sue you if you don't take that video down.",
        "My lawyer will contact you about the photo you stole.",
        "Je vais porter plainte si vous ne retirez pas cette vidéo où l'on voit mon fils.",
        "Ich leite rechtliche Schritte ein, wenn das Bild nicht verschwindet.",
        "Voy a demandarte si no quitas el vídeo.",
        "Vou te processar se você não tirar o vídeo do ar.", "Vi querelo se non togliete il video.",
    ]

    static let takenOut = [
        "Please delete my data under GDPR.", "Bitte löschen Sie meine Daten",
        "Please remove the video where my kid is visible",
        "Floutez le visage de ma fille, retirez ma fille de la vidéo",
    ]

    static let pieces = ["😂", "❤️", "🔥", "haha ", "jajaja ", "lol ", "very ", "love you ", "😍👏", "!"]
    static let times = [3, 10, 20, 80]

    static let harmless = [
        "is that you in the video", "I hacked together a stand from old wood", "my lawyer friend loves your channel",
        "love your videos", "when is the next stream?", "this workout nearly finished me, loved it",
        "my dad beats me at chess every time", "The spider plant takes in carbon monoxide.",
    ]

    @Test(arguments: wishes, Method.allCases)
    func `who speaks of ending their life is urgent, with a draft that says where help is`(
        text: String, method: Method
    ) throws {
        let answer = try method.answer(to: text)
        #expect(answer.isUrgent)
        #expect(answer.reasons > 0)
        #expect(answer.priority >= 90)
        #expect(answer.basedOn == "template:urgent.self-harm")
    }

    @Test(arguments: laughter, Method.allCases)
    func `who laughs to death is not in danger`(text: String, method: Method) throws {
        let answer = try method.answer(to: text)
        #expect(!answer.isUrgent)
    }

    /// Laughter does not take back what was said outright, nor what cannot be meant otherwise.
    @Test(arguments: meant, Method.allCases)
    func `who laughs and means it is`(text: String, method: Method) throws {
        let answer = try method.answer(to: text)
        #expect(answer.isUrgent)
    }

    /// What is felt is despair, whatever words of wanting and thanking stand beside it.
    @Test(arguments: despairs)
    func `who speaks of ending their life does not feel well`(text: String) throws {
        #expect(try Method.shipped.answer(to: text).sentiment == "negative")
    }

    @Test(arguments: notNow, Method.allCases)
    func `who speaks of dying in a work or of what is long over is not in danger`(
        text: String, method: Method
    ) throws {
        let answer = try method.answer(to: text)
        #expect(!answer.isUrgent)
    }

    /// A person must look today, and nothing that the library guesses at comes first.
    @Test(arguments: otherDangers, Method.allCases)
    func `other dangers that are told outright are urgent`(text: String, method: Method) throws {
        let answer = try method.answer(to: text)
        #expect(answer.isUrgent)
        #expect(answer.reasons > 0)
        #expect(["template:urgent.other", "template:urgent.violence"].contains(answer.basedOn))
    }

    @Test(arguments: soundsLike, Method.allCases)
    func `what only sounds like another danger is not urgent`(text: String, method: Method) throws {
        let answer = try method.answer(to: text)
        #expect(!answer.isUrgent)
    }

    @Test(arguments: blackmail)
    func `blackmail and threats in more words are urgent`(text: String) throws {
        let answer = try Method.shipped.answer(to: text)
        #expect(answer.isUrgent)
        #expect(answer.basedOn == "template:urgent.threat")
    }

    @Test(arguments: threats)
    func `a threat is urgent`(text: String) throws {
        let answer = try Method.shipped.answer(to: text)
        #expect(answer.isUrgent)
        #expect(answer.basedOn == "template:urgent.threat")
    }

    @Test(arguments: accounts)
    func `an account that is lost and a false creator are urgent in any language`(text: String, kind: String) throws {
        let answer = try Method.shipped.answer(to: text)
        #expect(answer.isUrgent)
        #expect(answer.basedOn == "template:urgent." + kind)
    }

    /// Who warns of a fraud names what the fraud sells; that makes the warning no advert.
    @Test(arguments: warnings, Method.allCases)
    func `who warns of a false creator is no spam`(text: String, method: Method) throws {
        let answer = try method.answer(to: text)
        #expect(answer.category == "fan")
        #expect(answer.isUrgent)
    }

    @Test(arguments: sellers, Method.allCases)
    func `who sells help against a false creator is spam`(text: String, method: Method) throws {
        let answer = try method.answer(to: text)
        #expect(answer.category == "spam")
    }

    @Test(arguments: lawsuits)
    func `who threatens with the law is urgent and gets sober words`(text: String) throws {
        let answer = try Method.shipped.answer(to: text)
        #expect(answer.isUrgent)
        #expect(answer.basedOn == "template:legal")
    }

    /// An answer in the words for a lost account would send them to the wrong place.
    @Test(arguments: takenOut)
    func `who wants a child or data of their own taken out gets sober words`(text: String) throws {
        let answer = try Method.shipped.answer(to: text)
        #expect(answer.isUrgent)
        #expect(answer.basedOn == "template:legal")
    }

    @Test(arguments: harmless)
    func `what is harmless is not urgent`(text: String) throws {
        #expect(try Method.shipped.answer(to: text).isUrgent == false)
    }

    /// Somebody is glad, and holds the key down.
    @Test(arguments: pieces, times)
    func `what is said again and again stays what it is`(piece: String, times: Int) throws {
        let answer = try Method.shipped.answer(to: String(repeating: piece, count: times))
        #expect(answer.category == "fan")
        #expect(!answer.isSuspected)
        #expect(!answer.isUrgent)
        #expect(answer.sentiment != "negative")
    }

}

extension DangerTests {
    /// A way to answer, with the answers to every text of these tests, from one run.
    enum Method: String, CaseIterable, Sendable {
        case shipped, rulesAlone

        struct Unasked: Error { var text: String }

        func answer(to text: String) throws -> DangerAnswer {
            let answers = try (self == .shipped ? DangerTests.byModel : DangerTests.byRules).get()
            guard let answer = answers[text] else { throw Unasked(text: text) }
            return answer
        }
    }

    private static let texts: [String] = {
        let lists = [
            wishes, laughter, meant, despairs, notNow, otherDangers, soundsLike, blackmail, threats, warnings, sellers,
            lawsuits, takenOut, harmless,
        ]
        let repeated = pieces.flatMap { piece in times.map { String(repeating: piece, count: $0) } }
        return Array(Set(lists.joined() + accounts.map(\.text) + repeated)).sorted()
    }()
    private static let byModel = Result { try answers([]) }
    private static let byRules = Result { try answers(["--model", "none"]) }

    private static func answers(_ arguments: [String]) throws -> [String: DangerAnswer] {
        Dictionary(uniqueKeysWithValues: zip(texts, try DangerAnswer.all(to: texts, arguments)))
    }
}
