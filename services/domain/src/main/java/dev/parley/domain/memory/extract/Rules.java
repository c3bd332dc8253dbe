package dev.parley.domain.memory.extract;

import static java.util.Locale.ROOT;

import dev.parley.domain.content.Role;
import dev.parley.domain.memory.Fact;
import dev.parley.domain.memory.Fact.Relation;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.LinkType;
import dev.parley.domain.memory.TimeSpan;
import dev.parley.domain.memory.extract.Causes.Cause;
import dev.parley.domain.memory.extract.Clauses.Part;
import dev.parley.domain.memory.extract.DateFinder.DatedSpan;
import dev.parley.domain.memory.extract.Sentences.Sentence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Extracts facts without a model: sentences that state something, who speaks, when, about whom, and what causes what. It keeps the
 * words as they were said, so that they are found by them; where somebody speaks of themselves, it says who.
 *
 * <p>It is selective. What people greet, ask, order and think aloud is no fact; nor is code, nor what was quoted. Of what the agent
 * says it keeps what it did, what it judges and what it says of the person with a date or a number: advice is not worth remembering.
 *
 * <p>Pure, linear in the text, and it never fails, whatever the text is. Known limits: pronouns of the third person are not
 * resolved, what stands before is the context instead; of a tool's answer that is no prose only a short one is kept.
 */
public final class Rules {
    /** What extracted a fact, stored with it. It changes whenever the same text could give other facts. */
    public static final String VERSION = "rules-1";

    /** The most facts of a text. */
    public static final int MOST = 100;

    private static final int MOST_KNOWN = 2_000;

