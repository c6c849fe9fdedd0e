import type { SingleByte } from '../../src/roster/text/encoding.ts';

/** Made-up staff of one language: their names are drawn independently, so that nobody in particular is meant. */
export interface NameList {
  first: readonly string[];
  last: readonly string[];
  groups: readonly string[];
  /** The single-byte encodings that lists in this language are written in. */
  encodings: readonly SingleByte[];
  /** Those of DOS and old Macs. */
  older: readonly SingleByte[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);
const western = ['windows-1252', 'iso-8859-15', 'macintosh'] as const;
const central = ['windows-1250', 'iso-8859-2'] as const;
const cyrillic = ['windows-1251', 'koi8-r', 'iso-8859-5', 'x-mac-cyrillic', 'ibm866'] as const;

/**
 * Names as they are usual in each language, with and without letters outside ASCII. Nothing that judges encodings is made
 * from them: `bench/letter-pairs.ts` leaves them out.
 */
export const nameLists: Record<string, NameList> = {
  German: {
    first: words(
      `Anna Jürgen Björn Käthe Lukas Sören Günter Renate Jörg Uwe Heike Rüdiger Silke Thomas Bärbel Götz Hanne Doreen
      Sigrid Volker Hannelore Detlef Ute Mareike Jörn Dörte Torsten Änne Ömer Kerstin`,
    ),
    last: words(
      `Müller Schäfer Köhler Böhm Groß Weiß Jäger Krüger Schröder Vogel Brandt Lorenz Böttcher Kühn Winkler Lübke Hübner
      Franke Gärtner Bürkle Strauß Voß Hölzl Prügel Möbius Düring Wächter Straßer Ziegler Thoma Preuß Öztürk Übelacker`,
    ),
    groups: ['Geschäftsführung', 'Einkauf', 'Qualitätsprüfung', 'Büro Süd', 'Vertrieb', 'Außendienst'],
    encodings: western,
    older: ['cp850', 'cp437'],
  },
  French: {
    first: words(
      `Hélène François Zoé Anaïs Jérôme Benoît Chloé Thérèse Loïc Gaëlle Mathieu Élodie Cédric Solène Aurélie Gérard
      Pascale Noël Agnès Danièle Rémi Sylvain Océane Maëlle Corentin Mylène Joël Adèle Édouard Sébastien`,
    ),
    last: words(
      `Lefèvre Gauthier Béranger Prévost Côté Lemaître Guérin Chevalier Fournier Daviau Rousselet Crépin Mahé Legrand
      Thévenot Hébert Pâquet Létourneau Bézier Forêt Besançon Garçon Meunier Vidalou Brûlé Delâge Hérault Niçard Ménard`,
    ),
    groups: ['Comptabilité', 'Ressources humaines', 'Qualité', 'Siège', 'Ingénierie', 'Achats'],
    encodings: western,
    older: ['cp850', 'cp863'],
  },
  Spanish: {
    first: words(
      `José María Íñigo Begoña Ángel Lucía Andrés Sofía Raúl Inés Joaquín Pilar Víctor Mónica Óscar Nuria Jesús Tomás
      Belén Rocío Martín Álvaro Concepción Iván Carmen Úrsula Germán Rubén Elena Asunción`,
    ),
    last: words(
      `García Muñoz Peña Núñez Ibáñez González Hernández Ruiz Ortega Yáñez Castaño Sáez Gálvez Villafañe Cañizares Bolaños
      Durán Zúñiga Solís Márquez Domínguez Avilés Larrañaga Cárdenas Ordóñez Ríos Vallejo Montero Güell Argüelles`,
    ),
    groups: ['Administración', 'Recursos humanos', 'Compañía Sur', 'Producción', 'Diseño', 'Ventas'],
    encodings: western,
    older: ['cp850'],
  },
  Portuguese: {
    first: words(
      `João Inês Antônio Conceição Luísa Gonçalo Mário Sebastião Cláudia Patrícia Simão Helena Fátima Rogério Estêvão
      Tânia Vinícius Letícia Bruno Nuno Mónica Zélia Cristóvão Rute Damião Lívia Ângela Flávio Sónia Hélder`,
    ),
    last: words(
      `Gonçalves Simões Magalhães Araújo Conceição Galvão Leitão Brandão Falcão Assunção Guimarães Valadão Cabeça Mourão
      Antunes Bulhões Queirós Patrício Romão Frazão Lourenço Mendonça Noronha Serrão Estevão Sequeira Camões Peçanha`,
    ),
    groups: ['Gestão', 'Produção', 'Recepção', 'Vendas', 'Manutenção', 'Logística'],
    encodings: western,
    older: ['cp850', 'cp860'],
  },
  Swedish: {
    first: words(
      `Åsa Göran Björn Märta Örjan Lars Jörgen Kerstin Håkan Gösta Åke Maj Sören Tage Pär Jonas Torbjörn Ingela Bosse
      Görel Hjördis Mårten Annika Bengt Solveig Stig Hillevi Östen Märit Kåre`,
    ),
    last: words(
      `Sjöberg Åkesson Öberg Nyström Lindström Bäckman Hallgren Ström Söderlund Bergqvist Östlund Hägglund Strömberg
      Norén Gyllenhammar Wikström Ågren Björk Hedström Engström Blomkvist Sjögren Lövgren Källström Rönnlund Näslund`,
    ),
    groups: ['Försäljning', 'Inköp', 'Hälsa', 'Göteborg', 'Lön', 'Huvudkontor'],
    encodings: western,
    older: ['cp850', 'cp437'],
  },
  Danish: {
    first: words(
      `Søren Jørgen Åse Mogens Bjørn Kåre Lærke Torbjørn Preben Øyvind Bente Håkon Sølvi Bødil Henning Gøran Pål Ragnhild
      Kjærsti Rikke Ødger Øystein Æsa Lisbet Bård Frøya Børge Jytte Trygve Vibeke`,
    ),
    last: words(
      `Sørensen Nørgaard Østergaard Bjørnsen Kjær Ødegård Ravn Møller Hågensen Lønborg Skjødt Bækgaard Brøndum Krøyer
      Ågesen Thrane Nygård Sæther Strøm Bøe Fjeldstad Røed Sætre Håland Gjerde Kvåle Tveit Bø Hjortkjær`,
    ),
    groups: ['Indkøb', 'Løn', 'Økonomi', 'Salg', 'Kundeservice Århus', 'Værksted'],
    encodings: western,
    older: ['cp850', 'cp865'],
  },
  Finnish: {
    first: words(
      `Päivi Jyrki Väinö Riitta Heikki Yrjö Tuulikki Määttä Pirkko Jari Hilkka Jääskä Pentti Sirkka Arvo Kyösti Marjatta
      Räty Seppo Kyllikki Töyry Raija Ilkka Lyyti Esko Helmi Tapani`,
    ),
    last: words(
      `Hämäläinen Mäkinen Väisänen Järvinen Kähkönen Ylönen Rämö Salonen Pöyhönen Räikkönen Ahonen Pesonen Määttänen
      Hyvärinen Törmänen Ruotsalainen Kärkkäinen Yli-Hänni Sillanpää Lehtimäki Niinistö Tähtinen Pitkänen`,
    ),
    groups: ['Myynti', 'Henkilöstö', 'Hankinta', 'Jyväskylä', 'Työterveys'],
    encodings: western,
    older: ['cp850'],
  },
  Icelandic: {
    first: words(
      `Þórunn Guðrún Sigríður Björk Ásgeir Þór Hörður Ragnheiður Ólöf Kári Sæunn Gísli Eiríkur Hrafn Dagný Ægir Ýmir
      Snæbjörn Halldóra Auður Steinunn Óðinn Fríða`,
    ),
    last: words(
      `Guðmundsdóttir Jónsson Þorsteinsson Sigurðardóttir Björnsson Ásgeirsdóttir Hallgrímsson Kristjánsdóttir Pálsson
      Gunnarsson Friðriksdóttir Bjarnason Þórðarson Eiríksdóttir Ólafsson`,
    ),
    groups: ['Bókhald', 'Sala', 'Þjónusta', 'Framleiðsla', 'Reykjavík'],
    encodings: ['windows-1252', 'iso-8859-15'],
    older: ['cp850', 'cp861', 'maciceland'],
  },
  Polish: {
    first: words(
      `Łukasz Zofia Michał Grażyna Paweł Małgorzata Stanisław Agnieszka Bożena Wojciech Krzysztof Elżbieta Sławomir Józef
      Aleksandra Jędrzej Żaneta Rafał Przemysław Danuta Świętosława Mirosława Błażej Ryszard Wiesława Zdzisław Róża`,
    ),
    last: words(
      `Śliwiński Wiśniewska Dąbrowski Kozłowska Wójcik Kamiński Zieliński Szymańska Woźniak Lewandowski Pająk Jabłońska
      Górski Król Żak Błaszczyk Gołębiowski Sęk Nowak Łuczak Mróz Wróbel Kaźmierczak Świątek Pawłowicz Cieślak Marzec Źrebiec`,
    ),
    groups: ['Księgowość', 'Sprzedaż', 'Zarząd', 'Łódź', 'Dział kadr', 'Jakość'],
    encodings: central,
    older: ['cp852', 'maccenteuro'],
  },
  Czech: {
    first: words(
      `Jiří Tomáš Lukáš Zdeněk Tereza Kateřina Ondřej Šárka Ladislav Růžena Eliška Matěj Barbora Vojtěch Květa Stanislav
      Miloš Ľubica Jaroslava Bořivoj Otakar Řehoř Přemysl Alžběta Čeněk Božena Dušan Markéta Hynek`,
    ),
    last: words(
      `Dvořák Novotná Černý Procházka Kučera Veselá Křížová Horák Němcová Šťastný Růžička Beneš Fiala Sedláčková Doležal
      Zeman Kolář Navrátil Čermák Urban Vaněk Blažková Kříž Kopecký Žižka Řezníček Mareš Ševčík Pospíšil Ďurica`,
    ),
    groups: ['Účetnictví', 'Nákup', 'Výroba', 'Řízení jakosti', 'Plzeň', 'Prodej'],
    encodings: central,
    older: ['cp852', 'maccenteuro'],
  },
  Hungarian: {
    first: words(
      `István Erzsébet Győző László Ágnes Zoltán Gergő Katalin Jenő Dezső Zsófia Tünde Csaba Réka Ödön Ildikó Ferenc
      Özséb Béla Gyöngyi Bence Enikő Sándor Hajnalka Tímea Ernő Piroska Szilárd`,
    ),
    last: words(
      `Nagy Szabó Kovács Tóth Erdős Kőszegi Molnár Szűcs Németh Bűdi Farkas Fekete Hegedűs Szőke Pintér Bognár Vörös Juhász
      Győri Sipos Kelemen Lőrincz Mező Kerekes Benkő Gulyás Hernádi Székely Fűzesi`,
    ),
    groups: ['Könyvelés', 'Értékesítés', 'Győr', 'Gyártás', 'Vezetőség', 'Minőségügy'],
    encodings: central,
    older: ['cp852', 'maccenteuro'],
  },
  Croatian: {
    first: words(
      `Željko Šime Đurđica Goran Nikša Ćiril Vesna Tihomir Krešimir Snježana Matija Željka Anđelka Bože Slavica Miloš Jure
      Dražen Danijela Živko Boštjan Blaž Jože Neža Urška`,
    ),
    last: words(
      `Kovačević Horvat Marić Perišić Božić Jurić Đokić Šimić Knežević Babić Vuković Grgić Žagar Ćosić Radić Matić Župan
      Štimac Čačić Zorić Kranjčar Novak Dujmović Đurić Krajnc Zupančič Petrič`,
    ),
    groups: ['Računovodstvo', 'Prodaja', 'Šibenik', 'Nabava', 'Održavanje', 'Kadrovska služba'],
    encodings: central,
    older: ['cp852', 'maccroatian'],
  },
  Romanian: {
    first: words(
      `Ştefan Ioana Cătălin Răzvan Mădălina Ionuţ Bogdan Gheorghiţă Anca Cosmin Lăcrămioara Iuliană Sînziana Neculai
      Despina Tiberiu Aniţa Vlăduţ Mălina Petruţa Sebastian Ileana`,
    ),
    last: words(
      `Popescu Ionescu Bălan Ţăranu Munteanu Şerban Rădulescu Stănescu Mihăilescu Drăgan Văcărescu Păun Crăciun Niţă
      Constantinescu Bârsan Oprişan Dobrotă Brătianu Lupaşcu Cîmpeanu Tănase Grădinaru`,
    ),
    groups: ['Contabilitate', 'Vânzări', 'Iaşi', 'Producţie', 'Achiziţii', 'Secţia Sud'],
    encodings: central,
    older: ['cp852', 'macromania'],
  },
  Turkish: {
    first: words(
      `Ayşe Çağlar Gülşen Barış Işıl Ömer Şule Doğan Tuğba İbrahim Yıldız Müjgan Kağan Fatoş Erdoğan Sıla Nurgül Oğuz
      Zeynep Çiğdem Ünal Ebru Nazlı Şükrü Hakan Gökçe Özgür`,
    ),
    last: words(
      `Yılmaz Öztürk Şahin Çelik Doğan Kılıç Güneş Koç Aydoğdu Erdoğmuş Yıldırım Aksoy Bozkurt Karadağ Taş Kaya Çakır Şimşek
      Gündüz Özdemir Işık Arslan Bağcı Tuncer Ateş Küçük Sarıkaya`,
    ),
    groups: ['Satış', 'İnsan Kaynakları', 'Yönetim', 'Üretim', 'Muhasebe', 'Eskişehir'],
    encodings: ['windows-1254'],
    older: ['cp857', 'macturkish'],
  },
  Lithuanian: {
    first: words(
      `Jonas Rūta Žygimantas Eglė Šarūnas Ąžuolas Birutė Mindaugas Dovilė Kęstutis Jūratė Gediminas Živilė Rasa Algirdas
      Ieva Giedrė Vytautas Ugnė Viltė Laimutė Česlovas Tadas Ramūnas`,
    ),
    last: words(
      `Kazlauskas Petrauskienė Žukauskas Jankauskaitė Šimkus Balčiūnas Paulauskienė Vasiliauskas Ąžuolaitis Čepaitis Urbonas
      Navickaitė Butkutė Gudaitis Stankevičius Kairys Brazauskas Žemaitytė Račkauskas Mažeika Būga Kučinskaitė`,
    ),
    groups: ['Pardavimai', 'Buhalterija', 'Šiauliai', 'Vadovybė', 'Gamyba', 'Kokybės skyrius'],
    encodings: ['windows-1257', 'iso-8859-13'],
    older: ['cp775'],
  },
  Latvian: {
    first: words(
      `Jānis Līga Kārlis Ilze Mārtiņš Žanete Ģirts Sanita Ēriks Kaspars Ieva Zīle Pēteris Dzintra Aigars Rūdolfs Inguna
      Ķestutis Baiba Gunārs Māra Uldis Šarlote Vējš`,
    ),
    last: words(
      `Bērziņš Kalniņa Ozoliņš Zariņš Liepiņa Krūmiņš Balodis Eglīte Ķirsis Vītols Āboliņš Jansons Šķēle Kļaviņa Lācis
      Gailītis Pūriņš Zvirbulis Grāvītis Dūmiņš Ābele Cīrulis`,
    ),
    groups: ['Grāmatvedība', 'Pārdošana', 'Rīga', 'Ražošana', 'Vadība', 'Iepirkumi'],
    encodings: ['windows-1257', 'iso-8859-13'],
    older: ['cp775'],
  },
  Russian: {
    first: words(
      `Ольга Дмитрий Наталья Сергей Екатерина Фёдор Людмила Юрий Светлана Пётр Андрей Галина Эдуард Жанна Илья Тимур Ирина
      Щукарь Любовь Анатолий Зинаида Владислав Ксения Рустам`,
    ),
    last: words(
      `Смирнов Кузнецова Щербаков Попова Соловьёв Журавлёва Орлов Зайцева Хрущёв Белоусов Яковлева Цветков Чернышёв Юдина
      Лебедев Козлова Рыжов Горбунов Субботина Шаров Калашников Быкова`,
    ),
    groups: ['Бухгалтерия', 'Отдел продаж', 'Склад', 'Дирекция', 'Производство', 'Кадры'],
    encodings: cyrillic,
    older: ['cp855'],
  },
  Ukrainian: {
    first: words(
      `Олена Тарас Ірина Їжак Ганна Микола Євген Оксана Ростислав Лєся Юлія Андрій Богдан Надія Мирослав Ґанна Соломія
      Зіновій Дмитро Катерина Віталій Стефанія`,
    ),
    last: words(
      `Шевченко Коваленко Бондар Ткачук Кравець Поліщук Гриценко Їжакевич Мельничук Лисенко Савчук Захарчук Єфименко
      Костюк Олійник Сидоренко Ґудзь Терещенко Мороз Юрченко Вишневецький`,
    ),
    groups: ['Бухгалтерія', 'Відділ продажів', 'Київ', 'Керівництво', 'Закупівлі', 'Виробництво'],
    encodings: ['windows-1251', 'koi8-u'],
    older: [],
  },
  Bulgarian: {
    first: words(
      `Георги Мария Иван Десислава Стоян Цветелина Димитър Йорданка Красимир Величка Асен Румяна Бойко Ваня Пламен`,
    ),
    last: words(
      `Иванов Георгиева Димитрова Стоянов Христов Ангелова Тодорова Илиев Ковачева Недялков Цанков Желязков Петкова Драганов`,
    ),
    groups: ['Счетоводство', 'Продажби', 'Пловдив', 'Управление', 'Снабдяване'],
    encodings: ['windows-1251', 'iso-8859-5'],
    older: ['cp855'],
  },
  Greek: {
    first: words(
      `Γιώργος Ελένη Νίκος Αικατερίνη Ιωάννης Δήμητρα Χρήστος Βασιλική Σπύρος Άννα Θεόδωρος Όλγα Ηλίας Ευαγγελία Κώστας
      Ζωή Φώτης Ίρις Μαρία Παναγιώτης`,
    ),
    last: words(
      `Παπαδόπουλος Οικονόμου Νικολάου Βλάχος Καραγιάννης Μακρής Αντωνίου Ζήσης Θεοδώρου Μιχαηλίδης Χατζής Σταύρου
      Γεωργίου Ιωαννίδου Λάμπρου Παππάς Άγγελος Ξενάκης Τσιπούρας`,
    ),
    groups: ['Λογιστήριο', 'Πωλήσεις', 'Αθήνα', 'Διοίκηση', 'Παραγωγή', 'Προμήθειες'],
    encodings: ['windows-1253', 'iso-8859-7'],
    older: ['cp737', 'cp869', 'macgreek'],
  },
  English: {
    first: words(`John Mary Zoë Chloë James Sarah Renée Liam Oliver Siân Grace Noël Emily Seán Harry Sinéad`),
    last: words(
      `Smith O’Brien Brontë Taylor D’Arcy Johnson Fitzgerald Ó’Neill Walker Hughes Núñez Wright Müller Green García`,
    ),
    groups: ['Sales', 'Café', 'Head office', 'Research – North', 'IT'],
    encodings: western,
    older: [],
  },
};
