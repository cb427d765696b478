internal import TriageCore

/// The words of dates and money in the languages that creators get messages in; folded when the table is built.
enum FactWords {
    /// Currencies by the words that name them; the first entry is unused, index 0 means none.
    static let currencies: [(code: Currency?, words: String)] = [
        (nil, ""),
        (
            Currency("USD"),
            "usd dollar dollars dolares dollari dolar dolars bucks buck usdt usdc доллар доллара долларов "
                + "دولار دولارا دولارات"
        ),
        (Currency("EUR"), "eur euro euros eurs teuro евро يورو avro"),
        (Currency("GBP"), "gbp pound pounds quid libras sterling фунтов"),
        (Currency("INR"), "inr rs rupee rupees rupay rupaye rupiya rupaiya"),
        (Currency("BRL"), "brl real reais pila"),
        (Currency("JPY"), "jpy yen yenes iene ienes"),
        (Currency("CAD"), "cad"), (Currency("AUD"), "aud"), (Currency("NZD"), "nzd"), (Currency("HKD"), "hkd"),
        (Currency("SGD"), "sgd"), (Currency("CHF"), "chf franken fr"), (Currency("CNY"), "cny rmb yuan"),
        (Currency("MXN"), "mxn"), (Currency("ARS"), "ars"), (Currency("CLP"), "clp"), (Currency("COP"), "cop"),
        (Currency("PEN"), "pen soles"), (Currency("SEK"), "sek kronor kr"), (Currency("NOK"), "nok kroner"),
        (Currency("DKK"), "dkk"), (Currency("PLN"), "pln zl zloty zlotych zlotys"), (Currency("CZK"), "czk kc korun"),
        (Currency("HUF"), "huf forint"), (Currency("RON"), "ron lei"),
        (Currency("TRY"), "try tl lira liras lirasi"), (Currency("RUB"), "rub руб рублей рубля рубль р"),
        (Currency("UAH"), "uah грн гривен"), (Currency("ILS"), "ils nis shekel shekels"),
        (Currency("AED"), "aed dirham dirhams درهم"), (Currency("SAR"), "sar riyal riyals ريال"),
        (Currency("EGP"), "egp جنيه"), (Currency("MAD"), "mad"), (Currency("ZAR"), "zar rand rands"),
        (Currency("NGN"), "ngn naira"), (Currency("KES"), "kes ksh"), (Currency("GHS"), "ghs cedi cedis"),
        (Currency("KRW"), "krw won 원"), (Currency("IDR"), "idr rp rupiah"), (Currency("MYR"), "myr ringgit rm"),
        (Currency("THB"), "thb baht"), (Currency("PHP"), "php"), (Currency("VND"), "vnd dong"),
        (Currency("PKR"), "pkr"), (Currency("BDT"), "bdt taka"), (Currency("LKR"), "lkr"), (Currency("TWD"), "twd ntd"),
        (Currency("XOF"), "xof fcfa cfa xaf"),
        // Pesos without a country: the most populous of them.
        (Currency("MXN"), "peso pesos"),
    ]

    static let magnitudes: [(power: UInt8, words: String)] = [
        (2, "hundred hundert cent cien cento centos"),
        (
            3,
            "k thousand thousands grand mil mille mila tausend tsd tysiecy tys тыс тысяч тысячи тысяча ribu "
                + "rb bin hazaar hazar hajar alaf الف الاف ming duizend 천"
        ),
        (5, "lakh lakhs lac lacs"), (7, "crore crores cr"),
        (
            6,
            "m mm mio mln million millions millones millon milhao milhoes millionen juta jt milyon miljoen "
                + "milioni милл млн миллион миллиона миллионов مليون"
        ),
        (9, "bn billion miliar"),
    ]

