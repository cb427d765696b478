extension FAQLexicon {
    /// Words that carry the form of a question: who is meant, what is asked for, and what carries nothing.
    ///
    /// The notation is that of ``FAQLexicon/topics``. Weight 0 never counts as content.
    static let grammar = """
        #request:0:can want/en wanna need/en needs/en please pls plz share/en send/en tell/en looking/en wonder wondering
          curious quiero/es quisiera necesito/es busco/es pasame dime quero/pt queria/pt preciso/pt gostaria/pt manda/pt
          veux voudrais aimerais besoin/fr cherche/fr mochte/de brauche/de suche/de vorrei voglio cerco/it istiyorum
          lazim/tr minta/id mau/id pengen/id batao bata/hi-latn chahiye хочу нужен нужна нужно подскажите подскажи
          اريد محتاج محتاجة بدي عايز عايزة chce/pl potrzebuje/pl ほしい 欲しい 教えて 知りたい 想要 想买 想問 想请问 请问 請問
        #stop:0 the a an of to in on at for with by from is are am was/en were be been being it its this that these
          those there here and/en or/en but/en so if/en then than as/en also too just only very really actually pls
          please plz thanks thank thx ty hi hey hello hallo hola oi ola salut bonjour coucou ciao merhaba selam halo
          not/en no/en yes yeah yep ok okay well um uh lol haha btw tbh ngl imo any some all/en more most much many
          one/en thing things stuff bit lot kind sort still even ever now today right know say said tell ask asking
          want/en wanna would could should/en will ur/en s/en t m ll ve re d do/en does did doing done has have/en
          had having got been let lets like/en love sir madam bro dude dear maam mate always never up out/en about
          over/en off/en into down because cause cuz since/en while though curious wondering question questions quick
          random serious honestly sorry hope people someone everyone anyone something anything everything nothing
          el la los las/es un una unos unas de del/es en/es con por para que/es se lo le/es al es/es son/es y e o
          muy mas pero si/es ya este esta esto eso esa favor gracias ha hay sobre como/xx q
          os as/pt um uma do/pt da dos das no/pt na nos nas/pt em com pra pro ao mais mas/pt isso isto esse essa ai/pt ai/fr ne
          obrigado obrigada tb tambem ja foi ser estar esta/pt
          le les des du/fr au aux et est sont ce cette ces c l j n qu pas ne/fr plus mais/fr stp svp merci sur dans
          pour avec il elle on/fr tres bien bon
          der/de die/de das/de den dem des/de ein eine einen einem einer und oder/de ist sind war/de nicht mit von zu
          zum zur auf fur bei im/de am/de an/de so/de auch noch mal ja nein bitte danke denn/de eigentlich wirklich mir
          hab habe hat/de haben aber doch schon sehr gern gerne es/de
          lo/it gli della dei delle nel per che/it e/it sono/it anche piu ma/it grazie uno al/it si/it
          bir ve/tr bu su/tr da/tr de/tr mi/tr mu/tr ya/tr cok ama/tr icin/tr ile/tr abi abla hocam var/tr bey hanim
          yang yg dan/id ini itu di/id ke/id dari dengan untuk buat/id ya/id kak kakak bang abang sih dong deh ga gak
          tidak juga/id nih aja ada/id saya/id bisa/xx mas/id mba
          hai/hi-latn ka/hi-latn ki/hi-latn ke/hi-latn ko/hi-latn se/hi-latn me/hi-latn mein/hi-latn bhai bhaiya didi
          yaar bahut aur/hi-latn nahi hi/hi-latn to/hi-latn toh/hi-latn na/hi-latn ji/hi-latn sir/hi-latn yeh woh
          и в на с по для это не а но у из к от же ли бы вот так очень спасибо привет здравствуите подскажите
          пожалуиста скажите за все
          من في على الى عن مع هذا هذه هو هي يا ما/xx لا شكرا مرحبا السلام عليكم لو سمحت
          です ます ください ありがとう
        #you:0:you you u/en your yours ur yourself yr youre ya/en tu/es tu/fr tu/pt tu/it ti te vos vosotros ustedes
          usted sus/es tus voce vc vcs voces seu/pt sua/pt teu tua vous toi ton/fr ta/fr tes votre vos/fr du/de dich dir
          dein* ihr/de euch eur* sie/de ihnen tuo tua/it tuoi tue voi lei/it sen sana seni senin siz* sizin kamu kmu
          anda lu/id abangnya kakaknya aap aapka aapki aapke aapko tum tumhara tumhari tumko tera teri tu/hi-latn
          ты вы тебя вас вам тебе твои твоя твое ваши ваша ваше твоеи вашем انت انتي لك عندك عندكم あなた さん様
        #me:0:me i me/en my mine im ive id/en ill myself we/en our us/en yo/es mi/es mis me/es me/pt nosotros nos/es
          nuestro eu meu minha je/fr me/fr mon/fr ma/fr mes moi ich mich mein* wir uns unser* io mio mia miei ben/tr bana
          beni benim biz* aku gue gw gua mujhe mera meri mere main hum/hi-latn я мне меня мои моя мое мы нам нас انا لي
          عندي 私 僕 俺
        #who:0:who who whos whose quien* quem qui/fr wer wen wem chi/it kim* siapa kaun кто кому من_هو 誰 だれ
        #what:0:what what whats which wich wat/en whatre que/xx cual* qual quais quel* quoi laquelle lequel was/de
          welch* quale* cosa/it che/xx hangi* ne/tr nedir neler apa/id mana/xx konsa konsi kaunsa kaunsi kya какои
          какая какую какие какое каким какими что ما شو ايش ايه اي/ar وش 何 なに どれ どの 哪
        #where:0:where where wheres whered donde adonde onde aonde ou_est d_ou ou_trouver ou_acheter wo wohin
          dove nerede nereye mana/id dimana kemana di_mana dari_mana kahan kaha kidhar kahase где куда
          اين وين فين どこ どちら 哪里
        #when:0:when when whens cuando quando quand wann ne_zaman zaman kapan kab когда متى امتى いつ 何時
          what_time que_hora que_horas a_que_hora quelle_heure wie_viel_uhr che_ora saat_kacta jam_berapa kitne_baje
          во_сколько what_day which_day que_dia quel_jour welchem_tag hari_apa
        #howmuch:0:howmuch how_much how_many cuanto* quanto* qto qnt combien wieviel* wie_viel wie_viele ne_kadar kac
          kaca berapa* brp kitna kitne kitni сколько كم بكم قديش いくら 何円
        #howlong:1:when how_long cuanto_tiempo quanto_tempo combien_de_temps wie_lange quanto_tempo ne_kadar_surer
          berapa_lama kitna_time kitne_din как_долго сколько_времени كم_من_الوقت كم_وقت どのくらい
        #how:0:how how hows como comment/fr wie/de come/it nasil gimana bagaimana gmn kaise kese как/ru كيف ازاي
          شلون どうやって どう 怎么 howd
        #why:0:why why porque por_que pourquoi warum wieso weshalb perche neden niye kenapa mengapa kyu kyun kyon
          почему зачем ليش لماذا ليه なぜ どうして
        #can:0:can can cant may/en could_i allowed possible puedo puede* puedes posible posso pode podem poderia peut
          peux puis pouvez pouvoir possible/fr kann darf durf* kannst konnt* konnen posso/it puoi potrei possibile
          olur_mu olabilir* bisa boleh* sakte sakta sakti можно могу можете можешь ممكن يمكن اقدر できます でしょうか
        #do:0:do do_you does_your do_u are_you r_u are_your is_your is_it is_there are_there will_you would_you would_u
          have_you did_you can_you could_you can_u eres tienes haces existe tens voce_e vc_e es_tu as_tu est_ce_que
          t_as tu_as bist_du hast_du machst_du gibt_es hai_un sei fai var_mi misin musun midir apakah ada kya_aap есть ли هل
          ですか ますか
        """
}
