extension FAQLexicon {
    /// What people ask creators about beyond the trade: the person, their life, and the common niches.
    static let life = """
        #age:3:howmuch how_old your_age age old/en cuantos_anos quantos_anos quel_age wie_alt quanti_anni kac_yasinda
          yasin umur umurnya usia sn_umur лет возраст كم_عمرك عمرك 何歳 年齢 birthday cumple geburtstag anniversaire aniversario
          compleanno dogum_gun* ulang_tahun день_рождени* عيد_ميلاد* 誕生日
        #from:3:where where_from where_are_you_from you_from are_you_from from_originally originally accent
          de_donde_eres donde_eres eres_de nationality nationalite nacionalidad nacionalidade de_onde d_ou_viens tu_viens
          woher kommst_du herkunft di_dove sei_di nereli* asal* aslinda откуда من_وين من_اين منين اصلك اصلا 出身
          ethnicity roots background_ethnic born nacido nacio nasceu ne_a geboren nato heritage
        #live:3:where live_in you_live where_live living_in vives donde_vives moras mora habites habitez wohnst wohnt
          abiti vivi yasiyorsun yasiyor oturuyor tinggal rehte живет* живеш* تعيش* ساكن* 住んで city/en based town
          neighborhood country/en
        #language:2 language* languages idioma* hablas lingua* langue* sprache* sprichst parli lingue dil dilleri bahasa
          язык* لغة* لغات 言語 speak fluent english
        #name:2 name named called names llama llamas nombre nome chama appelle nom/fr heisst heisst_du heist name/de
          chiama si_chiama ismi adi adin isim nama naam имя зовут اسم* اسمك 名前
        #pet:3 cat cats kitten gato gata chat/fr katze* gatto* kedi* kucing billi кошк* кот котик* قطة* 猫 dog dogs puppy
          perro perra cachorro cao chien* hund hunde cane kopek* anjing kutta собак* كلب* 犬 pet pets mascota* breed raza
          race/fr rasse
        #family:2 married husband wife boyfriend girlfriend partner_life single/en kids children child family baby casado
          casada esposo esposa novio novia hijos casado/pt namorado namorada filhos marie mariee copain copine enfants
          verheiratet freund_hast kinder sposato fidanzata figli evli* sevgili* cocuk* menikah pacar anak shaadi замужем женат*
          дети متزوج* اطفال 結婚 子供 relationship dating sibling* sister brother
        #meetup:3 meetup meet_up meet_you meet_and_greet in_person convention event events tour visit conocerte quedada
          encontro rencontre* rencontrer treffen fantreffen incontro bulusma* imza_gunu ketemu jumpa meet_greet встреч*
          لقاء* オフ会 concert gig gigs tickets tour_dates 
        #autograph:3 autograph* signed signature firma/es autogramm* autographe* imza* tanda_tangan автограф* توقيع* サイン
          shoutout shout_out saludo saludar saluda grussen cameo birthday_message selam_gonder
        #po_box:3 po_box pobox mailing_address send_you_something send_a_letter letter gift_to_you apartado caixa_postal
          postfach boite_postale carta brief_schicken fan_mail fanmail адрес* عنوان* 住所 address direccion endereco adresse
          indirizzo adres* alamat
        #discord:3 discord server community_server telegram_group whatsapp_group grupo groupe gruppe gruppo grup
        #social:1 instagram insta tiktok youtube channel kanal* canal chaine channels reddit facebook snapchat
        #reply_dm:2 reply replies respond answer_dms dms answer responder respondes repond antworten rispondi cevap*
          balas ответ* ترد* 返信
        #diet:3 vegan vegana vegano vegetarian vegetarier* vegetarian* vegetariano vegetariana vegetarien* vegane veg pescatarian
          keto diet diets dieta regime ernahrung* diyet* diet* vegansin веган* вегетариан* диет* نباتي* حمية ビーガン
          halal kosher plant_based meat fleisch carne/es carne/pt viande
        #allergy:3 allergy allergic allergies alergia* alergic* allergie* allergisch gluten gluten-free celiac coeliac
          glutenfrei lactose dairy nut_free alerji* alergi аллерги* حساسية* アレルギー sensitive eggless dairy-free intolerance
        #substitute:3 substitute swap replace instead alternative alternatives sustituir sustituto reemplazar substituir
          substituto remplacer statt ersatz ersetzen sostituire yerine pengganti ganti заменит* вместо بديل* 代わり
        #ingredient:2 ingredient* ingrediente* zutat* malzeme* bahan* ингредиент* مكونات* 材料 flour harina farinha farine
          mehl farina un/tr tepung мука sugar sourdough yeast
        #freeze:3 freeze freezer store_it storage_food keep_for leftovers congelar congeler einfrier* congelare dondur*
          заморо* تجميد 冷凍 fridge how_long_keep
        #oven:2 oven horno forno four/fr ofen firin* духовк* فرن* オーブン airfryer air_fryer temperature temperatura
        #pan:2 pan pans pot/en skillet wok sarten panela/xx frigideira poele pfanne* padella tava* wajan сковород* مقلاة*
          フライパン knife knives cuchillo faca couteau messer coltello bicak pisau нож* سكين* 包丁 blender mixer stand_mixer
          thermomix cookware
        #calories:3 calorie calories kcal caloria* kalori* kalorien калори* سعرات* カロリー macros protein proteina* proteine*
          protein* eiweiss* белк* بروتين* タンパク質 proteins intake nutrition nutricion
        #supplement:3 supplement* suplemento* complement* nahrungserganzung* integratori takviye* suplemen добавк*
          مكملات* サプリ protein_powder proteinpulver creatine creatina kreatin vitamin* vitamine* whey preworkout
          powder polvo poudre pulver
        #workout:2 workout workouts training train exercise exercises routine entreno entrenamiento entrenar ejercicio*
          rutina treino* treinar exercicio* entrainement exercice* ubung* trainieren trainingsplan allenamento esercizi
          antrenman* egzersiz* latihan olahraga тренир* упражнени* تمارين* تمرين* اتمرن 運動 筋トレ トレーニング gym gimnasio
          fitness sport split reps
        #injury:3 injury injured pain painful hurt hurts knee knees shoulder wrist sore bad_back back_pain lower_back
          lesion* dolor duele rodilla* espalda dor joelho* costas blessure* douleur* mal_au genou* dos/fr verletz*
          schmerz* knie rucken infortunio dolore ginocchi* schiena sakat* agri* diz/tr bel/tr cedera sakit lutut травм*
          боль болит колен* спин* اصابة* الم ركبة* ظهر 怪我 痛 膝 腰 physio surgery hernia doctor
        #results:3 results result progress see_results see_difference resultado* resultat* ergebnis* risultat* sonuc*
          hasil результат* نتيجة* نتائج فرق 結果 効果 difference weeks_until how_soon transformation
        #weight:2 lose_weight weight_loss weight kilos peso perder_peso adelgazar bajar_de_peso emagrecer maigrir
          abnehmen dimagrire kilo_ver* turun berat похуд* вес ينحف وزن* 痩せ ダイエット bulk cut_weight muscle
        #coaching:3 coaching coach one-to-one one_to_one 1_1 personal_training personal_plan custom_plan coachs mentoring
          mentor mentorship consultation consulting private_lessons personal_trainer asesoria acompanhamento coachen
          lezioni_private ozel_ders danismanlik konsultasi консультаци* личн* استشارة* 個別 コーチング program_me plan/en
          plans write_me make_me_a
        #dumbbell:3 dumbbell* dumbell* dumbbells weights mancuernas pesas halteres haltere* hantel* manubri dambil* barbel
          гантел* دمبل* ダンベル kettlebell bands resistance bench mat yoga_mat
        #run:2 running run/en runs runner correr correndo courir laufen lauf* correre kosu* lari бег бегат* جري ランニング
          marathon 5k 10k race/en
        #shoes:3 shoes shoe sneakers boots zapat* zapatillas sapato* tenis/pt tenis/es chaussure* baskets schuh* scarpe*
          ayakkabi* sepatu обувь кроссовк* حذاء* 靴 スニーカー
        #clothes:2 clothes outfit jacket shirt tshirt t-shirt hoodie hoodies sweater dress jeans leggings ropa camiseta*
          chaqueta sudadera vestido roupa* moletom jaqueta vetement* pull/fr veste robe kleid* jacke pulli pullover
          vestiti felpa giacca kiyafet* elbise* ceket* tisort* baju* jaket* kaos одежд* куртк* футболк* худи* платье
          ملابس* قميص* フーディ 服 ジャケット シャツ hat cap glasses sunglasses gafas brille lunettes occhiali
        #jewelry:2 necklace ring earrings jewelry jewellery watch/xx collar_joya collier bracelet kette kolye* perhiasan
        #bag:2 bag bags backpack mochila bolso sac rucksack tasche* borsa canta* tas/id сумк* рюкзак* حقيبة* バッグ suitcase
          luggage maleta mala valise koffer valigia strap
        #hair:3 hair haircut hairstyle shampoo pelo cabello peinado cabelo* cheveux coiffure haar haare frisur capelli
          sac_modeli saclarin rambut волос* шампун* شعر* 髪 ヘア dye curls curly
        #skin:3 skin skincare skin_care face_cream cream sunscreen spf moisturizer serum acne cleanser piel crema pele
          protetor_solar peau creme* haut hautpflege sonnencreme pelle cilt* krem* kulit jerawat кож* крем* بشرة* كريم*
          肌 スキンケア 日焼け止め pimples pores retinol
        #makeup:3 makeup make-up foundation lipstick mascara blush concealer eyeliner maquillaje labial base_maquillaje
          maquiagem batom maquillage rouge schminke* lippenstift trucco rossetto makyaj* ruj lipstik макияж* помад* مكياج*
          メイク リップ palette eyeshadow brand_lipstick shade
        #perfume:3 perfume fragrance parfum* parfum profumo parfüm* духи عطر* 香水 scent
        #nails:3 nails nail unas unhas ongles nagel unghie tirnak* kuku ногт* اظافر* ネイル
        #tattoo:3 tattoo* tattoos tatuaje* tatuagem tatouage* tatuaggi* dovme* tato тату* وشم タトゥー piercing
        #sleep:2 sleep wake morning_routine dormir schlaf* dormire uyku* uyuyor tidur сон спиш* نوم* 睡眠
        #motivation:2 motivated motivation motivacion motivacao motivier* motivazione motivasyon* мотивац* discipline
          burnout mindset stay_consistent
        #stress:2 anxiety stress nervous camera_shy confidence confident timido angst ansiedad ansiedade shy stage_fright
        #travel:2 travel trip trips traveling travelling viaje* viajar viagem voyage* reise* viaggi* seyahat* perjalanan
          jalan-jalan путешеств* سفر* 旅行 itinerary itinerario vacation hotel hotels hostel airbnb stay_at
        #visa:3 visa visado visum visto vize* виз* تاشيرة* ビザ insurance seguro assurance versicherung* assicurazione
          sigorta* asuransi страховк* passport
        #flight:3 flight flights plane vuelo* voo* vol/fr vols flug* volo voli ucak* pesawat penerbangan билет* рейс*
          طيران 航空券
        #place:2 location/en place/en spot cafe restaurant lugar lieu ort/de restaurante posto/it mekan* tempat место
          مكان* 場所 where_was_this where_is_this filmed_where
        #safe:2 safe safety dangerous danger seguro/xx peligroso sicher gefahrlich pericoloso guvenli* aman безопасн* امن*
          安全 alone solo women
        #car:3 car cars coche carro voiture* auto/de auto/it wagen araba* mobil/id машин* автомобил* سيارة* 車 van camper
          campervan bike/en bicycle bici fahrrad motorcycle moto
        #game:2 game games gaming juego* juegas jogo* joga jeu jeux spiel* spielst gioco giochi oyun* oynuyor* gim игр*
          играе* لعبة* العاب ゲーム minecraft fortnite valorant roblox ps5 xbox switch steam
        #server:2 ip_address seed texture texturepack resource_pack shader* mod modpack mods_game crosshair keybinds skin_game
          rank main_character
        #coding:3 code_language coding programming developer programacion programmieren python javascript framework
          github repo source_code open_source source/en project_files project_file stack yazilimci программирова* 
        #ai:3 ai chatgpt midjourney artificial_intelligence ia ki/de yapay_zeka ии ذكاء AI
        #invest:3 invest investing investment crypto stocks bitcoin invertir inversion* investir investimento*
          investissement* investier* aktien investimenti yatirim* hisse investasi saham инвест* استثمار* 投資 trading
        #art:2 draw drawing art artist paint painting sketch dibujo* dibujar pintura desenh* dessin* zeichn* malen disegn*
          ciz* cizim* gambar menggambar рису* رسم* 絵 イラスト procreate brush brushes pincel* pinceau* pinsel pennello firca*
          kuas кист* فرشاة* ブラシ watercolor acrylic acrylics canvas marker markers pen pens ink pencil sketchbook
        #commission:3 commission/en commissions custom_order personalised personalized custom encargo* encargos encomendas
          auftragsarbeit* commande_perso commissioni siparis_al* komisi на_заказ طلب_خاص 依頼
        #print:2 prints print/en poster posters print_out lamina affiche druck* stampa* baski* cetak принт* ポスター sticker*
        #yarn:3 yarn wool crochet knit knitting hook hooks pattern patterns lana ganchillo tejer croche la/xx laine tricot
          wolle hakel* strick* uncinetto yün orgu benang rajut пряж* вяз* صوف كروشيه 毛糸 編み sewing thread fabric stitch
        #plant:3 plant plants garden soil seeds planta* plante* jardin pflanze* garten erde samen pianta* bitki* toprak*
          tanaman растени* نبات* 植物 watering water_them fertilizer compost repot
        #diy:2 wood woodworking paint_wall glue drill saw sander finish varnish stain/en madera madeira bois holz legno
          ahsap* kayu дерев* خشب 木材
        #house:2 apartment house kitchen rent furniture desk room_tour sofa lamp_room casa/es casa/pt maison appart wohnung
          haus kuche mobel ev/tr evin rumah mebel дом квартир* بيت* 部屋 家具 mat_desk
        #mental:2 therapy therapist depression terapia therapie psicologo psychologist
        #study:2 study_tips notes_app exam exams estudiar estudar etudier lernen lernst studiare ders_calis* belajar учит*
          اذاكر 勉強 learn learned learning aprender aprendiste aprendeu apprendre appris gelernt imparare imparato
          ogren* ogrendin выучил* تعلم*
        #show_again:1 part_two part_2 sequel continue series serie series/es serien dizi season staffel temporada
        #old_video:2 old_video which_video deleted removed title_of name_of_the_video find_the_video titulo titre titel
        #spoiler:2 favorite favourite favorito favorita preferido prefere prefere/fr lieblings* preferito favori* favorit любим*
          مفضل* 好きな
        #faith:2 religion religious muslim christian jewish believe gott dios deus
        #politics:2 politics political vote election politica politik
        #kids_ok:2 kid_friendly for_kids years_old_ok year_old under_18 minors minor age_limit altersgrenze
        #sound:2 sound sounds sonido som/pt son/fr klang suono ses/tr suara звук* صوت* 音 saturation vinyl cassette tape tapes
          vinyl/de cinta fita bande vinil vinile plak винил*
        #battery:2 battery batteries bateria* batterie* akku pil/tr baterai батаре* بطارية* バッテリー
        #warranty:2 warranty guarantee garantia garantie garanzia garanti garansi гаранти* ضمان* 保証
        #material:2 material materials cotton made_of leather metal algodon algodao coton baumwolle stoff cotone kumas bahan_kain
          latex nickel plastic
        #quit:2 quit leaving stop_posting retire why_stopped break/en hiatus coming_back come_back_youtube
        #team:2 team alone_or_team film_you cameraman who_films crew who_edits
        """
}
