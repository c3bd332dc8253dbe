package dev.parley.domain.memory.extract;

import static java.util.Locale.ROOT;

import dev.parley.domain.content.Role;
import dev.parley.domain.memory.Fact;
import dev.parley.domain.memory.Fact.Relation;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.LinkType;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.extract.DateFinder.DatedSpan;
import dev.parley.language.text.AgentSpeech;
import dev.parley.language.text.Causes;
import dev.parley.language.text.Causes.Cause;
import dev.parley.language.text.Clauses;
import dev.parley.language.text.Clauses.Part;
import dev.parley.language.text.NamedEntities;
import dev.parley.language.text.Salience;
import dev.parley.language.text.Sentences;
import dev.parley.language.text.Sentences.Sentence;
import dev.parley.language.time.TimeSpan;
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
 * Fact extraction by rules: finds statements with their speaker, time, entities and causes. Facts keep the original
 * wording, so that they are found by it; first-person statements get the speaker's name.
 *
 * <p>Greetings, questions, orders and musings are not facts, nor are code and quotations. Of the agent's own
 * words it keeps actions, judgements, and statements about the person with a date or a number; advice is dropped.
 *
 * <p>Pure, linear in the length of the text, and total: it never fails. Known limits: pronouns are resolved only if
 * exactly one person is named before, otherwise the preceding sentence becomes the context; of tool results that are
 * not prose only short ones are kept; uncapitalised names are recognised only where they are introduced as names.
 */
public final class RuleExtraction {
    /** Version of the rules, stored with each fact. Changes whenever the same text could yield other facts. */
    public static final String VERSION = "rules-1";

    /** Maximum facts of a text. */
    public static final int MAX_FACTS = 100;

    private static final int MAX_KNOWN = 2_000;

    private static final Pattern REFERS = Pattern.compile(
            "^(?i:he|she|they|his|her|their|it|its|this|that|these|er|sie|es|ihr|ihre|il|elle|ils|elles|ce|él|ella|ellos)(?:['’]s|['’]re)?\\b.*",
            Pattern.DOTALL);
    private static final Pattern PRONOUN =
            Pattern.compile("^(?i:he|she|his|her|er|sie|il|elle|él|ella)(?:['’]s)?\\b.*", Pattern.DOTALL);
    private static final Pattern PLACED = Pattern.compile(
            "(?iU).*\\b(?:in|at|to|from|near|of|nach|aus|bei|à|en|a|de|chez)\\s+(?:the )?$", Pattern.DOTALL);

    /** A time that bounds another one, or recurs, is not the time of an event. */
    private static final Pattern BOUND = Pattern.compile(
            "(?i).*\\b(?:since|until|till|before|after|every|each|seit|bis|vor|nach|jeden|jede|depuis|avant|après|chaque|jusqu'(?:à|en)|desde|hasta|antes de|cada)\\s+(?:the |le |el |dem |der )?$");

    private static final Pattern RECURRING = Pattern.compile(
            "(?i)\\b(?:usually|always|often|sometimes|every|never|normally|typically|each (?:day|week|month|year)|birthday|anniversary|immer|oft|jeden|jede|jedes|manchmal|toujours|souvent|chaque|siempre|cada|geburtstag|anniversaire|cumpleaños)\\b");
    private static final Pattern YEAR = Pattern.compile("\\b(?:19|20)\\d\\d\\b");
    private static final Pattern MARKUP = Pattern.compile("\\*{1,3}|_{2,3}|`|</?\\p{Alpha}{1,10}/?>");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final AttributedText source;
    private final DateFinder dates;
    private final boolean german;
    private final List<Fact> facts = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final Set<String> texts = new HashSet<>();
    private Set<String> known = Set.of();
    private String previousSentence = "";
    /** Names of the last sentence with a name that can be meant by a pronoun. */
    private List<String> antecedents = List.of();
    /** Whether the text is inside a letter that the agent drafts. */
    private boolean isInLetter;
    /** Index of the last fact, or -1. */
    private int lastFact = -1;

    private RuleExtraction(AttributedText source, DateFinder dates) {
        this.source = source;
        this.dates = dates;
        this.german = NamedEntities.isGerman(source.text());
    }

