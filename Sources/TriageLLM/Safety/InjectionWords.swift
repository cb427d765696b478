/// The words of ``InjectionHeuristics``, folded: lower case, without accents.
///
/// Each list contains whole words; an entry that ends in `*` is a word beginning.
enum InjectionWords {
    /// Automated readers that followers hardly ever mention otherwise.
    static let readers = words(
        """
        ai ais llm llms gpt chatgpt claude gemini copilot assistant assistants chatbot chatbots classifier summarizer
        summariser summarising summarizing autoresponder screener screeners triage prompt prompts instruction instructions
        automated jailbreak developer
        ia ias asistente asistentes assistente assistentes instrucciones instrucoes instruccion instrucao consigne
        consignes automatizado automatico automatique
        ki sprachmodell anweisung anweisungen assistent assistenten istruzioni istruzione
        ии нейросеть нейросети нейронка ассистент ассистенту ассистента бот боту инструкции инструкция инструкций
        yapay asistan asistani talimat talimatlari talimatlar instruksi asisten petunjuk
        """)

    /// Readers that can also be camera filters, synthesizer models and so on: they count only close to a label.
    static let weakReaders = words(
        """
        model models system bot bots filter filters software algorithm moderator inbox machine script robot rules
        modelo modelos sistema filtro filtros algoritmo modele systeme filtre modell filter regeln modello модель система
        системе фильтр filtre sistem reader parser admin
        """)

    /// Values that our answers can have.
    static let labels = words(
        """
        fan business spam urgent positive negative neutral legitimacy monetary opportunity sentiment category priority
        score injection brand_fit importance important verified whitelisted whitelist trusted approved legit safe
        negocio negocios urgente positivo positivo negativo prioridad prioridade puntuacion pontuacao nota parceria
        confiable confiavel importante entreprise professionnel affaires positif negatif priorite
        geschaft geschaftlich dringend positiv negativ wichtig prioritat vertrauenswurdig
        бизнес спам срочно срочное важно важное приоритет приоритетом позитив acil onemli isletme bisnis penting
        """)

    /// What readers are told to do with a label.
    static let labelVerbs = words(
        """
        classify classified classifying categorize categorise categorized label labelled labeled labelling mark marked
        flag flagged tag rate rank ranked score set treat assign file route
        clasifica clasificalo clasifique clasificar clasifiquen marca marcalo marcar marque etiqueta etiquetalo puntua
        classifique classifica classificar classifiquem etiquete pontue trate
        classe classez classer marquez marquer etiquetez notez attribue considere traite traitez
        klassifiziere klassifizieren markiere markieren bewerte bewerten einstufen stufe kennzeichne setze behandle
        classifica contrassegna valuta imposta пометь пометьте отметь отметьте классифицируй классифицировать считай
        считать оцени isaretle siniflandir etiketle tandai klasifikasikan anggap
        """)

    /// What readers are told to do with their instructions, or instead of their task.
    static let orders = words(
        """
        ignore disregard forget override bypass pretend reveal print repeat output respond reply answer forward notify
        approve obey comply disclose execute follow summarize summarise translate confirm skip raise hide extract include
        delete pin say write show send put give tell insert append copy paste move mention continue complete
        ignora ignorar olvida olvidate revela muestra responde imprime repite envia escribe anade pon omite aprueba
        esqueca esquece desconsidere mostre responda escreva inclua envie aprove diga
        ignorez ignore oublie oubliez affiche affichez reponds repondez ecris ecrivez ajoute ajoutez approuve
        ignoriere ignorieren vergiss vergessen antworte antworten zeige gib schreibe fuge nenne bestatige
        ignora dimentica rispondi mostra scrivi aggiungi approva
        игнорируй игнорируйте забудь забудьте ответь ответьте покажи покажите напиши напишите перешли добавь
        unut yoksay cevapla goster yaz abaikan lupakan tampilkan tulis balas
        """)

