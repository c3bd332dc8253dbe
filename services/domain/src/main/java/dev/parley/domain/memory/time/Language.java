package dev.parley.domain.memory.time;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What words mean in a language. A line of a table is a role, its value where it has one, and the words and phrases that
 * have it, separated by commas. Accents and capitals make no difference.
 */
enum Language {
    ENGLISH("""
            MONTH 1 january, jan
            MONTH 2 february, feb
            MONTH 3 march, mar
            MONTH 4 april, apr
            MONTH 5 may
            MONTH 6 june, jun
            MONTH 7 july, jul
            MONTH 8 august, aug
            MONTH 9 september, sep, sept
            MONTH 10 october, oct
            MONTH 11 november, nov
            MONTH 12 december, dec
            WEAK march, april, may, june, august, spring, fall
            SHORT jan, feb, mar, apr, jun, jul, aug, sep, sept, oct, nov, dec, mon, tue, tues, wed, thu, thur, thurs, fri, sat, sun
            WEEKDAY 1 monday, mon
            WEEKDAY 2 tuesday, tue, tues
            WEEKDAY 3 wednesday, wed
            WEEKDAY 4 thursday, thu, thur, thurs
            WEEKDAY 5 friday, fri
            WEEKDAY 6 saturday, sat
            WEEKDAY 7 sunday, sun
            WEEKDAYS 1 mondays
            WEEKDAYS 2 tuesdays
            WEEKDAYS 3 wednesdays
            WEEKDAYS 4 thursdays
            WEEKDAYS 5 fridays
            WEEKDAYS 6 saturdays
            WEEKDAYS 7 sundays
            SEASON 0 spring
            SEASON 1 summer
            SEASON 2 autumn, fall
            SEASON 3 winter
            QUARTER 1 q1
            QUARTER 2 q2
            QUARTER 3 q3
            QUARTER 4 q4
            PART 0 morning
            PART 1 afternoon
            PART 2 evening
            PART 3 night, nights
            OFFSET -2 day before yesterday
            OFFSET -1 yesterday
            OFFSET 0 today
            OFFSET 1 tomorrow
            OFFSET 2 day after tomorrow
            NEAR_PART 3 night before last
            NEAR_PART 13 last night
            NEAR_PART 23 tonight
            SHIFT 33 week before last
            SHIFT 37 week after next
            SHIFT 43 month before last
            SHIFT 47 month after next
            SHIFT 63 year before last
            SHIFT 67 year after next
            SHIFT 83 weekend before last
            UNIT 0 minute, minutes
            UNIT 1 hour, hours
            UNIT 2 day, days
            UNIT 3 week, weeks
            UNIT 4 month, months
            UNIT 5 quarter, quarters
            UNIT 6 year, years
            UNIT 7 decade, decades
            UNIT 8 weekend, weekends
            PLURAL days, weeks, months, years, weekends, quarters
            NUMBER 1 a, an, one
            NUMBER 2 two
            NUMBER 3 three
            NUMBER 4 four
            NUMBER 5 five
            NUMBER 6 six
            NUMBER 7 seven
            NUMBER 8 eight
            NUMBER 9 nine
            NUMBER 10 ten
            NUMBER 11 eleven
            NUMBER 12 twelve
            NUMBER 13 thirteen
            NUMBER 14 fourteen
            NUMBER 15 fifteen
            NUMBER 16 sixteen
            NUMBER 17 seventeen
            NUMBER 18 eighteen
            NUMBER 19 nineteen
            NUMBER 20 twenty
            NUMBER 30 thirty
            NUMBER 40 forty
            NUMBER 50 fifty
            NUMBER 60 sixty
            NUMBER 90 ninety
            NUMBER 100 hundred, a hundred, one hundred
            VAGUE 0 couple, couple of, a couple, a couple of
            VAGUE 1 few, a few
            VAGUE 2 several
            CHOICE 0 last, previous
            CHOICE 1 this, current
            CHOICE 2 next
            CHOICE 3 coming, upcoming, this coming
            CHOICE 4 past
            CHOICE 4 this past
            AGO ago, back
            AHEAD_BEFORE in
            AHEAD from now
            PREPOSITION 1 on, at, for
            PREPOSITION 2 in, during, throughout, over
            ARTICLE the
            OF of
            SINCE since, ever since
            AFTER after
            BEFORE before, prior to
            UNTIL until, till, up to, up until
            BY by, from now until, from now till, from now to
            FROM from
            TO to, until, till, through, thru
            BETWEEN between
            AND and, or
            THIRD 0 early, beginning of, start of
            THIRD 1 mid, middle of
            THIRD 2 late, end of
            SIDE 0 earlier
            SIDE 1 later
            ORDINAL 1 first
            ORDINAL 2 second
            ORDINAL 3 third
            ORDINAL 4 fourth
            ORDINAL 5 fifth
            ORDINAL 9 last, final
            HALF half
            HOLIDAY 12251 christmas, christmas day, xmas
            HOLIDAY 12241 christmas eve
            HOLIDAY 12261 boxing day
            HOLIDAY 12311 new year s eve, new years eve
            HOLIDAY 1011 new year s day, new years day, new year s, new years
            HOLIDAY 10311 halloween
            HOLIDAY 2141 valentine s day, valentines day
            HOLIDAY 3171 st patrick s day
            HOLIDAY 5011 may day
            HOLIDAY 4011 april fools day, april fool s day
            DECADE 1930 thirties
            DECADE 1940 forties
            DECADE 1950 fifties
            DECADE 1960 sixties
            DECADE 1970 seventies
            DECADE 1980 eighties
            DECADE 1990 nineties
            EVERY every, each, any, per, black, good, ash, easter, palm, super, whit, cyber, shrove, bloody
            HABIT a, an, the, my, your, his, her, our, their, no
            EVERY every other, every single, every last
            ABOUT 1 less than, under, within
            ABOUT about, around, almost, nearly, roughly, over, some, exactly, just, only
            COUNTED people, percent, km, kg, children, men, women, dollar, euro, px, mb, gb, times, more, pounds
            SUBJECT i, you, he, she, it, we, they
            FUTURE 1 will, ll, won, shall, gonna, going to, remind, due, leaving, arriving, flying, about to, expires, see you, let s
            FUTURE plan, planning, planned, plans, deadline, hope to, intend, scheduled, tomorrow, upcoming, book, schedule
            PAST was, were, had, did, went, met, saw, told, said, got, came, made, took, left, bought, began, gave, found, ate, ran, spent
            PAST hid, spoke, slept, flew, drove, rode, swam, sang, danced, fell, broke, chose, fought, caught, taught, brought, built, drank
            PAST heard, held, kept, sent, sold, paid, grew, threw, shot, stood, rose, woke, wore, hurt, led, meant, laid, married, quit, cut
            PAST was going, were going, was going to, were going to, has been, have been, ve, wrote, read, felt, thought, knew, lost, won
            PRESENT is, are, am, m, re, starts, begins, leaves
            COMMON i, you, he, she, it, we, they, me, him, her, us, them, my, your, his, our, their, the, a, an, and, or, but, if, so
            COMMON what, when, where, who, why, how, which, is, are, was, were, be, been, am, do, does, did, have, has, had, will, would
            COMMON can, could, should, not, no, in, on, at, to, of, for, with, from, by, about, as, that, this, there, then, than, because
            COMMON after, before, since, until, while, where, also, just, some, any, all, went, got, says, always, as, us, its
            """),
    GERMAN("""
            MONTH 1 januar, jänner, jan
            MONTH 2 februar, feb
            MONTH 3 märz, maerz, mär
            MONTH 4 april, apr
            MONTH 5 mai
            MONTH 6 juni, jun
            MONTH 7 juli, jul
            MONTH 8 august, aug
            MONTH 9 september, sep, sept
            MONTH 10 oktober, okt
            MONTH 11 november, nov
            MONTH 12 dezember, dez
            WEAK april, mai, juni, august
            SHORT jan, feb, mär, apr, jun, jul, aug, sep, sept, okt, nov, dez
            WEEKDAY 1 montag, montagmorgen, montagvormittag, montagnachmittag, montagabend, montagnacht
            WEEKDAY 2 dienstag, dienstagmorgen, dienstagvormittag, dienstagnachmittag, dienstagabend, dienstagnacht
            WEEKDAY 3 mittwoch, mittwochmorgen, mittwochvormittag, mittwochnachmittag, mittwochabend, mittwochnacht
            WEEKDAY 4 donnerstag, donnerstagmorgen, donnerstagvormittag, donnerstagnachmittag, donnerstagabend, donnerstagnacht
            WEEKDAY 5 freitag, freitagmorgen, freitagvormittag, freitagnachmittag, freitagabend, freitagnacht
            WEEKDAY 6 samstag, samstagmorgen, samstagvormittag, samstagnachmittag, samstagabend, samstagnacht, sonnabend
            WEEKDAY 7 sonntag, sonntagmorgen, sonntagvormittag, sonntagnachmittag, sonntagabend, sonntagnacht
            SEASON 0 frühling, frühjahr, fruehling, fruehjahr
            SEASON 1 sommer
            SEASON 2 herbst
            SEASON 3 winter
            QUARTER 1 q1
            QUARTER 2 q2
            QUARTER 3 q3
            QUARTER 4 q4
            PART 0 montagmorgen, dienstagmorgen, mittwochmorgen, donnerstagmorgen, freitagmorgen, samstagmorgen, sonntagmorgen
            PART 0 montagvormittag, dienstagvormittag, mittwochvormittag, donnerstagvormittag, freitagvormittag, samstagvormittag, sonntagvormittag
            PART 1 montagnachmittag, dienstagnachmittag, mittwochnachmittag, donnerstagnachmittag, freitagnachmittag, samstagnachmittag, sonntagnachmittag
            PART 2 montagabend, dienstagabend, mittwochabend, donnerstagabend, freitagabend, samstagabend, sonntagabend
            PART 3 montagnacht, dienstagnacht, mittwochnacht, donnerstagnacht, freitagnacht, samstagnacht, sonntagnacht
            PART 0 morgen, früh, frueh, vormittag
            PART 1 nachmittag
            PART 2 abend
            PART 3 nacht
            OFFSET -2 vorgestern
            OFFSET -1 gestern
            OFFSET 0 heute
            OFFSET 1 morgen
            OFFSET 2 übermorgen, uebermorgen
            NEAR_PART 13 letzte nacht, gestern nacht
            NEAR_PART 23 heute nacht
            SHIFT 33 vorletzte woche
            SHIFT 43 vorletzten monat
            SHIFT 63 vorletztes jahr
            SHIFT 37 übernächste woche, uebernaechste woche
            UNIT 0 minute, minuten
            UNIT 1 stunde, stunden
            UNIT 2 tag, tage, tagen
            UNIT 3 woche, wochen
            UNIT 4 monat, monate, monaten, monats
            UNIT 5 quartal, quartals
            UNIT 6 jahr, jahre, jahren, jahres
            UNIT 7 jahrzehnt, jahrzehnte, jahrzehnten
            UNIT 8 wochenende, wochenenden
            PLURAL tage, tagen, wochen, monate, monaten, jahre, jahren, wochenenden
            NUMBER 1 ein, eine, einem, einer, einen
            NUMBER 2 zwei
            NUMBER 3 drei
            NUMBER 4 vier
            NUMBER 5 fünf, fuenf
            NUMBER 6 sechs
            NUMBER 7 sieben
            NUMBER 8 acht
            NUMBER 9 neun
            NUMBER 10 zehn
            NUMBER 11 elf
            NUMBER 12 zwölf, zwoelf
            NUMBER 20 zwanzig
            NUMBER 30 dreißig
            VAGUE 1 ein paar, paar, einige, einigen
            VAGUE 2 mehrere, mehreren
            CHOICE 0 letzte, letzten, letzter, letztes, letztem, vergangene, vergangenen, vergangenes, vergangener, vorige, vorigen, voriges, voriger
            CHOICE 1 diese, diesen, dieser, dieses, diesem
            CHOICE 3 nächste, nächsten, nächster, nächstes, nächstem, naechste, naechsten, naechster, naechstes
            CHOICE 3 kommende, kommenden, kommender, kommendes
            AGO_BEFORE vor
            AHEAD_BEFORE in
            PREPOSITION 1 am, an, zu, für, über
            PREPOSITION 2 im, in, während, waehrend
            ARTICLE der, die, das, den, dem, des, im, am
            OF des, von, vom
            SINCE seit, seit dem, ab
            AFTER nach
            BEFORE vor
            UNTIL bis, bis zum, bis zur
            FROM von, vom
            TO bis, bis zum
            BETWEEN zwischen
            AND und, oder
            THIRD 0 anfang, beginn
            THIRD 1 mitte
            THIRD 2 ende
            ORDINAL 1 erste, ersten, erster, erstes
            ORDINAL 2 zweite, zweiten, zweiter, zweites
            ORDINAL 3 dritte, dritten, dritter, drittes
            ORDINAL 4 vierte, vierten, vierter, viertes
            ORDINAL 9 letzte, letzten
            HALF hälfte, haelfte, halbjahr
            HOLIDAY 12243 weihnachten
            HOLIDAY 12241 heiligabend, heiliger abend
            HOLIDAY 12311 silvester
            HOLIDAY 1011 neujahr
            HOLIDAY 10311 halloween
            HOLIDAY 2141 valentinstag
            DECADE 1950 fünfzigern
            DECADE 1960 sechzigern
            DECADE 1970 siebzigern
            DECADE 1980 achtzigern
            DECADE 1990 neunzigern
            HABIT ein, einen, kein, keinen
            EVERY jeden, jede, jedes, jeder, alle, pro, guten morgen, guten abend, guten tag, gute nacht
            ABOUT etwa, ungefähr, ungefaehr, rund, fast, circa, ca, genau, knapp
            COUNTED euro, prozent, leute, leuten, menschen, wörter, wörtern, zeichen, tokens, token, zeilen, stück, kilometer, meter, dollar, mal, seiten
            FUTURE werde, werden, wird, wirst, will, wollen, plane, planen, geplant, fällig, erinnere
            PAST war, waren, hatte, hatten, habe, haben, hat, hast, bin, sind, wurde, wurden, ging, kam
            PRESENT ist, beginnt, startet, fahre, fliege, fahren, fliegen
            COMMON ich, du, er, sie, es, wir, ihr, mir, mich, dir, dich, uns, mein, meine, dein, der, die, das, den, dem, ein, eine, einen
            COMMON und, oder, aber, was, wann, wo, wer, warum, wie, welche, ist, sind, war, waren, sein, habe, hat, haben, hast, wird, werden
            COMMON nicht, kein, keine, hier, im, am, mit, von, zu, zum, zur, auf, für, über, als, dass, wenn, noch, nur, auch, schon, bis, viel
            """),
    FRENCH("""
            MONTH 1 janvier, janv
            MONTH 2 février, fév, févr
            MONTH 3 mars
            MONTH 4 avril, avr
            MONTH 5 mai
            MONTH 6 juin
            MONTH 7 juillet, juil
            MONTH 8 août, aout
            MONTH 9 septembre, sept
            MONTH 10 octobre, oct
            MONTH 11 novembre, nov
            MONTH 12 décembre, déc
            WEAK mars, avril, mai, juin, août
            SHORT janv, fév, févr, avr, juil, sept, oct, nov, déc
            WEEKDAY 1 lundi
            WEEKDAY 2 mardi
            WEEKDAY 3 mercredi
            WEEKDAY 4 jeudi
            WEEKDAY 5 vendredi
            WEEKDAY 6 samedi
            WEEKDAY 7 dimanche
            SEASON 0 printemps
            SEASON 1 été
            SEASON 2 automne
            SEASON 3 hiver
            QUARTER 1 t1
            QUARTER 2 t2
            QUARTER 3 t3
            QUARTER 4 t4
            PART 0 matin, matinée
            PART 1 après midi, après - midi
            PART 2 soir, soirée
            PART 3 nuit
            OFFSET -2 avant hier, avant - hier
            OFFSET -1 hier
            OFFSET 0 aujourd hui
            OFFSET 1 demain
            OFFSET 2 après demain, après - demain
            NEAR_PART 13 la nuit dernière, nuit dernière
            UNIT 0 minute, minutes
            UNIT 1 heure, heures
            UNIT 2 jour, jours, journée
            UNIT 3 semaine, semaines
            UNIT 4 mois
            UNIT 5 trimestre, trimestres
            UNIT 6 an, ans, année, années
            UNIT 7 décennie, décennies
            UNIT 8 week - end, weekend, week - ends, weekends
            PLURAL jours, semaines, ans, années
            NUMBER 1 un, une
            NUMBER 2 deux
            NUMBER 3 trois
            NUMBER 4 quatre
            NUMBER 5 cinq
            NUMBER 6 six
            NUMBER 7 sept
            NUMBER 8 huit
            NUMBER 9 neuf
            NUMBER 10 dix
            NUMBER 11 onze
            NUMBER 12 douze
            NUMBER 15 quinze
            NUMBER 20 vingt
            NUMBER 30 trente
            VAGUE 1 quelques
            VAGUE 2 plusieurs
            CHOICE 0 dernier, dernière, derniers, dernières
            CHOICE 1 ce, cet, cette, ces
            CHOICE 3 prochain, prochaine, prochains, prochaines
            CHOICE_AFTER 0 dernier, dernière, passé, passée
            CHOICE_AFTER 3 prochain, prochaine, qui vient
            AGO_BEFORE il y a
            AHEAD_BEFORE dans
            PREPOSITION 1 à, pour, le
            PREPOSITION 2 en, au, pendant, durant, au cours de, au cours des, au mois de, du mois de, à l, au cours du
            ARTICLE le, la, les, l, au, du
            OF de, du, d, des
            SINCE depuis, à partir de, à partir du
            AFTER après
            BEFORE avant
            UNTIL jusqu à, jusqu au, jusqu en, jusque
            BY d ici
            FROM de, du
            TO à, au, jusqu à, jusqu au
            BETWEEN entre
            AND et, ou
            THIRD 0 début, au début de, début de
            THIRD 1 mi, milieu de, mi -
            THIRD 2 fin, fin de, à la fin de
            ORDINAL 1 premier, première, 1er
            ORDINAL 2 deuxième, second, seconde
            ORDINAL 3 troisième
            ORDINAL 4 quatrième
            ORDINAL 9 dernier, dernière
            HALF moitié, demi, demie
            HOLIDAY 12251 noël
            HOLIDAY 12311 saint sylvestre, saint - sylvestre, réveillon du nouvel an
            HOLIDAY 1011 jour de l an, nouvel an
            HOLIDAY 10311 halloween
            HOLIDAY 2141 saint valentin, saint - valentin
            HOLIDAY 11011 toussaint
            DECADES années
            HABIT le, les, un, mon, aucun
            EVERY chaque, tous les, toutes les, tout, par
            ABOUT environ, presque, à peu près
            COUNTED euro, personnes, mots, kilomètres, fois, pour
            FUTURE vais, vas, va, allons, allez, vont, irai, ira, serai, sera, prévu, prévois
            PAST ai, as, a, avons, avez, ont, étais, était, avait, suis, sommes, avais
            PRESENT est, commence, pars
            COMMON je, tu, il, elle, nous, vous, ils, elles, me, te, se, moi, toi, le, la, les, un, une, des, du, de, et, ou, mais, si
            COMMON que, qui, quoi, quand, où, pourquoi, comment, est, sont, était, suis, ai, as, a, avons, ont, ne, pas, dans, sur, avec
            COMMON pour, par, mon, ma, mes, ton, ta, son, sa, ce, cette, ces, au, aux, en, y, j, l, d, qu, c, n, s, fait, été
            """),
    SPANISH("""
            MONTH 1 enero
            MONTH 2 febrero
            MONTH 3 marzo
            MONTH 4 abril
            MONTH 5 mayo
            MONTH 6 junio
            MONTH 7 julio
            MONTH 8 agosto
            MONTH 9 septiembre, setiembre
            MONTH 10 octubre
            MONTH 11 noviembre
            MONTH 12 diciembre
            WEAK abril, mayo, julio, junio, agosto
            WEEKDAY 1 lunes
            WEEKDAY 2 martes
            WEEKDAY 3 miércoles
            WEEKDAY 4 jueves
            WEEKDAY 5 viernes
            WEEKDAY 6 sábado
            WEEKDAY 7 domingo
            SEASON 0 primavera
            SEASON 1 verano
            SEASON 2 otoño
            SEASON 3 invierno
            QUARTER 1 t1
            QUARTER 2 t2
            QUARTER 3 t3
            QUARTER 4 t4
            PART 0 mañana
            PART 1 tarde
            PART 3 noche
            OFFSET -2 anteayer, antes de ayer, antier
            OFFSET -1 ayer
            OFFSET 0 hoy
            OFFSET 1 mañana
            OFFSET 2 pasado mañana
            NEAR_PART 13 anoche
            UNIT 0 minuto, minutos
            UNIT 1 hora, horas
            UNIT 2 día, días
            UNIT 3 semana, semanas
            UNIT 4 mes, meses
            UNIT 5 trimestre, trimestres
            UNIT 6 año, años
            UNIT 7 década, décadas
            UNIT 8 fin de semana, fines de semana, finde
            PLURAL días, semanas, meses, años
            NUMBER 1 un, una, uno
            NUMBER 2 dos
            NUMBER 3 tres
            NUMBER 4 cuatro
            NUMBER 5 cinco
            NUMBER 6 seis
            NUMBER 7 siete
            NUMBER 8 ocho
            NUMBER 9 nueve
            NUMBER 10 diez
            NUMBER 11 once
            NUMBER 12 doce
            NUMBER 15 quince
            NUMBER 20 veinte
            NUMBER 30 treinta
            VAGUE 0 un par de
            VAGUE 1 unos, unas, algunos, algunas, unos pocos, unas pocas
            VAGUE 2 varios, varias
            CHOICE 0 pasado, pasada
            CHOICE 1 este, esta, estos, estas
            CHOICE 3 próximo, próxima, próximos, próximas
            CHOICE 4 último, última, últimos, últimas
            CHOICE_AFTER 0 pasado, pasada
            CHOICE_AFTER 3 que viene, próximo, próxima
            AGO_BEFORE hace
            AHEAD_BEFORE dentro de
            PREPOSITION 1 para, por, a, el
            PREPOSITION 2 en, durante, en el mes de
            ARTICLE el, la, los, las, del, al
            OF de, del
            SINCE desde, desde hace, a partir de, a partir del
            AFTER después de, después del, tras
            BEFORE antes de, antes del
            UNTIL hasta
            FROM de, del, desde
            TO a, al, hasta
            BETWEEN entre
            AND y, e, o
            THIRD 0 principios de, a principios de, comienzos de, inicios de, principios del, a principios del
            THIRD 1 mediados de, a mediados de, mediados del, a mediados del
            THIRD 2 finales de, a finales de, fines de, finales del, a finales del
            ORDINAL 1 primer, primera, primero
            ORDINAL 2 segundo, segunda
            ORDINAL 3 tercer, tercera, tercero
            ORDINAL 4 cuarto, cuarta
            ORDINAL 9 último, última
            HALF mitad, medio, media
            HOLIDAY 12251 navidad
            HOLIDAY 12241 nochebuena
            HOLIDAY 12311 nochevieja
            HOLIDAY 1011 año nuevo
            HOLIDAY 10311 halloween
            HOLIDAY 2141 san valentín
            HOLIDAY 1061 día de reyes
            DECADES años
            DECADE 1960 sesenta
            DECADE 1970 setenta
            DECADE 1980 ochenta
            DECADE 1990 noventa
            HABIT los, un, ningún
            EVERY cada, todos los, todas las, todo, por semana
            ABOUT aproximadamente, casi, unos, cerca de, más o menos
            COUNTED euro, personas, palabras, kilómetros, veces
            FUTURE voy, vas, va, vamos, van, iré, irá, será, planeo, planeado
            PAST fue, fui, era, estaba, estuve, estuvo, hice, hizo, tuve, dije, dijo, he, ha, hemos, había, compré
            PRESENT es, empieza, comienza, salgo
            COMMON yo, tú, él, ella, nosotros, ellos, ellas, me, te, se, nos, el, la, los, las, un, una, unos, unas, y, o, pero, si, que
            COMMON qué, quién, cuándo, cuando, dónde, cómo, por, para, con, sin, sobre, de, del, en, al, es, son, era, fue, está, estoy
            COMMON no, mi, mis, tu, tus, su, sus, lo, le, muy, más, ya, hice, fui, hay, porque, también
            """),
    ITALIAN("""
            MONTH 1 gennaio
            MONTH 2 febbraio
            MONTH 3 marzo
            MONTH 4 aprile
            MONTH 5 maggio
            MONTH 6 giugno
            MONTH 7 luglio
            MONTH 8 agosto
            MONTH 9 settembre
            MONTH 10 ottobre
            MONTH 11 novembre
            MONTH 12 dicembre
            WEAK aprile, maggio, agosto
            WEEKDAY 1 lunedì
            WEEKDAY 2 martedì
            WEEKDAY 3 mercoledì
            WEEKDAY 4 giovedì
            WEEKDAY 5 venerdì
            WEEKDAY 6 sabato
            WEEKDAY 7 domenica
            SEASON 0 primavera
            SEASON 1 estate
            SEASON 2 autunno
            SEASON 3 inverno
            QUARTER 1 t1
            QUARTER 2 t2
            QUARTER 3 t3
            QUARTER 4 t4
            PART 0 mattina, mattino
            PART 1 pomeriggio
            PART 2 sera
            PART 3 notte
            OFFSET -2 l altro ieri, altro ieri, avantieri
            OFFSET -1 ieri
            OFFSET 0 oggi
            OFFSET 1 domani
            OFFSET 2 dopodomani
            NEAR_PART 20 stamattina, stamani
            NEAR_PART 22 stasera
            NEAR_PART 13 ieri notte, la notte scorsa, notte scorsa
            UNIT 0 minuto, minuti
            UNIT 1 ora, ore
            UNIT 2 giorno, giorni
            UNIT 3 settimana, settimane
            UNIT 4 mese, mesi
            UNIT 5 trimestre, trimestri
            UNIT 6 anno, anni
            UNIT 7 decennio, decenni
            UNIT 8 fine settimana, weekend, week - end
            PLURAL giorni, settimane, mesi, anni
            NUMBER 1 un, una, uno
            NUMBER 2 due
            NUMBER 3 tre
            NUMBER 4 quattro
            NUMBER 5 cinque
            NUMBER 6 sei
            NUMBER 7 sette
            NUMBER 8 otto
            NUMBER 9 nove
            NUMBER 10 dieci
            NUMBER 11 undici
            NUMBER 12 dodici
            NUMBER 20 venti
            NUMBER 30 trenta
            VAGUE 0 un paio di, paio di
            VAGUE 1 qualche, alcuni, alcune, pochi, poche
            VAGUE 2 diversi, diverse, parecchi, parecchie
            CHOICE 0 scorso, scorsa
            CHOICE 1 questo, questa, quest, questi, queste
            CHOICE 3 prossimo, prossima, prossimi, prossime
            CHOICE 4 ultimo, ultima, ultimi, ultime
            CHOICE_AFTER 0 scorso, scorsa, passato, passata
            CHOICE_AFTER 3 prossimo, prossima, che viene
            AGO fa
            AHEAD_BEFORE tra, fra
            PREPOSITION 1 per, il, di
            PREPOSITION 2 a, ad, in, nel, nell, nella, negli, durante, nel mese di
            ARTICLE il, lo, la, i, gli, le, l, nel, nell, nella, negli, dell, del, della, al, all, dal, dall, dalla
            OF di, del, dello, della, dell
            SINCE da, dal, dall, dalla, a partire da, a partire dal
            AFTER dopo
            BEFORE prima di, prima del, prima della, prima dell
            UNTIL fino a, fino al, fino alla, fino all
            BY entro
            FROM da, dal, dalla, dall
            TO a, al, alla, all, fino a, fino al
            BETWEEN tra, fra, tra il, fra il
            AND e, ed, e il, o
            THIRD 0 inizio, inizio di, all inizio di, all inizio del, all inizio dell, a inizio, inizi di
            THIRD 1 metà, metà di, a metà
            THIRD 2 fine, fine di, alla fine di, alla fine del, alla fine dell, a fine
            ORDINAL 1 primo, prima
            ORDINAL 2 secondo, seconda
            ORDINAL 3 terzo, terza
            ORDINAL 4 quarto, quarta
            ORDINAL 9 ultimo, ultima
            HALF metà
            HOLIDAY 12251 natale
            HOLIDAY 12241 vigilia di natale
            HOLIDAY 12311 san silvestro
            HOLIDAY 1011 capodanno
            HOLIDAY 10311 halloween
            HOLIDAY 2141 san valentino
            HOLIDAY 8151 ferragosto
            HOLIDAY 1061 epifania
            DECADES anni
            DECADE 1960 sessanta
            DECADE 1970 settanta
            DECADE 1980 ottanta
            DECADE 1990 novanta
            HABIT il, i, di, un, al, la, dal
            EVERY ogni, tutti i, tutte le, tutto
            ABOUT circa, quasi, più o meno
            COUNTED euro, persone, parole, chilometri, volte, token, righe
            FUTURE andrò, andremo, sarò, sarà, vado, andiamo, pianifico, farò, partirò
            PAST ho, hai, ha, abbiamo, hanno, ero, era, sono, stato, stata, è stato, avevo
            PRESENT inizia, comincia, parte
            COMMON io, lui, lei, noi, voi, loro, mi, ti, si, ci, il, lo, la, gli, le, un, una, uno, e, o, ma, se, che, chi, cosa, quando
            COMMON dove, come, perché, di, da, in, con, per, su, del, della, nel, al, alla, è, sono, ho, hai, ha, abbiamo, non, mio, mia
            COMMON mie, suo, sua, più, anche, già, mai, molto, sono, dal, fatto
            """);

