package dev.parley.language.text;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Function words and other words of little content, in English, German, French and Spanish, in lower case. */
final class Vocabulary {
    /** Function words. */
    static final Set<String> FUNCTION = words("""
            a an the this that these those here there and or but nor so if then than as of at by for from in into on onto to
            up down out off over under with without within about after before between through during against until since
            while because although though i you he she it we they me him her us them my your his its our their mine yours
            hers ours theirs myself yourself himself herself itself ourselves themselves who whom whose which what when
            where why how all any both each few more most other some such no not only own same too very just also even
            still again once ever never always often sometimes now today yet already soon later maybe perhaps really quite
            am is are was were be been being do does did doing done have has had having will would shall should can could
            may might must ought don't doesn't didn't won't wouldn't can't couldn't isn't aren't wasn't weren't haven't
            hasn't hadn't i'm i've i'd i'll you're you've he's she's it's we're we've we'll they're that's there's what's
            let's let get got
            der die das den dem des ein eine einen einem einer eines und oder aber doch denn weil dass daß ob wenn als wie
            wo was wer wen wem wann warum ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch ihnen mein meine
            meinen meinem meiner meines dein deine sein seine seinen seiner ihre ihren ihrer unser unsere unseren unserem
            unserer euer eure kein keine keinen nicht nur auch noch schon sehr mal ja nein bin bist ist sind seid war
            waren habe hast hat haben hatte hatten werde wird werden wurde kann können muss müssen soll will wollen mag
            im am ins zum zur vom beim in an auf aus bei mit nach seit von zu für über unter vor hinter neben zwischen
            durch gegen ohne um bis so da dann hier dort jetzt heute dieser diese dieses
            le la les l' un une des du de d' et ou mais donc or ni car que qui quoi dont où quand comment pourquoi je j'
            tu il elle on nous vous ils elles me te se m' t' s' moi toi lui leur mon ma mes ton ta tes son sa ses notre
            nos votre vos leurs ce cet cette ces c'est ne n' pas plus est suis es sommes êtes sont ai as avons avez ont
            été être avoir à au aux en dans par pour sur avec sans sous chez très aussi encore déjà ici là
            el los las lo una unos unas y e o u pero sino porque qué quién cuál cuándo dónde cómo yo tú él ella usted
            nosotros ellos ellas te nos os mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta esto ese esa
            eso no sí soy eres somos son estoy está están era fue he ha han hay del al con sin por para sobre entre desde
            hasta hacia muy también ya aquí allí
            """);

    /** Greetings, thanks and fillers. */
    static final Set<String> FILLER = words("""
            hi hello hey hiya howdy yo greetings welcome morning afternoon evening night bye goodbye cheers ciao later
            thanks thank thx ty please sorry pardon ok okay okey k kk sure yes yeah yep yup no nope nah right alright fine
            good great nice cool awesome amazing excellent perfect wonderful fantastic lovely brilliant super well hmm hm
            mm mhm uh um uhm er ah aha oh ooh wow lol haha hahaha lmao omg ugh meh btw fyi got gotcha understood noted
            agreed exactly absolutely definitely certainly indeed true course much lot lots bunch many again everyone all
            there day sir madam help appreciated appreciate helpful interesting makes make sense see know think guess hope
            mean like thing things stuff something anything everything nothing way kind sort bit little actually basically
            honestly literally anyway anyways however though regards best kind warm yours sincerely continue go ahead wait
            moment second next stop done ready try trying glad happy look looks looking forward tell talk say said
            hallo servus moin tschüss danke dankeschön bitte gerne gern klar genau stimmt gut super toll prima schön
            okay morgen tag abend nacht guten guter grüße grüßen freundlichen viele vielen liebe lieber lieben
            bonjour salut bonsoir merci beaucoup oui non d'accord bien super parfait revoir s'il plaît voilà cordialement
            hola buenos buenas días tardes noches gracias muchas vale claro bueno bien perfecto adiós saludos favor
            """);

