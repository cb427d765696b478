// Written by Tests/Benchmarks/faq.py fit.

extension FAQCues {
    /// Weights in hundredths of log-odds, before they are divided by the root of the number of words.
    ///
    /// A logistic regression on the clauses of the labelled messages in the repository, which an entry answers or
    /// not. Words that fewer than 15 clauses, or messages by fewer than 4 authors, have, and words with digits,
    /// are left out.
    static let learned = """
        #. -106 #? 183 #TOPIC 72 #can 55 #do 3 #film 7 #find 37 #free -52 #get 57 #how 199 #howlong 24 #howmuch 117
        #link -3 #list -1 #make 10 #me 12 #need 8 #photo -10 #recommend 44 #request -70 #rice 3 #show_again 7
        #social -38 #use 61 #video 18 #wait 5 #what 228 #when 93 #where 287 #who 22 #why 12 #work -5 #you -76 a -39
        aa -1 abi 13 about -22 above 4 accept -2 actually 13 ad -5 add -3 admin -6 after -8 again 7 ago 6 agora -5
        ai 5 al 5 all 6 alles 7 als 1 also -9 always 10 am 14 amazing -3 amor -5 amount -2 an -3 and -1 ano 3 anos -1
        another 6 antes -19 any 37 anyone -17 anything 14 anywhere 29 aqui -1 ar 1 are 33 as -31 ask -5 asked -6
        asking -3 at -13 ate -18 attached -9 au 2 auch 27 audience -3 audio -4 auf 7 august -7 aur 2 aus -1 avant -7
        avec 10 avez -2 away -4 ba -3 back 1 bad -2 bang 14 banget -4 bank -7 be -5 beautiful -3 because -7 before -48
        behind 2 bei 17 being 1 below -2 bem -14 ben 1 better -3 bez -3 bhai 8 bien 5 big -2 bis -8 bless -3 boa 4
        board 10 bonjour 12 bonus -3 bot -12 both -1 box -3 bring 3 bro -9 bu -1 bus 3 business -3 but 24 by -94 c 35
        ca 1 call -37 card -8 cash -3 ce 4 chance -7 change -8 changed -7 chat -10 che 5 cheap -7 check -20 cheers -3
        ci 1 claim -12 click -4 client -3 club 14 com -6 come -3 coming 14 comment -14 comments -10 como 47 company 1
        con 17 confirm -18 connect -2 consider -7 content -2 contract -7 copy -5 could -4 cover -4 creator -6
        creators -9 crying -2 cut 2 cute -4 czy 14 d -13 da 52 dag -1 daily -4 dan -5 danke -4 dans 1 das 25 dat -3
        data -6 date -2 day -12 days 3 de 2 dear -20 dec 2 del -11 dem 2 den 21 deposit -3 depuis 1 der 11 des 8
        desde -11 det 26 details -4 deux -1 di -3 dia -9 dias 2 did -20 didi 1 die 28 died -1 din -4 dinero -3
        disregard -3 dit -8 dm -16 do 84 does 14 doing -1 dollar 1 dollars -5 don -14 done -2 dont -6 dos -3 down -2
        drop 5 du 1 due -4 dying -3 e 28 each -5 eat 2 een -15 eigentlich 14 ein -8 eine -1 einen -1 ek -5 ele -6
        else -5 em -2 en -3 end -13 enough 2 er 17 era -5 es 17 esse 7 est 34 esta -8 este -1 et -1 eth -2 evening -7
        ever -4 every -2 everyone -12 everything 6 exactly -6 example -45 explain -3 face -2 failing -4 fait 9 fan -2
        fast -6 final -6 finally -1 fine -6 first -1 five -7 fix -8 flat -5 foi -5 follow -22 followers -13 for 3
        forex -3 forget -3 forward -1 four -9 francais 11 friday -3 friend -2 from 2 full -4 fur 12 ga 5 geld 8
        gente 4 ghar 1 give -7 go 29 god -6 goes -4 going 2 gone 1 good -5 google -1 got -3 grace -3 gracias -6
        great -5 guest -11 guy -5 h 5 ha 1 hab -3 had -5 haha -8 hai 16 half -8 hallo 2 hand 1 handsome -8 happy -3
        har 3 has -17 hat -2 have 33 hay 4 he -5 hear -2 hej 6 hello -6 help 4 her -7 here 15 het 1 heute -4 hi -14
        hii 8 him -8 his -1 ho 2 hoje -9 hola 14 hold -4 home -9 horas -2 hospital -1 host -9 hot -5 hour -15 hours -9
        hoy -6 hu 4 hun 1 i 5 icin -6 idea 6 if -3 ignora -3 ignore -10 il 11 im -5 in -15 ingles 2 instant -4
        instructions -12 interest -13 interested -21 intro -8 is 16 isso -1 ist 5 it -13 its -6 j 3 ja -5 jajaja -4
        january -7 je 12 jest 9 jetzt 1 join -14 jour -2 june -5 just 1 ka 4 kak 6 kar -3 ke 9 keep 2 kg -1 ki 6
        kind 2 kindly -6 kk -8 know -36 kom -3 l -9 la 48 label -1 lang -2 las 2 last -11 late -3 le 9 left -4 les 33
        let -21 li 16 like -11 likes -6 lindo -5 little 10 liye 7 ll -9 lo -9 logo 3 lol -7 london -6 long 3 look 2
        los 5 lose -3 lot -2 love -11 lu 8 m -3 ma 14 machine 2 mais 4 mal -2 mama -1 man 19 mandar -2 mando -7
        many -4 mas -7 mate 3 me -4 med 4 melhor -2 men 3 mention -2 merci -2 mesmo 11 message -18 messages 1 met 1
        mi 6 mid -7 might -3 min -8 mint -3 minute -17 minutes -23 minutos -3 mir 7 mit 14 monday -5 month -9 months 1
        more -19 morning -3 mother -1 much 2 mum -4 must 10 muy -2 n 4 na 10 nach 10 nada 5 nahi 1 nao -4 ne -2 near 1
        never 7 next -3 ni 20 nice -8 nicht -2 nie 3 niet 7 night 6 nitro -1 no -21 nobody -9 noch 7 non -4 noon -4
        normal 3 nos -4 not -22 note -1 nothing 11 notice -5 notre -1 nous -11 november -14 nu 4 number -12 numero -5
        nur -4 o 9 october -32 od -3 oder 16 of -17 off 1 offer -6 oi 4 ok -12 om -6 omg -3 on 5 once 5 one 28 ones 10
        online -5 only -5 op 8 open -7 or 37 os 6 other -11 ou 26 out 2 over 6 own -16 owner -3 pa 18 page -15
        pages -4 pagina -2 par -6 para 32 pas 4 pay -6 pe 4 people -10 per -5 perfil -9 pero 1 person 7 pin -3 play 7
        plus -6 pm -7 po 25 police -5 por -4 portfolio -5 pour 14 pra 16 previous -7 private 5 pro -2 promote -7
        prompt -18 put 24 q 41 que 51 quer -14 question 7 questions -9 quick -9 quote -7 r 6 re -6 real -3 really -2
        receive -5 red 2 report -3 rien -1 right 15 rn 1 robot -2 room -2 rules -4 s -2 sabado 2 saber 6 saglik -3
        said -1 same -6 sans 1 saturday -5 say -22 saying -2 says 9 schon -1 se 23 sec 8 second -9 seconds -3 see -14
        seen -4 seguidores -9 sem -4 semana -5 sender 14 sent -2 september -22 ser -12 sera -4 serious 3 set -2
        shall -19 she -4 should 9 show -2 shows 1 si -3 side -7 sie 1 signals -3 sin -5 since -3 sir 10 six -5 slot -6
        slow -1 small -12 so -28 sobre -10 soir -4 some -1 somebody -5 someone 6 something 6 somewhere 9 son 9 soon -3
        sorry -6 sou 1 soy 8 space -3 spam -1 spring -6 stand -9 still 4 stop 4 stp 25 stuff 9 su -1 sub -4 suis 4
        sunday 6 super -2 sur 1 system -13 t -4 ta -3 table 2 tag -1 take 24 teach 11 telephone -4 tem 21 ten 6
        tenho -2 test -6 text -4 than -8 thank -7 thanks -6 that 24 thats -4 the -12 their -2 them -4 then -9 there 7
        these 14 thing 16 things 2 think -20 this -11 those 23 three -8 through 1 thursday -1 til 41 till 5 time -13
        tl -6 to 20 today -35 todo -9 together -9 told -5 tomorrow -23 tonight -28 too 1 took -3 total 4 tout 4
        treat 2 tres -4 tried -4 trop -2 true -4 try -4 tudo -19 tuesday -2 turn -3 twice -5 two -13 type 3 u 7 um -6
        uma -7 una 3 und 17 under -2 une -18 until -8 up -13 ur 44 urgent -6 urgente -4 usd -14 usdt -3 va -10 vai -5
        van 5 ve 4 ver 5 verified -5 verify -3 version 7 very -2 vez 6 vi -4 voice -11 von 14 voor 2 w 6 walk 4
        wallet -5 wanted -2 wants 7 was -34 way 7 wednesday -4 week -29 weekend -3 weekly -4 weeks 6 well -3 were -4
        whether -6 while -5 whole -5 will 3 win -1 winner -1 winter -2 with -24 within -9 without -6 word -5 words -5
        would 17 write -8 writing -1 written -2 x -11 y 20 ya 18 years -4 yes -17 yo -6 yok -2 z 11 za 6 zap 1 ze 1
        zl -4 zu -1 а 2 в 5 за -7 и 13 на 2 не 5 от -4 с 7 спасибо -4 у 19 بدون -3 دولار -4 في 1 ما 7 من -1 واتساب -3
        """
}