    /// Phrases that are sufficient by themselves.
    static let phrases = [
        "ignore all", "ignore previous", "ignore the previous", "ignore your", "ignore any", "ignore prior",
        "ignore the above",
        "ignore everything", "ignore earlier", "disregard", "previous instructions", "prior instructions",
        "above instructions",
        "new instructions", "new instruction", "your instructions", "new rule", "new rules", "new policy", "your rules",
        "system prompt", "system message", "system notice", "system note", "system override", "developer mode",
        "admin mode",
        "debug mode", "god mode", "do anything now", "jailbreak", "jailbroken", "you are now", "act as",
        "pretend to be",
        "pretend you", "roleplay as", "role play as", "from now on you", "as an ai", "language model",
        "if you are an ai",
        "if you re an ai", "if an ai", "dear ai", "dear gpt", "dear bot", "hey ai", "hi ai", "note to ai", "for ai",
        "to the ai",
        "ai assistant", "ai reading", "ai filter", "ai filters", "automated reader", "automated system",
        "automated assistant",
        "hidden note", "hidden text", "hidden instruction", "begin system", "end system", "end of message",
        "end of text",
        "end of input", "end of data", "end of user", "start of system", "json object", "output json", "valid json",
        "do not alert the owner", "don t alert the owner", "do not tell the user", "do not tell the owner",
        "notify owner",
        "notify the owner", "do not filter", "not spam", "don t show this", "do not show this", "for the reader model",
        "reader model", "trusted partner", "verified sponsor", "opportunity score", "maximum score", "highest priority",
        "max priority", "top priority", "full marks", "processed by software", "initial prompt", "initial instructions",
        "hidden prompt", "text above", "words above", "repeat everything", "repeat the above", "print everything",
        "everything above", "everything before this", "decode this", "decode the following", "base64", "rot13",
        "in reverse", "canary", "boundary", "alle anderen", "als spam", "fur ki", "api key", "private word",
        // Replies.
        "in your reply", "in the reply", "in your answer", "in your response", "in the response", "the reply must",
        "reply must", "reply should", "write the draft", "write a draft", "draft the", "as the draft", "the draft",
        "a reply of",
        "into the answer", "into the reply", "in the answer", "answer begins", "reply begins", "list all",
        "faq answers",
        "rates note", "en la respuesta", "en tu respuesta", "na resposta", "na sua resposta", "dans ta reponse",
        "dans votre reponse", "in deiner antwort", "in der antwort", "nella risposta", "repete les", "repeat after",
        "fill in the blank", "continue exactly", "where this stops", "complete the", "word for word",
        // Our own words.
        "self harm", "self_harm", "brand fit", "brand_fit", "set amt", "faq q", "choose faq", "faq q1", "gold tier",
        "set u",
        // Neighbors.
        "other messages", "next message", "next messages", "other senders", "every message after", "all messages",
        "messages after", "messages before", "message after this", "message before this", "messages above",
        "messages below",
        "message above", "message below", "rest of the messages", "remaining messages", "all other", "the others are",
        "message m", "competitor", "competitors",
        // Spanish, Portuguese, Italian.
        "instrucciones anteriores", "instrucoes anteriores", "istruzioni precedenti", "nuevas instrucciones",
        "novas instrucoes", "nuove istruzioni", "ignora todo", "ignora las", "ignora lo anterior", "ignore as",
        "ignore tudo",
        "ignora le", "ignora tutto", "olvida las", "olvida todo", "esqueca as", "esqueca tudo", "mensaje del sistema",
        "mensagem do sistema", "messaggio di sistema", "prompt del sistema", "prompt do sistema", "aviso del sistema",
        "otros mensajes", "los demas mensajes", "outras mensagens", "altri messaggi", "no es spam", "nao e spam",
        "non e spam", "modo desarrollador", "modo desenvolvedor", "eres ahora", "ahora eres", "agora voce e",
        "voce agora e",
        "modelo de lenguaje", "modelo de linguagem", "maxima prioridad", "prioridade maxima", "asistente de ia",
        // French.
        "instructions precedentes", "nouvelles instructions", "consignes precedentes", "ignore les", "ignorez les",
        "ignore toutes", "ignorez toutes", "oublie les", "oublie tout", "oubliez", "message systeme", "invite systeme",
        "autres messages", "pas du spam", "tu es maintenant", "vous etes maintenant", "mode developpeur",
        "modele de langage", "priorite maximale", "note pour l ia", "a l ia",
        // German, Dutch.
        "vorherigen anweisungen", "bisherigen anweisungen", "neue anweisungen", "neue anweisung", "ignoriere alle",
        "ignoriere die", "ignoriere deine", "ignorieren sie", "vergiss alle", "vergiss deine", "systemnachricht",
        "systemmeldung", "system prompt", "anderen nachrichten", "nachsten nachrichten", "kein spam", "du bist jetzt",
        "du bist ab jetzt", "entwicklermodus", "sprachmodell", "hochste prioritat", "an die ki", "hinweis fur ki",
        "negeer alle", "vorige instructies", "geen spam",
        // Russian, Ukrainian.
        "предыдущие инструкции", "игнорируй", "игнорируйте", "забудь все", "системное сообщение", "системный промпт",
        "ты теперь", "для ии", "другие сообщения", "остальные сообщения", "не спам", "ігноруй",
        // Turkish, Indonesian, Polish, Hindi in Latin letters.
        "onceki talimatlari", "talimatlari yok", "sistem mesaji", "diger mesajlar", "spam degil", "abaikan semua",
        "abaikan instruksi", "instruksi sebelumnya", "pesan lain", "bukan spam", "zignoruj", "poprzednie instrukcje",
        "pichle instructions", "instructions ignore", "instructions bhool", "ignore karo", "spam nahi",
    ]

    /// Parts of texts in scripts without blanks between words, and in right-to-left scripts.
    static let parts = [
        "忽略", "无视", "無視", "指令", "提示词", "系统消息", "系统提示", "系統", "人工智能", "助手", "标记为", "分类为", "優先度",
        "システム", "プロンプト", "指示", "アシスタント", "として分類", "としてマーク", "이전 지시", "지시를", "시스템", "프롬프트", "무시하",
        "분류해", "تجاهل", "التعليمات", "تعليمات", "النظام", "الذكاء الاصطناعي", "صنف", "التعلم", "התעלם", "הוראות",
        "नज़रअंदाज",
        "aiさん", "ai担当", "aiは本", "ai助", "致ai", "给ai", "給ai", "ai 비서", "ai님", "筛选程序", "机器人", "機器人", "满分", "滿分", "満点",
        "判定する",
        "判定を", "以前の命令", "命令は", "命令を", "ระบบ ai", "ถึงระบบ", "मॉडल",
        "निर्देश", "सिस्टम", "अनदेखा", "ละเว้น", "คำสั่ง", "bỏ qua",
    ]

    private static func words(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}