    /// Small numbers by value, index is the value.
    static let numbers: [Int: String] = [
        1: "one a an single uno una un une um uma ein eine einen einem einer один одна bir satu ek",
        2: "two couple dos deux dois duas zwei due два две iki dua do",
        3: "three tres trois drei tre три uc tiga teen",
        4:
            "four cuatro quatre quatro vier quattro четыре dort empat char",
        5: "five cinco cinq funf cinque пять bes lima paanch", 6: "six seis sechs sei шесть alti enam chhe",
        7: "seven siete sept sete sieben sette семь yedi tujuh",
        8: "eight ocho huit oito acht otto восемь sekiz delapan",
        9: "nine nueve neuf nove neun dokuz sembilan", 10: "ten diez dix dez zehn dieci десять sepuluh",
        11: "eleven once onze elf undici", 12: "twelve doce douze doze zwolf dodici dozen двенадцать",
        14: "fourteen catorce quatorze", 15: "fifteen quince quinze funfzehn", 20: "twenty veinte vingt vinte zwanzig",
        24: "twentyfour", 30: "thirty treinta trente trinta dreissig", 40: "forty", 48: "fortyeight", 50: "fifty",
    ]

    /// Numbers above a hundred written as one word.
    static let compounds: [Int: String] = [
        200: "zweihundert doscientos duzentos duecento", 300: "dreihundert trescientos trezentos trecento",
        400: "vierhundert cuatrocientos quatrocentos", 500: "funfhundert quinientos quinhentos cinquecento",
        600: "sechshundert seiscientos", 700: "siebenhundert setecientos", 800: "achthundert ochocientos oitocentos",
        900: "neunhundert novecientos", 1000: "eintausend", 1500: "funfzehnhundert millecinquecento",
        2000: "zweitausend duemila", 3000: "dreitausend tremila", 4000: "viertausend quattromila",
        5000: "funftausend cinquemila", 6000: "sechstausend", 7000: "siebentausend", 8000: "achttausend",
        9000: "neuntausend", 10000: "zehntausend diecimila",
    ]

    /// Months by number, from January.
    static let months = [
        "january enero janeiro janvier januar gennaio ocak januari января январь январе يناير jaenner",
        "february feb febrero fevereiro fevrier februar febbraio subat februari февраля февраль феврале فبراير",
        "march marzo marz maerz mart maret марта март марте مارس",
        "april abril avril aprile nisan апреля апрель апреле ابريل",
        "mayo maio maggio mayis mei мая мае مايو",
        "june jun junio junho juin juni giugno haziran июня июнь июне يونيو",
        "july jul julio julho juillet juli luglio temmuz июля июль июле يوليو",
        "august aug agosto aout agustos agustus августа август августе اغسطس",
        "september sept sep septiembre setembro septembre settembre eylul сентября сентябрь сентябре سبتمبر",
        "october oct octubre outubro octobre oktober ottobre ekim okt октября октябрь октябре اكتوبر",
        "november nov noviembre novembro novembre kasim ноября ноябрь ноябре نوفمبر",
        "december dec diciembre dezembro decembre dezember dicembre aralik desember декабря декабрь декабре ديسمبر",
    ]

    /// Names of months that are everyday words in some language.
    static let weakMonths: [Int: String] = [
        1: "jan ene gen", 2: "fev", 3: "mar mac mars marco", 4: "apr abr avr", 5: "may mai mag", 6: "giu", 7: "lug",
        8: "ago agu", 9: "set", 10: "out ott",
        12: "dic des dez",
    ]

    static let weekdays = [
        "monday lunes lundi montag lunedi понедельник понедельника pazartesi senin الاثنين mondays "
            + "maandag poniedzialek poniedzialku 월요일 월요일까지",
        "tuesday martes mardi dienstag martedi вторник вторника sali selasa الثلاثاء tues "
            + "dinsdag wtorek wtorku 화요일 화요일까지",
        "wednesday miercoles mercredi mittwoch mercoledi среду среда среды carsamba rabu الاربعاء "
            + "woensdag sroda srode srody 수요일 수요일까지",
        "thursday jueves jeudi donnerstag giovedi четверг четверга persembe kamis الخميس thurs thur "
            + "donderdag czwartek czwartku 목요일 목요일까지",
        "friday viernes vendredi freitag venerdi пятницу пятница пятницы cuma jumat الجمعه "
            + "vrijdag piatek piatku 금요일 금요일까지",
        "saturday weekend wochenende sabado samedi samstag sabato субботу суббота cumartesi sabtu السبت sonnabend "
            + "zaterdag sobota sobote soboty 토요일 토요일까지",
        "sunday domingo dimanche sonntag domenica воскресенье pazar الاحد "
            + "zondag niedziela niedziele niedzieli 일요일 일요일까지",
    ]