    private static final Pattern WORD = Pattern.compile("[\\p{L}][\\p{L}\\p{M}'’-]*+");
    private static final Pattern NUMBER = Pattern.compile("\\d");
    private static final Pattern FIRST_PERSON = Pattern.compile(
            "(?<![\\p{L}'’])(?:I|i|I'm|I’m|i'm|im|I've|I’ve|i've|I'd|I’d|I'll|I’ll|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e|[Ww]e're|[Ww]e've|[Ww]e'll|[Oo]urs?|us"
                    + "|[Ii]ch|[Mm]ein(?:e[rnms]?)?|[Mm]ir|[Mm]ich|[Ww]ir|[Uu]ns(?:er(?:e[rnms]?)?)?|[Jj]e|[Jj]['’]\\p{L}+|[Mm]on|[Mm]es|[Mm]oi|[Nn]ous|[Nn]otre|[Yy]o|[Mm]is?|[Nn]osotros|[Nn]uestr[oa]s?|[Ss]oy|[Tt]engo|[Vv]ivo|[Tt]rabajo|[Qq]uiero|[Pp]refiero|[Nn]ecesito|[Ee]stoy)(?![\\p{L}])");
    private static final Pattern OF_SELF = Pattern.compile(
            "^(?i:and |but |also |so |well,? |hi,? |hello,? |hey,? )?(?:(?i:i am|i'm|i’m|im|my|we are|we're|ich bin|ich heiße|mein|meine|je suis|mon|ma|soy|mi|me llamo|je m'appelle)\\b).*",
            Pattern.DOTALL);
    private static final Set<String> PASSING = Set.of(
            "sure",
            "sorry",
            "fine",
            "ready",
            "back",
            "here",
            "confused",
            "stuck",
            "done",
            "glad",
            "afraid",
            "wondering",
            "trying",
            "curious",
            "happy",
            "bored",
            "tired",
            "late",
            "hungry",
            "busy",
            "excited",
            "bad",
            "mistake",
            "question",
            "point",
            "doubt",
            "fault",
            "bereit",
            "zurück",
            "müde",
            "fertig",
            "désolé",
            "prêt",
            "fatigué",
            "cansado",
            "listo");
    private static final Pattern POINTS = Pattern.compile(
            "^(?i:it|it's|it’s|this|that|that's|that’s|these|those|there|there's|you|your|you're|one|das|es|dies|dieses|c'est|ça|cela|eso|esto|es)\\b.*",
            Pattern.DOTALL);
    private static final Pattern REFERS = Pattern.compile(
            "^(?i:he|she|they|his|her|their|it|its|this|that|these|er|sie|es|ihr|ihre|il|elle|ils|elles|ce|él|ella|ellos)(?:['’]s|['’]re)?\\b.*",
            Pattern.DOTALL);
    private static final Pattern IS_SOMEBODY =
            Pattern.compile("^(?i:he|she|his|her|er|sie|il|elle|él|ella)(?:['’]s)?\\b.*", Pattern.DOTALL);
    private static final Pattern PLACED = Pattern.compile(
            "(?i).*\\b(?:in|at|to|from|near|of|nach|aus|bei|à|en|a|de|chez)\\s+(?:the )?$", Pattern.DOTALL);
    private static final Pattern INTRODUCES = Pattern.compile(
            ".*(?i:code|far|following|below|this|these|example|like|error)\\b[^.]{0,40}:\\s*$", Pattern.DOTALL);
    private static final Pattern OPINION = Pattern.compile(
            "(?i)\\bI (?:really |still |would |honestly )?(?:think|believe|feel|suspect|recommend|suggest|prefer|doubt|guess|assume|consider)\\b"
                    + "|\\bin my (?:opinion|view)\\b|\\bI['’]d (?:say|recommend|suggest|go with|choose|pick|prefer)\\b|\\bmy (?:recommendation|suggestion|advice|pick|favou?rite) (?:is|would)"
                    + "|\\bit seems\\b|\\bseems (?:to be|like)\\b|\\b(?:is|are|looks|would be|was) (?:the |a |an |much |far |clearly |probably |slightly |your |definitely )*(?:better|best|worse|worst|superior|preferable)\\b"
                    + "|\\bich (?:glaube|denke|finde|empfehle|vermute)\\b|\\bmeiner meinung\\b|\\bje (?:pense|crois|recommande|trouve)\\b|\\bà mon avis\\b|\\b(?:creo|pienso|opino) que\\b|\\ben mi opinión\\b|\\brecomiendo\\b");
    private static final Pattern SURE = Pattern.compile(
            "(?i)\\b(?:certainly|definitely|clearly|without (?:a )?doubt|sicher|eindeutig|certainement|sin duda|i am (?:sure|certain|convinced))\\b");
    private static final Pattern LIKELY = Pattern.compile(
            "(?i)\\b(?:probably|likely|i suspect|i assume|i guess|wahrscheinlich|vermut\\w*|probablement|probablemente)\\b");
    private static final Pattern SEEMS = Pattern.compile("(?i)\\b(?:seems?|appears?|scheint|semble|parece)\\b");
    private static final Pattern MAYBE = Pattern.compile(
            "(?i)\\b(?:perhaps|maybe|might|may|could be|not sure|i doubt|vielleicht|peut-être|quizás|tal vez)\\b");
    private static final Pattern ADVISES =
            Pattern.compile("(?i)\\b(?:recommend|suggest|advice|empfehle|recommande|recomiendo)\\b");
    private static final Pattern DID = Pattern.compile(
            "\\bI(?:['’]ve| have| had)? ?(?:just |already |also |now |then |successfully )*(?:(?!need|want|hoped?|tried to help)\\p{L}{2,}ed|sent|found|made|wrote|set|put|ran|built|bought|took|got|did|saw|read|told|gave|went|began|kept|left|met|chose|paid|sold)\\b"
                    + "|\\b[Ii]ch habe\\b.*\\b(?:ge\\p{L}+(?:t|en)|\\p{L}+iert|be\\p{L}+t|ver\\p{L}+t)\\b|\\b[Jj]['’]ai \\p{L}+(?:é|i|u|is)\\b|\\b[Hh]e \\p{L}+(?:ado|ido)\\b");
    private static final Pattern OF_YOU =
            Pattern.compile("(?i)\\b(?:you|your|du|dein\\w*|sie|ihr\\w*|tu|ton|votre|vous|tus?)\\b");
    /** What begins as a label or a draft in somebody's name is not what the agent says. */
    private static final Pattern DRAFT = Pattern.compile(
            "^\\W*[\"“„«]|^\\W*(?i:for example|example|e\\.g\\.)|[\"“„«]\\s*I\\b|\\[[\\p{Lu}][^]]{1,40}]|:\\W*$|^\\W*\\p{Lu}[\\p{L}\\d -]{1,40}(?:\\*{2})?:(?:\\*{2})?\\s");