    /** Words of the longest phrase. */
    private static final int PHRASE = 5;

    private final Map<String, Map<Role, Integer>> words = new HashMap<>();
    /** How many words the longest phrase has that begins with this one. */
    private final Map<String, Integer> phrases = new HashMap<>();

    Language(String table) {
        table.lines().filter(line -> !line.isBlank()).forEach(this::line);
    }

    private void line(String line) {
        String[] parts = line.strip().split(" ", 2);
        Role role = Role.valueOf(parts[0]);
        String rest = parts[1];
        int value = 0;
        if (rest.charAt(0) == '-' || Character.isDigit(rest.charAt(0)) && rest.indexOf(' ') < 6) {
            String[] numbered = rest.split(" ", 2);
            value = Integer.parseInt(numbered[0]);
            rest = numbered[1];
        }
        for (String form : rest.split(",\\s*")) {
            String folded = Tokens.fold(form);
            words.computeIfAbsent(folded, ignored -> new EnumMap<>(Role.class)).putIfAbsent(role, value);
            String[] pieces = folded.split(" ");
            if (pieces.length > PHRASE) {
                throw new IllegalStateException("a phrase of more than " + PHRASE + " words: " + form);
            }
            phrases.merge(pieces[0], pieces.length, Math::max);
        }
    }