    static let weakWeekdays = ["mon segunda", "tue terca", "wed quarta", "thu quinta", "fri sexta", "sat", "sun"]

    static let relativeDays: [Int: String] = [
        0: "today tonight tonite hoy hoje heute oggi сегодня bugun hari-ini اليوم aaj 2day aujourd stasera",
        1:
            "tomorrow tmrw tmr tomorow tommorow tomorrows manana amanha demain morgen domani завтра yarin "
            + "besok غدا kal 2moro",
        2: "übermorgen ubermorgen uebermorgen послезавтра dopodomani lusa overmorrow",
    ]

    static let units: [(TimeUnit, String)] = [
        (
            .hour,
            "hour hours hr hrs h hora horas heure heures stunde stunden std ore ora час часа часов saat jam "
                + "ساعه ساعات ghante"
        ),
        (.day, "day days dia dias jour jours tag tage tagen giorni giorno день дня дней gun gunde hari يوم ايام din"),
        (
            .week,
            "week weeks semana semanas semaine semaines woche wochen settimana settimane неделю недели недель "
                + "неделе hafta haftaya haftalik minggu اسبوع اسابيع hafte wk wks w"
        ),
        (
            .month,
            "month months mes meses mois monat monate monaten monats mese mesi месяц месяца месяцев ay ayda "
                + "aylik bulan شهر اشهر شهور mahine monthly mensal mensuel mensual monatlich mensuali"
        ),
        (.year, "year years ano anos ans jahr jahre jahren anno anni год года лет yil tahun سنه yearly annually"),
    ]