    private static final Pattern LETTER =
            Pattern.compile("\\W*(?:Dear |Subject:|To whom|Sehr geehrte|Liebe[rs]? |Cher |Chère |Estimad[oa])");
    private static final Pattern GERUND = Pattern.compile("\\W*\\p{Lu}\\p{Ll}+ing\\b");
    private static final Pattern ADVICE = Pattern.compile(
            "(?i)\\b(?:you (?:can|could|should|may|might|must|need to|want to|will need)|make sure|ensure|consider|for example|e\\.g\\.|let's|we can|we'll|step \\d|if you)\\b");
    private static final Pattern CALL = Pattern.compile(
            "(?i)^(?:sure|certainly|of course|absolutely|great|happy to|glad|got it|understood|you're welcome|no problem|let me know|feel free|i hope|good luck)\\b.{0,80}$");
    /** A time that is the bound of another one, or that comes again and again, is not when something happened. */
    private static final Pattern BOUND = Pattern.compile(
            "(?i).*\\b(?:since|until|till|before|after|every|each|seit|bis|vor|nach|jeden|jede|depuis|avant|après|chaque|jusqu'(?:à|en)|desde|hasta|antes de|cada)\\s+(?:the |le |el |dem |der )?$");

    private static final Pattern AGAIN = Pattern.compile(
            "(?i)\\b(?:usually|always|often|sometimes|every|never|normally|typically|each (?:day|week|month|year)|birthday|anniversary|immer|oft|jeden|jede|jedes|manchmal|toujours|souvent|chaque|siempre|cada|geburtstag|anniversaire|cumpleaños)\\b");
    private static final Pattern YEAR = Pattern.compile("\\b(?:19|20)\\d\\d\\b");
    private static final Pattern MARKUP = Pattern.compile("\\*{1,3}|_{2,3}|`|</?\\p{Alpha}{1,10}/?>");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final Said said;
    private final DateFinder dates;
    private final boolean german;
    private final List<Fact> facts = new ArrayList<>();
    private final Set<String> read = new HashSet<>();
    private final Set<String> texts = new HashSet<>();
    private Set<String> known = Set.of();
    private String before = "";
    private List<String> meantBefore = List.of();
    private boolean letter;
    private int last = -1;

    private Rules(Said said, DateFinder dates) {
        this.said = said;
        this.dates = dates;
        this.german = Names.isGerman(said.text());
    }

    /**
     * The facts in what was said, in its order but for this: an effect goes before its cause, so that the cause can name it.
     *
     * @param dates finds the times that a sentence speaks of
     */
    public static List<Fact> extract(Said said, DateFinder dates) {
        var rules = new Rules(said, dates);
        rules.read();
        return List.copyOf(rules.facts);
    }

    private void read() {
        List<Sentence> sentences = Sentences.of(said.text());
        known = Names.known(sentences.stream().limit(MOST_KNOWN).map(this::text).toList(), german);
        for (Sentence sentence : sentences) {
            if (facts.size() + 2 > MOST) {
                return;
            }
            if (!read.add(text(sentence))) {
                continue;
            }
            switch (said.role()) {
                case USER -> stated(sentence);
                case ASSISTANT -> answered(sentence);
                case TOOL -> returned(sentence);
            }
        }
        if (said.role() == Role.TOOL && facts.isEmpty()) {
            data();
        }
    }

    private String text(Sentence sentence) {
        return said.text().substring(sentence.from(), sentence.to());
    }

    /** A person's sentence: what of it states something. */
    private void stated(Sentence sentence) {
        String text = text(sentence);
        List<Part> parts = isDatedOrder(text) ? List.of(new Part(0, text.length())) : Clauses.stated(text);
        for (Part part : parts) {
            var stated = new Sentence(sentence.from() + part.from(), sentence.from() + part.to(), sentence.label());
            if (isWorth(text(stated), part.from() == 0)) {
                add(stated, FactType.WORLD, null, part.from() == 0);
            }
        }
    }

    /** "Book a table for Friday" is a plan; "Write a function" is not. */
    private boolean isDatedOrder(String sentence) {
        return !Clauses.isQuestion(sentence)
                && Clauses.orders(sentence)
                && sentence.length() < 200
                && !dates.find(sentence, said.at(), said.zone()).isEmpty();
    }