    private @Nullable Map<Role, Integer> meaning(String word) {
        return words.get(word);
    }

    /** The language that most words of a text are of: several where that is open between others than English. */
    static List<Language> of(List<Token> tokens) {
        int[] scores = new int[values().length];
        int best = 1;
        for (Token token : tokens) {
            if (token.isWord()) {
                for (Language language : values()) {
                    if (language.words.containsKey(token.text())) {
                        best = Math.max(best, ++scores[language.ordinal()]);
                    }
                }
            }
        }
        if (scores[ENGLISH.ordinal()] == best) {
            return List.of(ENGLISH);
        }
        var languages = new ArrayList<Language>();
        for (Language language : values()) {
            if (scores[language.ordinal()] == best) {
                languages.add(language);
            }
        }
        return languages.isEmpty() ? List.of(ENGLISH) : languages;
    }

    /** The tokens with what they mean in this language, phrases put together. */
    List<Token> read(List<Token> tokens) {
        var read = new ArrayList<Token>(tokens.size());
        for (int i = 0; i < tokens.size(); ) {
            Token token = tokens.get(i);
            int length = token.isWord() ? phrases.getOrDefault(token.text(), 0) : 0;
            int taken = 1;
            if (length > 0) {
                for (int n = Math.min(length, tokens.size() - i); n >= 1; n--) {
                    Map<Role, Integer> meaning = meaning(phrase(tokens, i, n));
                    if (meaning != null) {
                        token = token.as(meaning, tokens.get(i + n - 1).to());
                        taken = n;
                        break;
                    }
                }
            }
            read.add(token);
            i += taken;
        }
        return read;
    }

    private static String phrase(List<Token> tokens, int from, int length) {
        if (length == 1) {
            return tokens.get(from).text();
        }
        var phrase = new StringBuilder(tokens.get(from).text());
        for (int i = 1; i < length; i++) {
            phrase.append(' ').append(tokens.get(from + i).text());
        }
        return phrase.toString();
    }
}