    static let groups: [(WordRoles, String)] = [
        (
            .soon,
            "asap soon shortly bald baldmoglichst pronto bientot breve presto скоро yakinda segera قريبا "
                + "spring summer autumn winter primavera verano verao printemps automne hiver fruhling fruhjahr "
                + "sommer herbst q1 q2 q3 q4 christmas xmas navidad natal noel weihnachten valentine valentines "
                + "easter diwali ramadan halloween весной летом осенью зимой весна jaldi urgently urgent urgente "
                + "dringend"
        ),
        (.endOfDay, "eod cob eob eow eom"),
        (.figures, "figure figures cifras chiffres cifre"),
        (
            .firstPerson,
            "i me my mine im ive yo mi mis eu meu minha meus je mon ma mes moi ich mein meine meinen mir mich "
                + "io mio mia я мне меня мой моя ben benim aku saya main mera meri انا"
        ),
        (
            .deadlinePreposition,
            "by before until till til bis vor avant ici antes ate hasta entro prima до к перед قبل حتى "
                + "sebelum sampai kadar deadline no-later voor لغايه b4 tak ke"
        ),
        (
            .reply,
            "reply replies replying respond response answer answers confirm confirmation rsvp decide decision "
                + "feedback hear know yes no yes/no interested interest maybe respuesta responder respondes "
                + "respondas resposta responda reponse repondre retour antwort antworten ruckmeldung zusage zu-oder "
                + "zusagen bescheid melde melden rispondere risposta conferma confermare confirmar confirmarnos "
                + "confirme confirmez ответ ответить ответа ответьте donus donusu cevap jawab kabari konfirmasi رد "
                + "ردك الرد sign signed signature unterschrift comments nod accept accord shortlist lock finalise "
                + "finalize closes close closing submit apply applications interessensbekundung dirias diria "
                + "avisame avisa avise prevenir send candidature"
        ),
        (
            .deadlineNoun,
            "deadline close due frist plazo prazo limite echeance scadenza срок closes cut-off cutoff expires "
                + "expire closing fallig batas son"
        ),
        (
            .delivery,
            "delivery deliver delivered files live launch launching launches posting posted content-in ship "
                + "ships shipping entrega entregar entregas livraison remise lieferung abgabe consegna сдача "
                + "release released publish published goes film shoot shooting print copy content remise opening "
                + "ends expiry current starts start began"
        ),
        (
            .next,
            "next coming following proximo proxima proximos siguiente prochain prochaine kommende kommenden "
                + "nachste nachsten nachster naechste naechsten naechster kommender prossimo prossima следующий "
                + "следующую следующей gelecek haftaya onumuzdeki depan القادم القادمه agle agli que-vem"
        ),
        (
            .this,
            "this current este esta diese dieser diesen ce cette questa questo этой этого эту bu ini هذا هذه "
                + "is iss"
        ),
        (
            .endOf,
            "end ende fin final finales finais fim fine конца конец концу sonu sonuna akhir نهايه end-of late "
                + "eom last ultimo ultimos"
        ),
        (.middleOf, "mid middle mitte mi mediados meados meta середине ortasi pertengahan"),
        (
            .startOf,
            "early beginning start anfang debut principios inicio comeco inizio начале basi awal beginning-of"
        ),
        (
            .within,
            "within in innerhalb binnen dentro en em dans sous d'ici entro через в icinde dalam خلال next "
                + "over nachsten naechsten proximas proximos prossime prochaines menos"
        ),
        (
            .past,
            "since last yesterday ago past ayer ontem hier gestern ieri вчера dun kemarin امس seit depuis "
                + "desde after nach depois despues apres dopo после published dated was previous"
        ),
        (.article, "the of von de del da do des du la le el il den dem der am on dia le alle al em no o of, в"),
        (.partOfDay, ""),
        (.plus, "plus zuzuglich mas mais et e y und and более"),
        (
            .currencyPrefix,
            "usd usdt usdc eur euro gbp inr rs brl jpy cad aud nzd hkd sgd chf cny rmb mxn ars clp sek nok "
                + "dkk pln czk huf rub uah ils aed sar egp zar ngn kes ksh ghs krw idr rp myr rm thb vnd pkr bdt "
                + "xof fcfa twd ntd kr"
        ),
        (.weakCurrency, "real try pen cop mad php won ron fr р pound rand"),
        (.between, "between entre zwischen между tra arasinda antara"),
        (.per, "per by a an each every por par pro je al ogni za в / al par pr apiece all' the la the le per-"),
        (.rangeJoin, "to bis a up-to and und et e y или до ate hasta se sampai ila"),
        (
            .offer,
            "budget offer offers offering offered fee compensation rate honorarium honorar honoraire cachet "
                + "cache gage bieten biete bietet ofrecemos ofrezco oferecemos ofereco proposons propose proposal "
                + "verguten vergutung remuneration remuneracao remuneracion gaji bayaran бюджет гонорар предлагаю "
                + "предлагаем платим заплатим оплата ucret butce odeme odeyecegiz bütçe بميزانيه مبلغ بمبلغ مقابل "
                + "ميزانيه ندفع compenso presupuesto orcamento verba enveloppe guarantee guaranteed upfront advance "
                + "buyout licence license sync flat salary pay pays paid paying payment pagamos pagar pago "
                + "pagamento paga pagherei zahlen zahle bezahlen payons payer paie dete de-sakte denge sakte "
                + "stipend sponsor sponsoring royalty royalties retainer deposit à-valoir valoir base contribution "
                + "grant fellowship bayar dollar"
        ),
        (.pay, "pay pays paid paying payment pagamos pagar pago zahlen bezahlen payons ندفع платим pagamento"),
        (
            .price,
            "price prices cost costs charge charges buy purchase purchased shipping tickets "
                + "subscription subscribe register registration entry join price-list only sale discount "
                + "preis kosten kostet precio precios cuesta preco custa prix coute prezzo costa цена "
                + "стоит стоимость harga fiyat fiyati سعر السعر renew membership deposit-required versand envio "
                + "frete porto order fees invest"
        ),
        (
            .worth,
            "worth value valued rrp msrp retail wert valor valeur valore стоимостью degerinde senilai قيمته "
                + "valued retails"
        ),
        (
            .revenue,
            "revenue turnover raised raising funding funded sold users profit profits earn earns earned "
                + "earning earnings make makes made making turnover umsatz ingresos receita ganar gana ganhe ganhar "
                + "guadagna gagner gagnez verdienen заработок зарабатывать доход prize prizes jackpot win won "
                + "winnings premio premios lottery into invested investment does daily weekly balance trading trade "
                + "returns donation donate donated"
        ),
        (.invoice, "invoice invoices rechnung factura fatura facture fattura счет fatura payment bill"),
        (
            .owed,
            "unpaid overdue outstanding due remains arrears settle owes owe owing reminder mahnung vencida "
                + "pendiente pendente impayee reste bleibt offen"
        ),
        (
            .you,
            "you u ya your you'd youd ti te tu vous vos dir du deine ihnen sie voce vc le lei usted вам вы "
                + "sana size aap kamu kakak"
        ),
        (.yours, "your deine ihre tu tus tua sua votre vos vostra ваш ваша"),
        (.ours, "our unsere nuestra nuestro nossa notre nostra наш"),
        (.we, "we i wir ich nous je nosotros nos eu noi io we'd we'll мы я biz ben kami hum saya"),
        (
            .countable,
            "reel reels post posts video videos story stories tiktok tiktoks short shorts clip clips session "
                + "sessions episode episodes track tracks song songs loop loops beat beats module modules film "
                + "films photo photos picture pictures ad ads stream streams piece pieces unit units word words "
                + "page pages workshop workshops class classes lesson lessons date dates slot slots wednesdays "
                + "fridays copy copies cut cuts capsule capsules integration integrations kapsel videoclips videos "
                + "foto fotos historia historias reels publicacion publicaciones postagem postagens stories "
                + "publication publications capsule videos video beitrag beitrage episodio episodios folgen folge "
                + "minute minutes min desk desks appearance appearances show shows gig gigs tweet tweets thread "
                + "threads carousel carousels live lives boucles boucle livraison day days month months week weeks "
                + "year years hour hours capsules videos session faixas faixa musicas canciones"
        ),
        (
            .notMoney,
            "followers subscribers subs views followers listeners users people run monitor video camera race "
                + "likes streams plays downloads members participants students units km km2 miles steps visitors "
                + "seats pages copies years year mah hz khz mm cm kg g gb tb mb fps iso px ma mw w kb kbps bpm bit "
                + "am pm followers abonnenten seguidores abonnes inscritos tv resolution footage screen webcam "
                + "drone subscribers, subscriber follower viewers readers words days minutes min seconds sec s m m2 "
                + "hours hrs h cap teilnehmende personnes personas pessoas stuck мин нед абонентов подписчиков "
                + "takipci"
        ),
        (
            .share,
            "commission royalty royalties share percent prozent provision comision comissao commissione "
                + "komisi комиссия revshare rev-share equity margin off discount rabatt descuento desconto"
        ),
        (.level, "low mid high middle lower upper solid single double triple"),
        (.total, "total altogether all-in gesamt gesamten insgesamt pauschal flat overall run tout"),
        (.ago, "ago"),
    ]