    private boolean isWorth(String sentence, boolean atHead) {
        if (INTRODUCES.matcher(sentence).matches()) {
            return false;
        }
        List<String> names = Names.in(sentence, atHead, german, known);
        boolean concrete = !names.isEmpty() || NUMBER.matcher(sentence).find();
        long said = content(sentence, names);
        if (Clauses.isToRemember(sentence)) {
            return said > 1 || concrete;
        }
        if (FIRST_PERSON.matcher(sentence).find()) {
            return said > 1
                    || (said > 0 && concrete)
                    || (said == 1 && OF_SELF.matcher(sentence).matches())
                    || isNamed(sentence, names);
        }
        return concrete ? said > 0 : said > 2 && !POINTS.matcher(sentence).matches();
    }

    /** "I'm Craig": a name alone is a fact where somebody says it of themselves. */
    private static boolean isNamed(String sentence, List<String> names) {
        return !names.isEmpty() && OF_SELF.matcher(sentence).matches();
    }

    /** How many words say something, but for the names. */
    private static long content(String sentence, List<String> names) {
        var named = new HashSet<String>();
        names.forEach(name -> named.addAll(List.of(name.toLowerCase(ROOT).split("\\s"))));
        return WORD.matcher(sentence)
                .results()
                .map(match -> match.group().toLowerCase(ROOT).replace('’', '\''))
                .map(word -> word.endsWith("'s") ? word.substring(0, word.length() - 2) : word)
                .filter(word ->
                        word.length() > 1 && !Vocabulary.FUNCTION.contains(word) && !Vocabulary.FILLER.contains(word))
                .filter(word -> !PASSING.contains(word) && !named.contains(word))
                .distinct()
                .count();
    }

    /** The agent's sentence: what it judges, what it did, what it says of the person. */
    private void answered(Sentence sentence) {
        String text = text(sentence);
        List<String> names = Names.in(text, true, german, known);
        if (Clauses.isQuestion(text)
                || CALL.matcher(text).matches()
                || isDraft(sentence, text)
                || content(text, names) < 2) {
            return;
        }
        if (OPINION.matcher(text).find()) {
            add(sentence, FactType.OPINION, confidence(text), true);
        } else if (DID.matcher(text).find() || isOfThePerson(text)) {
            add(sentence, FactType.EXPERIENCE, null, true);
        }
    }

    /** Whether the agent writes here what somebody else is to say: in quotes, after a label, in a letter. */
    private boolean isDraft(Sentence sentence, String text) {
        String around = said.text().substring(Math.max(0, sentence.from() - Sentences.LONGEST), sentence.from());
        long quotes = around.substring(Math.max(0, around.lastIndexOf("\n\n")))
                .chars()
                .filter(c -> c == '"')
                .count();
        letter |= LETTER.matcher(text).lookingAt();
        return letter || quotes % 2 == 1 || DRAFT.matcher(text).find();
    }

    private boolean isOfThePerson(String text) {
        if (ADVICE.matcher(text).find() || Clauses.orders(text)) {
            return false;
        }
        boolean number = NUMBER.matcher(text).find();
        return number
                && !GERUND.matcher(text).lookingAt()
                && (OF_YOU.matcher(text).find()
                        || !dates.find(text, said.at(), said.zone()).isEmpty());
    }

    private static double confidence(String opinion) {
        if (MAYBE.matcher(opinion).find()) {
            return 0.4;
        }
        if (SEEMS.matcher(opinion).find()) {
            return 0.5;
        }
        if (LIKELY.matcher(opinion).find()) {
            return 0.6;
        }
        if (SURE.matcher(opinion).find()) {
            return 0.9;
        }
        return ADVISES.matcher(opinion).find() ? 0.8 : 0.7;
    }

    private void returned(Sentence sentence) {
        String text = text(sentence);
        List<String> names = Names.in(text, true, german, known);
        if (content(text, names) > 2
                || (content(text, names) > 0
                        && (!names.isEmpty() || NUMBER.matcher(text).find()))) {
            add(sentence, FactType.EXPERIENCE, null, true);
        }
    }

