package dev.parley.language.text;

import static java.util.Locale.ROOT;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a fact, as far as rules understand it.
 *
 * @param subject in lower case; empty if unknown
 * @param attribute single-valued attribute of the subject that it states, such as the place of residence; or null
 * @param value of the attribute, in lower case; or null
 * @param negated whether the statement is a negation
 * @param past whether the statement is about a former state
 * @param numbers in it, as written
 * @param words content words in lower case, without numbers
 */
public record Statement(
        String subject,
        @Nullable String attribute,
        @Nullable String value,
        boolean negated,
        boolean past,
        Set<String> numbers,
        Set<String> words) {
    /** The speaker, if unnamed. */
    public static final String SOMEBODY = "user";

    private static final double SAME_BUT_NEGATED = 0.6;
    private static final double SAME_BUT_NUMBERS = 0.7;

    private static final String VALUE =
            "(?<value>[^,.;!?]+?)(?=\\s+(?:in|on|since|because|and|with|for|last|next|when|where|after|before|from|as|but|now|yesterday|today|this"
                    + "|anymore|any longer|again|together|seit|weil|und|mit|für|parce|et|avec|depuis|porque|y|con|desde)\\b|\\s*[,;!?]|\\.(?:\\s|$)|\\s*$)";
    private static final Pattern SPEAKER = Pattern.compile("^([^:\\n]{1,60}): +");
    private static final Pattern SELF = Pattern.compile(
            "(?<![\\p{L}'’])(?:I|i|I['’]\\w+|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|[Ii]ch|[Mm]ein\\w*|[Ww]ir|[Jj]e|[Mm]on|[Mm]a|[Yy]o|[Mm]i|[Vv]ivo|[Tt]rabajo)(?!\\p{L})");
    private static final Pattern SELF_BEFORE = Pattern.compile(
            "(?<![\\p{L}'’])(?:I|i|I['’]\\w+|[Ww]e|[Ww]e['’]\\w+|[Ii]ch|[Ww]ir|[Jj]e|[Jj]['’])(?:\\s+\\p{L}+){0,3}\\s*$");
    private static final Pattern SELF_AT = Pattern.compile(
            "(?i:my |our |mein |unser |mon |ma |mi |call me|ich |i['’ ]|im |je m|me llamo|vivo|trabajo|soy|mag|liebe|wohne|arbeite)");
    private static final Pattern MINE = Pattern.compile(
            "^(?i:and |but |so |also |now )*(?i:my|our|mein|meine|unser|unsere|mon|ma|notre|mi|nuestra|nuestro)\\s+(?<what>\\p{Ll}[\\p{L}-]*|\\p{Lu}\\p{Ll}+(?=\\s+\\p{Lu}|\\s+\\p{Ll}))");
    private static final Pattern NEGATION = Pattern.compile(
            "(?i)\\b(?:not|no longer|never|no|none|cannot|without|stopped|quit|nicht|nie|kein(?:e[rnms]?)?|ne|n'|pas|jamais|nunca|ya no)\\b|n['’]t\\b");
    private static final Pattern PAST = Pattern.compile(
            "(?i)\\b(?:used to|formerly|previously|once lived|as a child|grew up|back then|früher|damals|autrefois|avant|antes)\\b");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:[.,:]\\d+)*");
    private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}'’-]*");
    private static final Set<String> EMPTY = Set.copyOf(Arrays.asList(
            ("a an the is are am was were be been being i my me mine we our us you your he she it his her its they them their this that to of in on at for with and or but so not no never longer"
                            + " anymore still now currently just really very do does did don't doesn't didn't have has had i'm i've isn't aren't wasn't also too already there any more at all will would can"
                            + " can't won't ich bin ist mein meine nicht mehr kein keine und der die das ein eine noch je suis ne pas plus le la les un une mi no ya el los las es soy")
                    .split(" ")));

    /** Single-valued attributes in "my … is …". */
    private static final Pattern SINGLE = Pattern.compile(
            "(?:.*\\s)?(?:name|age|address|e-?mail(?: address)?|phone(?: number)?|number|birthday|home ?town|city|job|job title|title|role|employer|boss|manager|salary|rent|budget|deadline|price|cost"
                    + "|weight|height|size|status|version|password|pin|partner|wife|husband|girlfriend|boyfriend|landlord|doctor|dentist|language|timezone|time zone|due date|release date|flight|goal|target|limit"
                    + "|adresse|telefonnummer|geburtstag|chef|gehalt|miete|frist|termin|preis|alter|beruf|nom|âge|travail|loyer|nombre|edad|trabajo|sueldo|alquiler)"
                    + "|favou?rite .+|preferred .+|lieblings.+");

    /** Beginnings of words with opposite meanings. */
    private static final List<List<String>> OPPOSITES = Stream.of(
                    "buy sell,bought sold,start stop,start finish,start end,began end,join left,join leav,love hate,like dislike,increas decreas,rais reduc,open clos,won lost,win los,arriv depart,arriv left,gave took,borrow lend"
                            + ",marri divorc,hired fired,hired laid,accept declin,accept reject,pass fail,enabl disabl,add remov,before after,morning evening,more less,works left,kauf verkauf,liebe hasse,achet vend,compr vend")
            .flatMap(pairs -> Arrays.stream(pairs.split(",")))
            .map(pair -> List.of(pair.split(" ")))
            .toList();

    /** Prefix of multi-valued attributes, such as hobbies: another value is another fact, not a contradiction. */
    private static final String ONE_OF = "one of ";

    /** Prefix of comparisons, which do not depend on the speaker. */
    private static final String COMPARED = "which is ";

    private static final String LIKED = "likes ";
    private static final String PREFERRED = "preferred of ";

    private record Claim(String attribute, String value, int at) {}

    private record LabelledSentence(String speaker, String sentence) {
        static LabelledSentence of(String text, List<String> entities) {
            Matcher label = SPEAKER.matcher(text);
            return label.lookingAt() && entities.stream().anyMatch(label.group(1)::equalsIgnoreCase)
                    ? new LabelledSentence(label.group(1), text.substring(label.end()))
                    : new LabelledSentence(SOMEBODY, text);
        }
    }

    /** A name, by its letters. */
    private static final String NAMED =
            "\\p{Lu}[\\p{L}\\d.'’&-]*(?:\\s+(?:\\p{Lu}[\\p{L}\\d.'’&-]*|of|the|de|la|am|an der))*";

    /** The predicate of a sentence that states only where the subject lives or works. */
    private static final Pattern UNAMBIGUOUS_PLACE = Pattern.compile(
            "\\s+(?:now |currently |still )?(?:(?:live|lives|reside|resides|wohne|wohnt|lebe|lebt) (?:now |currently |jetzt )?in|(?:work|works|arbeite|arbeitet) (?:now |currently |jetzt )?(?:at|for|bei))\\s+"
                    + NAMED + "(?:\\s+(?:now|currently|today|these days|jetzt))?\\s*[.!]?");

    private static final Pattern UNAMBIGUOUS_MINE = Pattern.compile("(?i:my) (?:[\\p{Ll} -]{2,30} is (?:now )?called "
            + NAMED + "|favou?rite [\\p{L} -]{2,30} is (?:now )?[\\p{L} -]{2,30})\\s*[.!]?");
    private static final Pattern UNAMBIGUOUS_BEGINNING =
            Pattern.compile("(?i:actually|now|currently|today|and|but|so),? ");

    private record Form(String attribute, Pattern pattern) {}

    private static final List<Form> FORMS = List.of(
            form(
                    "home",
                    "(?i:\\b(?:live|lives|living|reside|resides|moved|moving|relocated|home is|home|wohne|wohnt|lebe|lebt|gezogen|umgezogen|habite|vive|vivo)(?:\\s+(?!in\\b|to\\b)\\p{L}+){0,2}\\s+(?:in|to|nach|à|en|a)\\s+)"
                            + VALUE),
            form(
                    "employer",
                    "(?i:\\b(?:work|works|working|arbeite|arbeitet|travaille|trabajo|trabaja)(?:\\s+(?!at\\b|for\\b|from\\b|as\\b|on\\b|with\\b)\\p{L}+){0,2}\\s+(?:at|for|bei|chez)\\s+|\\b(?:joined|employed by|employed at|got a job at|switched to)\\s+)(?=\\p{Lu})"
                            + VALUE),
            form(
                    "job",
                    "(?i:\\b(?:work|works|working|arbeite|arbeitet)\\s+(?:as|als)\\s+(?:an?\\s+|the\\s+)?)" + VALUE),
            form("name", "(?i:^(?:my name is|call me|ich heiße|je m['’]appelle|me llamo)\\s+)" + VALUE),
            form(
                    "age",
                    "(?i:\\b(?:I['’]?m|I am|is|turned|just turned|bin|ist)\\s+)(?<value>\\d{1,3})(?=\\s+years? old|\\s+Jahre alt|\\s*[,.;!]|\\s*$)"),
            form(
                    "marriage",
                    "(?i:\\b(?:I['’]?m|am|is|got|bin|ist|suis)\\s+(?:now\\s+)?)(?<value>(?i:single|married|divorced|engaged|widowed|verheiratet|ledig|geschieden|marié|mariée|célibataire))\\b"),
            form(
                    "diet",
                    "(?i:\\b(?:I['’]?m|am|is|became|bin|ist|suis|soy)\\s+(?:now\\s+)?(?:an?\\s+)?)(?<value>(?i:vegetarian|vegan|pescatarian|omnivore|vegetarier(?:in)?|veganer(?:in)?|végétarien|végétarienne|vegetariano|vegetariana|vegano|vegana))\\b"));

    private static final Pattern IS = Pattern.compile(
            "^(?i:my|our|the|mein|meine|unser|unsere|mon|ma|notre|mi|nuestra)\\s+(?<key>[\\p{L}][\\p{L} '’-]{1,40}?)\\s+(?i:(?:is|are|was|has been|ist|est|es|changed|moved|went)(?: (?:now|called|currently|changed|moved|extended|postponed|raised|increased|reduced|set|shifted|up|down|jetzt|maintenant|ahora))*(?: (?:to|at|on|auf|à|a|en))?)\\s+(?<value>.+?)[.!]?$");
    private static final Pattern OWN =
            Pattern.compile("^(?<owner>\\p{Lu}[\\p{L} -]{1,40}?)['’]s\\s+(?<rest>.+)$", Pattern.DOTALL);
    private static final Pattern PREFERS = Pattern.compile(
            "(?i)\\bprefers?\\s+(?:an?\\s+|the\\s+)?(?<one>[\\p{L}\\d .+#-]{2,40}?)\\s+(?:over|to|rather than)\\s+(?:an?\\s+|the\\s+)?(?<other>[\\p{L}\\d .+#-]{2,40}?)(?=\\s*[,.;!]|\\s*$)");
    private static final Pattern COMPARES = Pattern.compile(
            "(?:^|\\b(?i:that|thinks?|believes?|finds?|says?|said|recommends?|suspects?|glaube|finde|denke)\\s|,\\s|:\\s)(?i:an?\\s+|the\\s+)?(?<one>(?!(?i:I|it|that|this)\\b)[\\p{L}\\d.+#-]{2,30}(?: [\\p{L}\\d.+#-]{2,30})?)"
                    + "\\s+(?i:is|are|was|were|ist|sind)\\s+(?i:much |far |slightly |clearly |probably |a bit |viel )?(?<how>better|worse|faster|slower|cheaper|safer|easier|simpler|besser|schlechter|schneller|billiger)"
                    + "\\s+(?i:than|als)\\s+(?i:an?\\s+|the\\s+)?(?<other>[\\p{L}\\d.+#-]{1,29}[\\p{L}\\d+#])");

    private static final Pattern LIKES = Pattern.compile(
            "(?i)\\b(?<not>don['’]?t |do not |doesn['’]?t |does not |no longer |never )?(?:really |also |still )?(?<verb>like|likes|love|loves|enjoy|enjoys|hate|hates|dislike|dislikes|mag|liebe|hasse)\\s+(?:eating |drinking |playing |watching )?(?<what>[\\p{L}\\d .+#'-]{2,40}?)(?= anymore| any more| any longer|\\s*[,.;!]|\\s*$)");

    public Statement {
        numbers = Set.copyOf(numbers);
        words = Set.copyOf(words);
    }

    /** Parses a fact. */
    public static Statement of(String text, List<String> entities) {
        LabelledSentence labelled = LabelledSentence.of(text, entities);
        Matcher possessive = OWN.matcher(labelled.sentence());
        boolean ofOwner =
                possessive.matches() && entities.stream().anyMatch(possessive.group("owner")::equalsIgnoreCase);
        String speaker = ofOwner ? possessive.group("owner") : labelled.speaker();
        String body = ofOwner ? "my " + possessive.group("rest") : labelled.sentence();
        Optional<Claim> claim = claim(body);
        boolean isComparison = claim.isPresent() && claim.get().attribute().startsWith(COMPARED);
        String subject =
                isComparison ? "both" : subject(body, claim.map(Claim::at).orElse(body.length()), speaker, entities);
        boolean hasSubject = claim.isPresent() && !subject.isEmpty();
        return new Statement(
                subject.toLowerCase(ROOT),
                hasSubject ? claim.get().attribute() : null,
                hasSubject ? claim.get().value() : null,
                NEGATION.matcher(body).find(),
                PAST.matcher(body).find(),
                matches(NUMBER, body).collect(Collectors.toCollection(TreeSet::new)),
                words(body));
    }

    /**
     * The subject of a sentence: the speaker, a person or thing of theirs, or a name at the start.
     *
     * @param predicateStart index in the body at which the predicate starts
     */
    private static String subject(String body, int predicateStart, String speaker, List<String> entities) {
        Matcher possessive = MINE.matcher(body);
        if (possessive.lookingAt() && possessive.end() <= predicateStart) {
            return speaker + "'s " + possessive.group("what");
        }
        String name = entities.stream().filter(body::startsWith).findFirst().orElse("");
        if (!name.isEmpty() && !name.equalsIgnoreCase("I")) {
            return name;
        }
        boolean hasNoPredicate = predicateStart == body.length();
        boolean self = SELF_BEFORE.matcher(body.substring(0, predicateStart)).find()
                || SELF_AT.matcher(body.substring(predicateStart)).lookingAt();
        return self || (hasNoPredicate && SELF.matcher(body).find()) ? speaker : "";
    }

    private static Set<String> words(String body) {
        return matches(WORD, body.toLowerCase(ROOT).replace('’', '\''))
                .filter(word -> !EMPTY.contains(word))
                .collect(Collectors.toSet());
    }

    private static Stream<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group());
    }

    private static Optional<Claim> claim(String body) {
        return preference(body)
                .or(() -> liking(body))
                .or(() -> attribute(body, true))
                .or(() -> comparison(body))
                .or(() -> matchForm(body))
                .or(() -> attribute(body, false));
    }

    /** "Prefers tea to coffee". */
    private static Optional<Claim> preference(String body) {
        Matcher prefers = PREFERS.matcher(body);
        return prefers.find()
                ? Optional.of(new Claim(PREFERRED + both(prefers), clean(prefers.group("one")), prefers.start()))
                : Optional.empty();
    }

    /** "I don't like tea". */
    private static Optional<Claim> liking(String body) {
        Matcher likes = LIKES.matcher(body);
        if (!likes.find()) {
            return Optional.empty();
        }
        boolean hates = likes.group("verb").toLowerCase(ROOT).matches("hates?|dislikes?|hasse");
        boolean liked = hates == (likes.group("not") != null);
        return Optional.of(new Claim(LIKED + clean(likes.group("what")), liked ? "yes" : "no", likes.start()));
    }

    /** "My boss is Ann", or "my hobby is chess", of which there may be several. */
    private static Optional<Claim> attribute(String body, boolean single) {
        Matcher matcher = IS.matcher(body);
        return matcher.matches()
                        && SINGLE.matcher(matcher.group("key").toLowerCase(ROOT))
                                        .matches()
                                == single
                ? Optional.of(new Claim(
                        (single ? "" : ONE_OF) + clean(matcher.group("key")), clean(matcher.group("value")), 0))
                : Optional.empty();
    }

    /** "Rust is faster than Go". */
    private static Optional<Claim> comparison(String body) {
        Matcher compares = COMPARES.matcher(body);
        return compares.find()
                ? Optional.of(new Claim(
                        COMPARED + compares.group("how") + " of " + both(compares),
                        clean(compares.group("one")),
                        compares.start()))
                : Optional.empty();
    }

    private static Set<String> both(Matcher compared) {
        return new TreeSet<>(List.of(clean(compared.group("one")), clean(compared.group("other"))));
    }

    /** "I live in Oslo": a known predicate. */
    private static Optional<Claim> matchForm(String body) {
        for (Form form : FORMS) {
            Matcher matcher = form.pattern().matcher(body);
            if (matcher.find()) {
                return Optional.of(new Claim(form.attribute(), clean(matcher.group("value")), matcher.start()));
            }
        }
        return Optional.empty();
    }

    private static String clean(String text) {
        return Arrays.stream(text.toLowerCase(ROOT).strip().split("\\s+"))
                .filter(word -> !Set.of("a", "an", "the", "my", "now", "jetzt", "ein", "eine")
                        .contains(word))
                .collect(Collectors.joining(" "));
    }

    private static Form form(String attribute, String pattern) {
        return new Form(attribute, Pattern.compile(pattern));
    }

    /** Whether no rule prevents two facts from saying the same. */
    public boolean agrees(Statement other) {
        return numbers.equals(other.numbers)
                && negated == other.negated
                && past == other.past
                && Objects.equals(single(), other.single())
                && !hasOtherValue(other)
                && !isOpposite(other);
    }

    /**
     * Whether both cannot be true at the same time: a different value of a single-valued attribute, a negation, or a
     * different number.
     *
     * @param events whether one of them is an event: then different numbers are not a contradiction
     * @param aboutTheSame whether both are about the same people and things
     */
    public boolean contradicts(Statement other, boolean events, boolean aboutTheSame) {
        if (!subject.equals(other.subject) || past || other.past) {
            return false;
        }
        if (attribute != null && attribute.equals(other.attribute)) {
            if (attribute.startsWith(ONE_OF)) {
                return false;
            }
            return hasOtherValue(other) || (negated != other.negated && !attribute.startsWith(LIKED));
        }
        double overlap = aboutTheSame ? overlap(other) : 0;
        boolean isDenial = negated != other.negated && numbers.equals(other.numbers) && overlap >= SAME_BUT_NEGATED;
        boolean isOtherNumber = !events
                && negated == other.negated
                && numbers.size() == other.numbers.size()
                && !numbers.equals(other.numbers)
                && overlap >= SAME_BUT_NUMBERS;
        return isDenial || isOtherNumber;
    }

    /**
     * Whether both state the same value of the same attribute of the same subject: then their wording is irrelevant.
     */
    public boolean statesSameValue(Statement other) {
        return attribute != null
                && subject.equals(other.subject)
                && value != null
                && value.equals(other.value)
                && agrees(other);
    }

    /**
     * Whether both state different values of the same attribute of the same subject; a more exact value is not
     * different.
     */
    private boolean hasOtherValue(Statement other) {
        return value != null
                && other.value != null
                && attribute != null
                && attribute.equals(other.attribute)
                && subject.equals(other.subject)
                && (negated == other.negated || attribute.startsWith(LIKED))
                && !value.startsWith(other.value)
                && !other.value.startsWith(value);
    }

    private @Nullable String single() {
        return attribute == null || attribute.startsWith(ONE_OF) ? null : attribute;
    }

    /**
     * Whether a sentence is unambiguous: it only states the subject's home or employer, the name of a thing of
     * the speaker, or a favourite of the speaker.
     */
    public static boolean isUnambiguous(String text, List<String> entities) {
        String sentence = LabelledSentence.of(text, entities).sentence();
        Matcher beginning = UNAMBIGUOUS_BEGINNING.matcher(sentence);
        String body = beginning.lookingAt() ? sentence.substring(beginning.end()) : sentence;
        return UNAMBIGUOUS_MINE.matcher(body).matches()
                || Stream.concat(Stream.of("I", "Ich", "ich"), entities.stream())
                        .filter(body::startsWith)
                        .anyMatch(name -> UNAMBIGUOUS_PLACE
                                .matcher(body.substring(name.length()))
                                .matches());
    }

    /** Whether an attribute has one value at a time; of likes and comparisons there may be several. */
    public static boolean isSingle(String attribute) {
        return Stream.of(ONE_OF, COMPARED, LIKED, PREFERRED).noneMatch(attribute::startsWith);
    }

    /** Whether each has a word that is the opposite of one of the other, which vectors hardly distinguish. */
    private boolean isOpposite(Statement other) {
        return OPPOSITES.stream()
                .anyMatch(pair -> has(pair.getFirst()) && other.has(pair.getLast())
                        || has(pair.getLast()) && other.has(pair.getFirst()));
    }

    private boolean has(String stem) {
        return words.stream().anyMatch(word -> word.startsWith(stem));
    }

    /** The share of words that both have. */
    private double overlap(Statement other) {
        var common = new HashSet<>(words);
        common.retainAll(other.words);
        int union = words.size() + other.words.size() - common.size();
        return union == 0 ? 0 : (double) common.size() / union;
    }
}
