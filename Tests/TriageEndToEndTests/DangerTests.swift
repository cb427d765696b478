import Foundation
import Testing

/// A person in danger is seen, whoever answers, and gets sober words.
struct DangerTests {
    @Test(
        arguments: [
            "i want to kill myself", "I don't want to live anymore", "I'm going to end my life tonight",
            "I want to end my life, please help me", "I will hurt myself tonight \u{202E}", "quiero morirme",
            "ich will nicht mehr leben", "je veux mourir", "I took all my pills",
        ], [[], ["--model", "none"]])
    func `who speaks of ending their life is urgent, with a draft that says where help is`(
        text: String, arguments: [String]
    ) throws {
        let answer = try #require(try answers(text, arguments))
        let urgency = answer["urgency"] as? [String: Any]
        #expect(urgency?["urgent"] as? Bool == true)
        #expect((urgency?["because"] as? [Any])?.isEmpty == false)
        #expect((answer["priority"] as? Int ?? 0) >= 80)
        #expect((answer["draft"] as? [String: Any])?["based_on"] as? String == "template:urgent.self-harm")
    }

    @Test(
        arguments: [
            "me quiero morir de la risa con tu último video", "ya no puedo más 🤣🤣", "Ich kann nicht mehr 😂😂😂",
            "ich kann nicht mehr vor Lachen", "j'en peux plus 🤣 trop drôle", "não aguento mais kkkkkkk",
            "non ce la faccio più 😂", "больше не могу ахахах", "i can't go on lmaooo",
            "this made me want to die laughing",
        ], [[], ["--model", "none"]])
    func `who laughs to death is not in danger`(text: String, arguments: [String]) throws {
        let answer = try #require(try answers(text, arguments))
        #expect((answer["urgency"] as? [String: Any])?["urgent"] as? Bool == false)
    }

    /// Laughter does not take back what was said outright, nor what cannot be meant otherwise.
    @Test(
        arguments: [
            "i want to kill myself lmao 😂", "quiero morir jajaja no tengo a nadie", "ich kann nicht mehr",
            "i can't go on 😂 i took all my pills", "j'en peux plus, à quoi bon 😂", "I want to die 😂",
        ], [[], ["--model", "none"]])
    func `who laughs and means it is`(text: String, arguments: [String]) throws {
        let answer = try #require(try answers(text, arguments))
        #expect((answer["urgency"] as? [String: Any])?["urgent"] as? Bool == true)
    }

    @Test(arguments: ["I know where you live, I'm coming for you", "wir wissen wo du wohnst, wir bringen dich um"])
    func `a threat is urgent`(text: String) throws {
        let answer = try #require(try answers(text, []))
        #expect((answer["urgency"] as? [String: Any])?["urgent"] as? Bool == true)
        #expect((answer["draft"] as? [String: Any])?["based_on"] as? String == "template:urgent.threat")
    }

    @Test(
        arguments: [
            ("Mein Account wurde gehackt, bitte meldet ihn", "account"),
            ("Mon compte a été piraté, ne cliquez sur rien", "account"),
            ("Hackearam minha conta, não clica em nada", "account"),
            ("Alguien se hace pasar por ti y pide dinero", "impersonation"),
            ("Jemand gibt sich als du aus und fragt nach Geld", "impersonation"),
            ("Someone is pretending to be you and asks for money", "impersonation"),
        ])
    func `an account that is lost and a false creator are urgent in any language`(text: String, kind: String) throws {
        let answer = try #require(try answers(text, []))
        #expect((answer["urgency"] as? [String: Any])?["urgent"] as? Bool == true)
        #expect((answer["draft"] as? [String: Any])?["based_on"] as? String == "template:urgent." + kind)
    }

    /// Who warns of a fraud names what the fraud sells; that makes the warning no advert.
    @Test(
        arguments: [
            "someone is using your pics to sell crypto on telegram @ada_real",
            "Heads up, an account pretending to be you is sending people bitcoin offers, @ada.official.vip",
            "Se hacen pasar por ti en telegram y piden 200 euros de inversion en cripto",
            "Jemand gibt sich als du aus und verkauft Bitcoin Kurse auf Telegram: t.me/ada_vip",
        ], [[], ["--model", "none"]])
    func `who warns of a false creator is no spam`(text: String, arguments: [String]) throws {
        let answer = try #require(try answers(text, arguments))
        #expect((answer["category"] as? [String: Any])?["label"] as? String == "fan")
        #expect((answer["urgency"] as? [String: Any])?["urgent"] as? Bool == true)
    }

    @Test(
        arguments: [
            "Security alert: someone is impersonating you. Verify your account within 24h at account-verify-help.com",
            "We noticed an account pretending to be you. Our agency removes it for 50$, dm @fix_accounts on telegram",
        ], [[], ["--model", "none"]])
    func `who sells help against a false creator is spam`(text: String, arguments: [String]) throws {
        let answer = try #require(try answers(text, arguments))
        #expect((answer["category"] as? [String: Any])?["label"] as? String == "spam")
    }

    @Test(arguments: [
        "I'm going to sue you if you don't take that video down.",
        "My lawyer will contact you about the photo you stole.",
        "Je vais porter plainte si vous ne retirez pas cette vidéo où l'on voit mon fils.",
        "Ich leite rechtliche Schritte ein, wenn das Bild nicht verschwindet.",
        "Voy a demandarte si no quitas el vídeo.",
        "Vou te processar se você não tirar o vídeo do ar.", "Vi querelo se non togliete il video.",
    ])
    func `who threatens with the law is urgent and gets sober words`(text: String) throws {
        let answer = try #require(try answers(text, []))
        #expect((answer["urgency"] as? [String: Any])?["urgent"] as? Bool == true)
        #expect((answer["draft"] as? [String: Any])?["based_on"] as? String == "template:legal")
    }

    @Test(arguments: [
        "is that you in the video", "I hacked together a stand from old wood", "my lawyer friend loves your channel",
        "love your videos", "when is the next stream?", "this workout nearly finished me, loved it",
    ])
    func `what is harmless is not urgent`(text: String) throws {
        #expect((try answers(text, [])?["urgency"] as? [String: Any])?["urgent"] as? Bool == false)
    }

    /// Somebody is glad, and holds the key down.
    @Test(arguments: ["😂", "❤️", "🔥", "haha ", "jajaja ", "lol ", "very ", "love you ", "😍👏", "!"], [3, 10, 20, 80])
    func `what is said again and again stays what it is`(piece: String, times: Int) throws {
        let answer = try #require(try answers(String(repeating: piece, count: times), []))
        #expect((answer["category"] as? [String: Any])?["label"] as? String == "fan")
        #expect((answer["injection"] as? [String: Any])?["suspected"] as? Bool == false)
        #expect((answer["urgency"] as? [String: Any])?["urgent"] as? Bool == false)
        #expect((answer["sentiment"] as? [String: Any])?["label"] as? String != "negative")
    }

    private func answers(_ text: String, _ arguments: [String]) throws -> [String: Any]? {
        let line = try JSONSerialization.data(withJSONObject: ["id": "a", "text": text])
        let outcome = try Program.run(["run", "--quiet"] + arguments, input: Array(line) + [0x0A])
        let record = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
        return record?["triage"] as? [String: Any]
    }
}