    /** Words that names do not start with, although they are capitalised at the start of a sentence. */
    static final Set<String> COMMON = words("""
            january february march april may june july august september october november december jan feb mar apr jun jul
            aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
            januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag
            sonnabend sonntag janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi
            mercredi jeudi vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre
            noviembre diciembre lunes martes miércoles jueves viernes sábado domingo
            yesterday tomorrow tonight today last next first second third finally currently recently usually normally
            generally hopefully unfortunately fortunately luckily sadly additionally moreover furthermore therefore thus
            hence meanwhile instead otherwise overall speaking regarding considering given based according due despite
            unless whenever wherever whatever whether either neither every everybody somebody someone anyone nobody one
            two three four five six seven eight nine ten another several many much less least since until while during
            please note remember remind make add use using used set show give take find found keep want need like love
            prefer work working works call check create write read run start started stop help ask tell send put try buy
            book schedule plan planning consider ensure include implement update fix test build deploy install explain
            suggest recommend describe compare list provide change move open close turn follow watch wait imagine suppose
            step day week month year time today's people person man woman friend friends mom mum dad mother father sister
            brother wife husband son daughter kids children team work home school dogs cats things name names yes no
            version phase part section chapter page figure table option question answer task sprint level room number
            note notes edit update todo warning error summary subject re ps fwd user assistant system tool human ai bot
            ok okay fyi btw asap tbh imo imho lol omg diy faq aka eta rip rsvp am pm est utc gmt cet usd eur gbp etc eg ie
            gestern heute übermorgen vorgestern leider natürlich vielleicht eigentlich außerdem deshalb deswegen daher
            trotzdem bitte danke letzte letzten letztes nächste nächsten nächstes jeden jede jedes alle viele manche
            hier demain aujourd'hui peut-être malheureusement toujours souvent ayer mañana hoy quizás siempre nunca
            porque cuando mientras además entonces
            """);

    /** Common German nouns in positions of names, such as in "nach Hause". */
    static final Set<String> GERMAN_NOUNS = words("""
            hause haus zeit rente urlaub arbeit freund freunde freundin frau mann kind kinder auto bus bahn zug flugzeug
            fahrrad hund katze freude regen schnee sonne kaffee tee bier wein wasser brot geld ende anfang mitte woche
            wochen jahr jahre jahren monat monate monaten tag tage tagen stunde stunden minuten uhr morgen mittag abend
            nacht schule uni büro stadt land dorf straße wohnung zimmer küche garten familie mutter vater eltern bruder
            schwester sohn tochter oma opa kollege kollegen kollegin chef chefin firma projekt problem frage antwort
            ordnung ruhe hilfe angst lust spaß glück pech liebe leute menschen person personen fleisch fisch gemüse obst
            milch nüsse musik sport fußball deutsch englisch französisch spanisch hobby beruf name geburtstag termin
            meeting kilometer euro prozent server daten code team
            """);

    /** Words that identify a text as German. */
    static final Set<String> GERMAN = words("""
            ich und der die er sie es das nicht ist ein eine einen mit auf für zu den dem wir mein meine habe bin wohne seit auch von
            im am zum zur wird werde hat haben sind wurde bei nach über dass weil aber oder sehr
            """);

    /** Particles between the capitalised parts of a name. */
    static final Set<String> PARTICLES =
            words("van von der den de del della di da do dos du des la le el al bin ibn ter ten zu zum of");

    /** Titles before a name. */
    static final Set<String> TITLES = words(
            "mr mrs ms miss dr prof professor sir madam herr hr fr frau doktor monsieur madame mme mlle señor señora sr sra don doña");

    private Vocabulary() {}

    private static Set<String> words(String text) {
        return Arrays.stream(text.strip().split("\\s+")).collect(Collectors.toUnmodifiableSet());
    }
}
