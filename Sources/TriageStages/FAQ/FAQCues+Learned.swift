extension FAQCues {
    /// Weights in hundredths of log-odds, before they are divided by the root of the number of words.
    ///
    /// A logistic regression on the clauses of the labelled messages in the repository, which an entry answers or not. Words that fewer than
    /// fifteen clauses have, and words with digits, are left out.
    static let learned = """
        #. -51 #? 209 #TOPIC 180 #can -1 #do 75 #film 4 #find 90 #free -30 #get 181 #how 289 #howlong 16 #howmuch 230
        #link 128 #list 11 #make -66 #me -57 #new -74 #photo 8 #recommend 116 #request 22 #show_again -69 #social 2
        #use 171 #video 70 #wait 76 #what 286 #when 160 #where 404 #who 92 #why 84 #work -29 #you -27 a -7 about -60
        after -46 again 71 alex 4 all 13 already -18 also -70 am 37 amara 10 an -74 and -86 anos -14 another -9
        antes -28 any 162 anyone -72 anything 12 aqui -15 are 93 as -14 ask 7 asked -30 asking 61 at -43 attached -69
        au 5 auf 59 availability -15 avec 45 back 56 bank 6 be -12 because -14 been -16 before -77 bhai 113 bis -28
        bit 3 bonjour 35 box -4 bro 15 bus 5 but 87 by -238 c 89 call -91 card 69 chance -10 chat -6 check -14 ci -43
        client -36 club 157 com -18 come -24 coming 71 como 95 con 8 confirm -33 consider -15 contract -4 copy -2
        could -19 creator -35 creators -38 cut 5 d -89 da 44 das 93 day -7 days 39 de 21 dear -58 del -26 den -16
        der -25 di 69 dia -18 did 7 die 118 dm 60 do 139 does 57 doing 26 don -37 done -16 dont 9 down -5 drop 32
        du 61 due -4 e 41 each -44 el 77 else -27 em 27 en 5 end -25 enough -17 es 34 est 10 esta -12 et 19 even 86
        evening -21 ever 6 every -1 everyone -29 everything 23 final -5 fine -34 first -34 five -28 fix -32 follow -23
        food 35 for -23 four -43 francais 83 friday -28 friend -49 from 9 full -34 fur 52 give 5 go 72 god -14
        going -10 good -47 got 94 grant -23 had -26 hai 78 half -75 hana -29 happy -37 has -48 have 134 he -51
        hello -32 help 13 her -22 here 24 hey 6 hi -144 him -52 his -40 ho 1 hoje -29 hola -26 home -46 host -31
        hour -30 hours -23 i 8 if 14 ignore -17 il 15 im -5 in 58 instructions -20 interest -45 interested -83 into 27
        is 15 ist 11 it -113 its -25 j -49 ja -12 january -28 joao -24 just 7 kak -10 keep 78 kindly -20 know -97 l 18
        la 44 las -11 last -63 le 77 leo -24 les 99 let -42 life -17 like -49 line 5 little 39 ll -24 lo -9 lol -84
        look -4 los -11 lot -20 love -67 lu 74 m -60 ma 60 mais -45 mal -27 man -16 mas 3 maya -27 me -15 message -13
        mi 48 min -20 mind 22 minute -28 minutes -82 mit 12 monday -2 month -57 months -9 more -34 morning -8 much 3
        must 15 na -35 nadia -49 nao -35 ne -32 never 9 next 15 nice -1 night -8 no -1 nobody -30 noch 69 normal -14
        not -83 note -29 nothing -2 notre -7 nous -56 november -54 now -57 number -50 o 24 october -75 oder -14 of -53
        off 44 offer -51 ok -30 on 10 one -73 online 9 only 71 open 6 or 54 os 13 other -1 ou 124 out -33 over 19
        own -30 page 43 par -23 para 41 part 25 pas 3 pay -6 people -30 per -33 person 38 play -17 plus -52 pm -24
        po 8 police -33 por -54 pour 58 pra 4 private 6 prompt -67 put 113 q 169 que 109 question -6 questions -28
        quick -1 quote 13 re -73 real 4 really -49 right -5 s 23 sa 39 said -18 sakura -25 same -10 saturday -49
        say -136 says 31 se 23 second -71 see -27 sem 3 september -54 set -17 shall -52 she -50 should 19 show -26
        si -31 side -9 since 9 sir 29 six -20 slot -30 small -36 so -91 sobre -25 some 3 somebody 20 someone 12
        something -25 sorry -24 soy 42 spring 28 stand -39 still 23 stop 57 sunday 25 sur 27 system -37 t -35 table 5
        take 83 tem 98 test -20 text -4 than -25 thank -36 thanks -18 that 78 thats -24 the 40 them 4 then -27
        theo -24 there -8 they -63 thing 38 think -46 this 23 those 80 three -65 through -24 thursday 13 time 10
        to -39 today -104 together -37 told -22 tomorrow -78 tonight -52 too -28 took -17 top -25 total 32 try -36
        tuesday -22 two -51 um 11 uma -62 un 36 una 8 und 30 under 23 une -48 until -25 up -68 ur 284 usd -81 ve -27
        version 47 very 32 voice -16 von 32 w 50 wants 12 was -110 way 19 wednesday -27 week -53 weeks 4 well 11
        were 3 whether -15 whole -9 will -17 with -65 within -38 without -11 word -18 would 4 write -23 writing -27
        wrong 34 y 7 ya 106 year -29 yes -35 z -13 а -6 в 55 на 15
        """
}