    /**
     * The facts of a text in order, except that effects precede their causes, so that a cause can refer to its effect.
     *
     * @param dates finds time expressions
     */
    public static List<Fact> extract(AttributedText source, DateFinder dates) {
        var rules = new RuleExtraction(source, dates);
        rules.extract();
        return List.copyOf(rules.facts);
    }

    private void extract() {
        List<Sentence> sentences = Sentences.of(source.text());
        known = NamedEntities.knownIn(
                sentences.stream().limit(MAX_KNOWN).map(this::text).toList(), german);
        for (Sentence sentence : sentences) {
            if (facts.size() == MAX_FACTS) {
                return;
            }
            if (!seen.add(text(sentence))) {
                continue;
            }
            switch (source.role()) {
                case USER -> extractFromPerson(sentence);
                case ASSISTANT -> extractFromAgent(sentence);
                case TOOL -> extractFromTool(sentence);
            }
        }
        if (source.role() == Role.TOOL && facts.isEmpty()) {
            addWhole();
        }
    }

    private String text(Sentence sentence) {
        return source.text().substring(sentence.from(), sentence.to());
    }

    /** Extracts the statements of a person's sentence. */
    private void extractFromPerson(Sentence sentence) {
        String text = text(sentence);
        List<Part> parts = isDatedOrder(text) ? List.of(new Part(0, text.length())) : Clauses.statements(text);
        for (Part part : parts) {
            var stated = new Sentence(sentence.from() + part.from(), sentence.from() + part.to(), sentence.label());
            if (Salience.isWorth(text(stated), names(text(stated), part.from() == 0))) {
                add(stated, FactType.WORLD, null, part.from() == 0);
            }
        }
    }

    /** "Book a table for Friday" is a plan; "Write a function" is not. */
    private boolean isDatedOrder(String sentence) {
        return !Clauses.isQuestion(sentence)
                && Clauses.orders(sentence)
                && sentence.length() < 200
                && isDated(sentence);
    }

    /** Extracts the judgements, actions and statements about the person from the agent's sentence. */
    private void extractFromAgent(Sentence sentence) {
        String text = text(sentence);
        isInLetter |= AgentSpeech.beginsLetter(text);
        if (isInLetter
                || Clauses.isQuestion(text)
                || AgentSpeech.isPolite(text)
                || AgentSpeech.isDraft(text)
                || isInQuotes(sentence)
                || Salience.content(text, names(text, true)) < 2) {
            return;
        }
        if (AgentSpeech.isOpinion(text)) {
            add(sentence, FactType.OPINION, AgentSpeech.confidence(text), true);
        } else if (AgentSpeech.isDeed(text) || AgentSpeech.isOfThePerson(text, isDated(text))) {
            add(sentence, FactType.EXPERIENCE, null, true);
        }
    }

    /** Whether an open quotation in the paragraph precedes the sentence. */
    private boolean isInQuotes(Sentence sentence) {
        String around = source.text().substring(Math.max(0, sentence.from() - Sentences.MAX_LENGTH), sentence.from());
        String paragraph = around.substring(Math.max(0, around.lastIndexOf("\n\n")));
        return paragraph.chars().filter(c -> c == '"').count() % 2 == 1;
    }

    private boolean isDated(String text) {
        return !dates.find(text, source.at(), source.zone()).isEmpty();
    }

    private List<String> names(String text, boolean atHead) {
        return NamedEntities.in(text, atHead, german, known);
    }

    private void extractFromTool(Sentence sentence) {
        String text = text(sentence);
        List<String> names = names(text, true);
        if (Salience.content(text, names) > (Salience.isConcrete(text, names) ? 0 : 2)) {
            add(sentence, FactType.EXPERIENCE, null, true);
        }
    }

    /** A short result that is not prose is one fact. */
    private void addWhole() {
        String text = source.text().strip();
        if (text.length() <= Sentences.MAX_LENGTH && text.codePoints().anyMatch(Character::isLetterOrDigit)) {
            int from = source.text().indexOf(text);
            add(new Sentence(from, from + text.length(), null), FactType.EXPERIENCE, null, true);
        }
    }