    static let leads: [(leads: WordLeads, words: String)] = [
        (.article, "the dem den le el il"), (.on, "on from after"),
        (.beforeDay, "on am vom zum el le il em dia den ab the"), (.germanDay, "vom zum ab"),
        (.calendarWeek, "kw week semaine semana settimana"), (.inside, "in"),
        (.recurring, "every black cyber each jeden cada chaque ogni"), (.beforeWeekday, "on this next na proxima"),
        (.monthFirst, "jan may mar apr"), (.notTomorrow, "guten heute la de good"), (.after, "after"), (.day, "day"),
        (.dayAfterTomorrow, "pasado apres"), (.of, "de"), (.later, "depois"), (.end, "end"),
        (.ordinal, "st nd rd th er o a e eme"), (.behindVerbMay, "be not have work need take help or fit"),
        (
            .buyerVerb,
            "pay buy send deposit invest order zahlst zahlen pagas paga kaufst achetes purchase spend transfer"
        ),
        (.vagueVerb, "make makes made making does in into win won daily weekly invested"),
        (.profit, "profit profits revenue turnover prize prizes jackpot into daily"),
        (
            .last,
            "last letzten letztes letzter letzte vorigen voriges vergangenen vergangenes pasado pasada ultima ultimo "
                + "passado passada dernier derniere scorso scorsa vorig"
        ),
        (
            .occasion,
            "time season summer winter spring autumn campaign creator influencer partner mal saison sommer kampagne vez temporada campana campanha "
                + "fois campagne volta stagione campagna keer"
        ),
        (
            .paidOnce,
            "paid spent gave got received cost was were war waren bezahlt gezahlt ausgegeben pagamos pagado gastamos era "
                + "paye depense etait pagou gastou pagato speso betaald"
        ),
        (
            .views,
            "views view impressions plays aufrufe impressionen vistas visualizaciones reproducciones visualizacoes vues "
                + "visualizzazioni weergaven"
        ),
        (.entry, "entry registration joining admission ticket tickets shipping membership submission listing"),
        (
            .weight,
            "lose lost losing gain gained weigh weighs weight heavy dumbbell dumbbells drop shed lift lifted "
                + "plates overweight"
        ),
    ]

