import TriageCore

/// Word beginnings for ``InjectionGrammar``, in many languages.
///
/// Orders to readers are short, and their verbs and nouns share beginnings across inflections and, in part, across
/// languages. An entry that begins with `=` is a whole word.
enum InjectionStems {
    /// The roles of a word in an order to a reader.
    struct Parts: OptionSet, Sendable {
        let rawValue: UInt16
        /// To disregard earlier instructions: `ignore`, `vergiss`.
        static let forget = Parts(rawValue: 1)
        /// Earlier instructions: `rules`, `instrucciones`.
        static let rule = Parts(rawValue: 2)
        /// A reader that followers hardly ever mention otherwise.
        static let reader = Parts(rawValue: 4)
        /// A reader that people also mention otherwise: `robot`, `filter`.
        static let machine = Parts(rawValue: 8)
        /// To read, to sort.
        static let reads = Parts(rawValue: 16)
        /// To label or to place.
        static let place = Parts(rawValue: 32)
        /// A label, a rank, a score.
        static let rank = Parts(rawValue: 64)
        /// To say, send, answer, do.
        static let act = Parts(rawValue: 128)
        /// To write into.
        static let compose = Parts(rawValue: 256)
        /// A written answer.
        static let reply = Parts(rawValue: 512)
        /// All, everything.
        static let all = Parts(rawValue: 1024)
        /// To reveal, to ask for.
        static let leak = Parts(rawValue: 4096)
        /// A message.
        static let message = Parts(rawValue: 8192)
        /// Other, next.
        static let neighbor = Parts(rawValue: 16384)
        /// New.
        static let new = Parts(rawValue: 32768)
        /// Earlier, above.
        static let earlier = Parts(rawValue: 2048)
    }

    /// The roles that the word may have.
    static func parts(of word: some StringProtocol) -> Parts {
        var found = whole[String(word)] ?? []
        let bytes = word.utf8
        guard bytes.count >= 4, let head = head(bytes) else { return found }
        for stem in stems[head] ?? [] where bytes.starts(with: stem.bytes) { found.formUnion(stem.parts) }
        return found
    }

    /// The first three bytes as a number.
    private static func head(_ bytes: some Sequence<UInt8>) -> UInt32? {
        var head: UInt32 = 0
        var count = 0
        for byte in bytes.prefix(3) {
            head = head << 8 | UInt32(byte)
            count += 1
        }
        return count == 3 ? head : nil
    }