    private void add(Sentence sentence, FactType type, @Nullable Double confidence, boolean atHead) {
        String text = text(sentence);
        String cleaned = clean(text);
        Optional<Cause> cause = source.role() == Role.TOOL ? Optional.empty() : Causes.in(text);
        if (cause.isPresent()) {
            addCause(cause.get(), sentence, type, confidence, atHead, cleaned);
        } else {
            String context = REFERS.matcher(text).matches() && !previousSentence.isEmpty() ? previousSentence : null;
            boolean isConsequence = lastFact >= 0 && Causes.isConsequence(text);
            List<Relation> relations = isConsequence ? List.of(new Relation(LinkType.CAUSED_BY, lastFact)) : List.of();
            add(sentence, type, confidence, atHead, context, relations);
        }
        previousSentence = cleaned;
    }

    /** Adds the effect and the cause that a sentence states. */
    private void addCause(
            Cause cause,
            Sentence sentence,
            FactType type,
            @Nullable Double confidence,
            boolean atHead,
            String context) {
        int effect = add(part(sentence, cause.effect()), type, confidence, atHead, context, List.of());
        if (effect >= 0) {
            var relation = new Relation(LinkType.valueOf(cause.how().name()), effect);
            add(part(sentence, cause.cause()), type, confidence, atHead, context, List.of(relation));
        }
    }

    private static Sentence part(Sentence sentence, Part part) {
        return new Sentence(sentence.from() + part.from(), sentence.from() + part.to(), sentence.label());
    }

    /** Adds a fact. Returns its index, or -1 for a duplicate or beyond the limit. */
    private int add(
            Sentence sentence,
            FactType type,
            @Nullable Double confidence,
            boolean atHead,
            @Nullable String context,
            List<Relation> relations) {
        String raw = text(sentence);
        boolean ofSelf = source.role() != Role.TOOL && Salience.isOfSelf(raw);
        String speaker = sentence.label() == null ? source.speaker() : sentence.label();
        String text = withSpeaker(clean(raw), speaker, ofSelf);
        boolean empty = clean(raw).isBlank() || text.length() > Unit.MAX_LENGTH;
        if (empty || facts.size() == MAX_FACTS || !texts.add(text.toLowerCase(ROOT))) {
            return -1;
        }
        facts.add(new Fact(
                text,
                text.equals(context) || clean(raw).equals(context) ? null : context,
                type,
                confidence,
                occurrenceTime(raw),
                entities(raw, ofSelf ? speaker : null, atHead),
                relations,
                sentence.from(),
                sentence.to()));
        lastFact = facts.size() - 1;
        return lastFact;
    }

    /** What tools return, and what speakers say of themselves, starts with their name. */
    private String withSpeaker(String text, String speaker, boolean ofSelf) {
        boolean needsSpeaker = source.role() == Role.TOOL || (ofSelf && !text.startsWith(speaker + ":"));
        return needsSpeaker ? speaker + ": " + text : text;
    }

    private List<String> entities(String text, @Nullable String speaker, boolean atHead) {
        var entities = new LinkedHashMap<String, String>();
        if (speaker != null) {
            entities.put(speaker.toLowerCase(ROOT), speaker);
        }
        List<String> names = names(text, atHead);
        names.forEach(name -> entities.putIfAbsent(name.toLowerCase(ROOT), name));
        if (antecedents.size() == 1 && PRONOUN.matcher(text).matches()) {
            entities.putIfAbsent(antecedents.getFirst().toLowerCase(ROOT), antecedents.getFirst());
        } else {
            antecedents = names.stream().filter(name -> !isPlace(text, name)).toList();
        }
        return List.copyOf(entities.values());
    }

    /** Whether the name follows a preposition of place. */
    private static boolean isPlace(String text, String name) {
        return PLACED.matcher(text.substring(0, Math.max(0, text.indexOf(name))))
                .matches();
    }

    private @Nullable TimeSpan occurrenceTime(String sentence) {
        for (DatedSpan date : dates.find(sentence, source.at(), source.zone())) {
            boolean recurs = RECURRING.matcher(sentence).find()
                    && !YEAR.matcher(sentence.substring(date.from(), date.to())).find();
            if (!recurs && !BOUND.matcher(sentence.substring(0, date.from())).matches()) {
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