    static let partsOfDay: [(hour: UInt8, words: String)] = [
        (11, "morning vormittag matin matina mattina utrom утра утром sabah pagi"),
        (12, "noon midday mittag mediodia midi mezzogiorno ogle"),
        (16, "afternoon nachmittag tarde apres-midi pomeriggio"),
        (20, "evening abend noche soir noite sera вечера вечером aksam malam"),
        (22, "night tonight stasera nuit"), (24, "midnight mitternacht medianoche minuit meia-noite"),
    ]

    /// The table that the finders share, to be sealed when it is complete.
    static func makeTable() -> WordTable {
        var table = WordTable()
        let folder = TextFolder()
        func each(_ words: String, _ change: (inout WordInfo) -> Void) {
            for word in words.split(separator: " ") { table.add(folder.fold(String(word)), change) }
        }
        for (index, entry) in currencies.enumerated() {
            each(entry.words) {
                $0.currency = UInt8(index)
                $0.roles.insert(.currency)
            }
        }
        for entry in magnitudes {
            each(entry.words) {
                $0.magnitude = entry.power
                $0.roles.insert(.magnitude)
            }
        }
        for (value, words) in numbers {
            each(words) {
                $0.number = Int16(value)
                $0.roles.insert(.number)
            }
        }
        for (value, words) in compounds {
            each(words) {
                $0.number = Int16(value)
                $0.roles.insert(.number)
            }
        }
        for (index, words) in months.enumerated() {
            each(words) {
                $0.month = UInt8(index + 1)
                $0.roles.insert(.month)
            }
        }
        for (month, words) in weakMonths {
            each(words) {
                $0.month = UInt8(month)
                $0.roles.insert(.weakMonth)
            }
        }
        for (index, words) in weekdays.enumerated() {
            each(words) {
                $0.weekday = UInt8(index + 1)
                $0.roles.insert(.weekday)
            }
        }
        for (index, words) in weakWeekdays.enumerated() {
            each(words) {
                $0.weekday = UInt8(index + 1)
                $0.roles.insert(.weakWeekday)
            }
        }
        for (offset, words) in relativeDays {
            each(words) {
                $0.dayOffset = UInt8(offset)
                $0.roles.insert(.relativeDay)
            }
        }
        for (unit, words) in units {
            each(words) {
                $0.unit = unit
                $0.roles.insert(.unit)
            }
        }
        for (hour, words) in partsOfDay {
            each(words) {
                $0.hour = hour
                $0.roles.insert(.partOfDay)
            }
        }
        for (role, words) in groups { each(words) { $0.roles.formUnion(role) } }
        for (lead, words) in leads { each(words) { $0.leads.formUnion(lead) } }
        return table
    }
}