    /** An answer that is no prose is one fact, where it is short. */
    private void data() {
        String text = said.text().strip();
        if (text.length() <= Sentences.LONGEST && text.codePoints().anyMatch(Character::isLetterOrDigit)) {
            int from = said.text().indexOf(text);
            add(new Sentence(from, from + text.length(), null), FactType.EXPERIENCE, null, true);
        }
    }

    private void add(Sentence sentence, FactType type, @Nullable Double confidence, boolean atHead) {
        String text = text(sentence);
        String whole = clean(text);
        Optional<Cause> cause = said.role() == Role.TOOL ? Optional.empty() : Causes.in(text);
        boolean consequence = cause.isEmpty() && last >= 0 && Causes.isConsequence(text);
        int previous = last;
        if (cause.isPresent()) {
            int effect = add(part(sentence, cause.get().effect()), type, confidence, atHead, whole, List.of());
            if (effect >= 0) {
                add(
                        part(sentence, cause.get().cause()),
                        type,
                        confidence,
                        atHead,
                        whole,
                        List.of(new Relation(cause.get().type(), effect)));
            }
        } else {
            String context = REFERS.matcher(text).matches() && !before.isEmpty() ? before : null;
            add(
                    sentence,
                    type,
                    confidence,
                    atHead,
                    context,
                    consequence ? List.of(new Relation(LinkType.CAUSED_BY, previous)) : List.of());
        }
        before = whole;
    }

    private static Sentence part(Sentence sentence, Part part) {
        return new Sentence(sentence.from() + part.from(), sentence.from() + part.to(), sentence.label());
    }

    /** Adds a fact. @return its index; -1 where it stands there already */
    private int add(
            Sentence sentence,
            FactType type,
            @Nullable Double confidence,
            boolean atHead,
            @Nullable String context,
            List<Relation> relations) {
        String raw = text(sentence);
        boolean ofSelf = said.role() != Role.TOOL && FIRST_PERSON.matcher(raw).find();
        String speaker = sentence.label() == null ? said.speaker() : sentence.label();
        String text = said.role() == Role.TOOL || (ofSelf && !clean(raw).startsWith(speaker + ":"))
                ? speaker + ": " + clean(raw)
                : clean(raw);
        if (!texts.add(text.toLowerCase(ROOT))) {
            return -1;
        }
        List<String> entities = entities(raw, ofSelf ? speaker : null, atHead);
        String around = text.equals(context) || clean(raw).equals(context) ? null : context;
        facts.add(new Fact(
                text, around, type, confidence, occurred(raw), entities, relations, sentence.from(), sentence.to()));
        last = facts.size() - 1;
        return last;
    }

    private List<String> entities(String text, @Nullable String speaker, boolean atHead) {
        var entities = new LinkedHashMap<String, String>();
        if (speaker != null) {
            entities.put(speaker.toLowerCase(ROOT), speaker);
        }
        List<String> names = Names.in(text, atHead, german, known);
        names.forEach(name -> entities.putIfAbsent(name.toLowerCase(ROOT), name));
        if (meantBefore.size() == 1 && IS_SOMEBODY.matcher(text).matches()) {
            entities.putIfAbsent(meantBefore.getFirst().toLowerCase(ROOT), meantBefore.getFirst());
        } else {
            meantBefore = names.stream().filter(name -> !isPlace(text, name)).toList();
        }
        return List.copyOf(entities.values());
    }

    /** Whether words go before this name that go before places. */
    private static boolean isPlace(String text, String name) {
        return PLACED.matcher(text.substring(0, Math.max(0, text.indexOf(name))))
                .matches();
    }

    private @Nullable TimeSpan occurred(String sentence) {
        for (DatedSpan date : dates.find(sentence, said.at(), said.zone())) {
            boolean again = AGAIN.matcher(sentence).find()
                    && !YEAR.matcher(sentence.substring(date.from(), date.to())).find();
            if (!again && !BOUND.matcher(sentence.substring(0, date.from())).matches()) {
                return date.time();
            }
        }
        return null;
    }

    private static String clean(String text) {
        Matcher markup = MARKUP.matcher(text);
        return BLANKS.matcher(markup.replaceAll("")).replaceAll(" ").strip();
    }
}