    private static let lists: [(Parts, String)] = [
        (
            .forget,
            """
            =quitate ignor disregard overrid bypass overrul =forget =forgets neglect =olvida =olvide =olviden olvidat desconsider
            esquec oubli dimentic trascur vergiss =vergessen missacht =vergeet negeer =glem glemt =glom strunta zapomen
            zapomn pomin zanedb felejts uitati =uita zabud abaik =lupakan lupain kalimutan quen =quen bhool bhul =bhula
            nazarand sahau puuz unut bosver yoksay gormezden =skip =omite =omita
            игнор забуд забуть пренебр αγνο ξεχν ξεχα نادیده فراموش تجاهل انس وانس =انس
            """
        ),
        (
            .rule,
            """
            instru =rule =rules =told =taught beigebrach tillsagd dijeron directiv guideline policy =policies policies prompt programming =orders constrain restrict
            =norma =normas =regla =reglas =regra =regras regole =regola =regles =regle consign istruz =ordenes =filtros
            anweis =regel =regeln =regels vorschrift vorgab =befehl =befehle opdracht beleid =regler =regler instruks
            pravid pokyn polecen zasad utasit szabal regul instruct talimat komut kural perintah aturan hukum hukam hidayat
            nirdesh maagizo kanuni patakaran utos huong =lenh правил инструкц указан команд οδηγι κανον εντολ قوانين قانون
            قواعد دستور تعليمات التعليمات دستورالعمل قوانینت
            """
        ),
        (
            .reader,
            """
            pengembang desarrollad desenvolved developpeur entwickl utvikl utveckl gelistiric разработч розробник
            =ai =ais =llm =llms =gpt chatgpt =claude =gemini copilot chatbot classifier summariz summaris autorespond
            screener =triage jailbreak =ia =ias assistent asisten assistant asistan asystent βοηθ
            sprachmodel sprogmodel spraakmodel taalmodel automod neuron нейрос ассистент асистент помічник
            """
        ),
        (
            .machine,
            """
            gatekeeper =sorter =sorters =clerk =reader =whoever =quienquiera =quiconque
            =sys =tool =outil herramienta ferramenta =werkzeug systemmeld systemnach systembericht rendszeruz systeemb dasturi
            =bot =bots =bota =robo robot roboter robozin =robos =machine =machines =maquina =maschine =maskin =makine =masin
            =software =algorithm algoritm algorith =computer =komputer =system =systems =sistem =sistema sisteme =systeme
            =syst =filter =filters =filtro =filtru =filtre =filtr =filtern =model =modell =modelo =modele =modeli =
            =modello =moderator moderad moderat =inbox =script =parser =scanner =scraper =agent =agente =agents =secretary
            virtual automat intelligen inteligen kunstlich =zeka zekaya zekasi бот боту робот систем модел фильтр фільтр
            сортувал алгоритм ρομποτ συστημ μοντελ φιλτρ mfumo roboti τεχνητ ذكاء الذكاء هوش ربات سیستم النظام المساعد
            """
        ),
        (
            .reads,
            """
            resum riassum zusammenfass summar triagem
            =read =reads =reading readin processin process =parse parsin =sorts =sorting =scan =scans scannin =lee =lees =leen
            =leyendo =lendo =ler =leia =lit =lis =lisez =lisant =legge =leggi =liest =lesen =lest =leser =laeser =leest
            =lezen okuyor okuyan =cte =czyta =olvas =citeste membaca =baca =parh =padh =padhe читае читаю διαβαζ triag
            """
        ),
        (
            .place,
            """
            =log =slot =tick =choose =pick =handle =let =range =ranger =ordne =zahl =zahle =cuentalo =potraktuj potrakt =samjho =mano =weka =ituring =merkitse
            classif clasif klassif categori kategor =label labell =labels etiquet etiket =mark =marks =marked =marking =marca
            =marque =marquez markier =flag flagged =rate =rank rankin =score =scored =treat =treats =assign =file =route
            =consider consider =count =counts =sort =classe =classez =note =notez =puntua =pontue =trate =traite =traitez
            bewert einstuf kennzeich =setze =behandle =behandel =zet =sett =saet =satt =valuta =imposta contrassegn
            пометь пометьт отмет познач классифиц считай считат оцени isaretle siniflandir =oznac oznac oznacz sorol tandai
            anggap jelol marcheaz rangord priorit prioriz prioris κατατα βαλε ταξινομ unahin =put =place =move =push =pon
            =ponme =ponlo =coloca =coloque =mets =mettez =stell =stelle =leg =legg =weka =utupe =dej =daj =kaydet =guarda
            """
        ),
        (
            .rank,
            """
            =sponsorship =b2b =firmy =negoci =oferta =offres =ofertas =ofertę komerc =bizness handel
            =fan =business =spam =urgent =urgente =positive =negative =neutral legitim =monetary opportunit =sentiment
            =category =categoria =categorie =kategorie =kategori =priority priorit =score =scores =important =importante
            wichtig verified verific verifiz whitelist =trusted =approved =legit =safe =genuine =negocio =negocios
            =comercial =commercial =confiable =confiavel =affaires professionn dringend geschaft =top =bovenaan =ganz
            =points =puntos =pontos =punti =punkte =puan =poeng =poengsum =puanla =spoed =bisnis =isletme =acil =onemli
            biznes бизнес бізнес спам сроч термін важно важлив приорит пріорит επειγ επιχειρ hamecon junk =vip
            sponsor partnersh parceria =prvni zaufan
            """
        ),
        (
            .act,
            """
            =list mengirim =declare =must =debes =deves =musst =dois =darle
            =say =says =tell =reveal revea =print =printing repeat =output respond =respond =reply =replies =answer
            forward notif approv obey =comply disclos execut =show =hide =give =send =confirm =pretend =delete =pin =insert
            =mention =release =click =open =book =schedule unsubscri =retweet =post =authorise =authorize authoris authoriz
            responde respond =di =dile =muestra =envia =avises =avise =aprueb publica =pasame =libera =mostre =diga =fala
            =fale =diz =obedec obedec obedez repet repit affich repond =ecris =ecrivez =dis =dites approuv antwort
            =zeig =zeige =schreib =schreibe =sag =sage =gib =nenn bestatig =svar =skriv =skriva =skrive =gi =ge =zeg
            =stuur =bevestig =antwoord =rispondi =mostra =scrivi =dimmi =napis =napisz =odpowied =odpovez =irj =add =valaszolj
            =scrie =zi =raspunde cevap =goster =yaz =soyle =ver tampilkan =tulis =balas =jawab =kirim =likho =batao =bolo
            =bhejo =sunao =sema =tuma =utume =isulat ответ покаж напиш скаж розкаж откр відкр перешл добав пропус απαντ
            στειλ γραψε πες اکتب بنویس بگو بفرست اكتب أرسل =hay
            """
        ),
        (
            .compose,
            """
            =write =writes =include =includes =put =add =insert =draft =begin =begins =start =paste =append =print =end =say
            =escribe =incluye =pon =anade =escreva =inclua =ecris =ecrivez =ajoute =ajoutez =mets =mettez =schreib =schreibe
            =fuge =skriv =schrijf =scrivi =aggiungi =yaz =ekle =tulis =tambahkan напиш добав =return =encode =list
            """
        ),
        (
            .reply,
            """
            =reply =replies =answer =answers =response =responses =draft =drafts respuest respost repons antwort =svar =svaret
            =antwoord rispost odpoved odpowied valasz raspuns cevab =cevap yanit jawaban balasan ответ відпов απαντησ
            """
        ),
        (
            .leak,
            """
            =list =print reveal disclos repeat repet repit =repite summar resum =show =tell =recite verbatim leak =muestra =mostre
            =mostra =zeige =nenne =affiche wiederhol herhaal gentag upprepa opakuj ripeti elenca покаж повтор перечисл ulangi
            tekrarla dohra =what =were =welche =cuales =quais =quelles =sind =skriv =write =liste
            """
        ),
        (
            .message,
            """
            message mensaj mensag messag messagg nachricht bericht besked melding meddeland zprav wiadomos uzenet mesaj pesan
            сообщен повідомлен μηνυμα mails emails =id =ids
            """
        ),
        (
            .neighbor,
            """
            =other =others remaining =next following =rest =otros =demas =siguiente =outras =outros =restantes =proxima =autres
            =suivant =suivants andere ubrig nachst =altri =altre =restanti =andra =anden ostatn =pozostale =tobbi =diger =lain
            =lainnya другие других остальн інших
            """
        ),
        (
            .new,
            """
            =new =updated =neue =neuer =nuevas =nueva =nuevos =nova =novas =novo =nouvelle =nouvelles =nuove =nuova =nuevo =yeni
            =baru =nye =nya =nieuwe =nova =nowe =uj =nou =naya =nayi novy новые новое новая нові
            """
        ),
        (
            .all,
            """
            =all =everything =anything =alle =alles =allt =todo =todos =todas =todo =tudo =tout =toutes =tous =tutto =tutte
            =tutti =vse =vsechny =vsechno =wszystko =wszystkie =minden =tot =toate =semua =hepsi =butun =sab =sari =saare =yote
            =lo =все всё =всё усе كل همه
            """
        ),
        (
            .earlier,
            """
            =previous previou =prior =earlier =preceding =above =before anterior precedent preceden vorherig bisherig =davor
            =vorige vorige =tidligere =tidigare =forrige predchoz poprzedn eddigi =onceki sebelum purani purane pichl pichh
            =awali предыдущ попередн προηγουμ السابق قبلی以前
            """
        ),
    ]

    private struct Stem: Sendable {
        var bytes: [UInt8]
        var parts: Parts
    }

    private static let whole: [String: Parts] = {
        let folder = TextFolder()
        var whole: [String: Parts] = [:]
        for (parts, list) in lists {
            for word in split(list) where word.hasPrefix("=") {
                whole[String(decoding: folder.fold(String(word.dropFirst())), as: UTF8.self), default: []].insert(parts)
            }
        }
        return whole
    }()

    private static let stems: [UInt32: [Stem]] = {
        let folder = TextFolder()
        var stems: [UInt32: [Stem]] = [:]
        for (parts, list) in lists {
            for word in split(list) where !word.hasPrefix("=") {
                let bytes = folder.fold(String(word))
                guard let head = head(bytes) else { continue }
                stems[head, default: []].append(Stem(bytes: bytes, parts: parts))
            }
        }
        return stems
    }()

    private static func split(_ list: String) -> [Substring] { list.split { $0 == " " || $0 == "\n" } }
}
