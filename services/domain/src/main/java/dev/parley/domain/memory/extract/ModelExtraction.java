package dev.parley.domain.memory.extract;

import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.Fact;
import dev.parley.domain.memory.Fact.Relation;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.LinkType;
import dev.parley.domain.memory.prompt.JsonAnswer;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.memory.prompt.PromptDelimiter;
import dev.parley.language.text.Clauses.Part;
import dev.parley.language.time.TimeSpan;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fact extraction by a model: the prompt, and validation of the answer. The text is passed as data, and the answer is
 * JSON; invalid parts are dropped and counted. Dates that are not ISO 8601 are ignored.
 */
public final class ModelExtraction {
    /** Maximum facts of a chunk. */
    public static final int MAX_FACTS = 50;

    /** Maximum characters of a fact. */
    public static final int MAX_LENGTH = 1_000;

    /** Maximum entities of a fact. */
    public static final int MAX_ENTITIES = 20;

    private static final int MAX_NAME_LENGTH = 80;

    /** A date further than this before the text's own time is taken for a mistake: 100 years, or 50 years after. */
    private static final Duration BEFORE = Duration.ofDays(36_525);

    private static final Duration AFTER = Duration.ofDays(18_262);

    private static final String TASK = """
        You note what an agent should still know in later conversations. You are given one piece of what was said, by whom and when.

        Note: who people are and how they are related, what they like and dislike, what they own, can do, plan, decided and went through,
        what was agreed, with numbers, names and dates; and what the agent did or found out.
        Leave out: greetings, thanks, small talk, questions that state nothing, general knowledge, code, and what is quoted from memory.
        Where nothing is worth it, the list is empty. A fact too few is better than one that nobody said.

        Each fact can be understood alone: write names instead of pronouns, call a speaker without a name "user", and turn "yesterday" or
        "in May" into dates, counted from the time at which it was said. Keep the language of the text. Do not calculate and do not guess.

        Answer with one JSON object and nothing else:
        {"facts": [{
          "what": "the fact in one sentence",
          "when": "2024-05-03, 2024-05, 2024, 2024-05-03T14:00:00Z or 2024-05-01/2024-05-07, or null where nobody said it",
          "where": "place, or null", "who": "people and how they are related, or null", "why": "reason, or null",
          "kind": "event for what happened or will happen at a time, else conversation",
          "type": "world for what a person says; experience for what the agent did or a tool answered; opinion for what the agent judges",
          "confidence": "of an opinion, a number from 0 to 1, else null",
          "entities": ["names of the people and things it is about"],
          "relations": [{"type": "causes, caused_by, enables or prevents", "fact": "number of an earlier fact of this list, from 0"}],
          "quote": "the words of the text that say it, letter by letter"
        }]}
        """;

    /** Version of the prompt, stored with each fact: changes with every character of the instructions. */
    public static final String VERSION =
            "model-" + Ids.of(TASK, PromptDelimiter.RULE).toString().substring(0, 8);

    /** The result of parsing an answer. */
    public sealed interface Read {
        /**
         * A usable answer.
         *
         * @param facts in the model's order
         * @param dropped number of invalid facts, dates, relations, confidences and entities
         */
        record Facts(List<Fact> facts, int dropped) implements Read {
            public Facts {
                facts = List.copyOf(facts);
            }
        }

        /**
         * An unusable answer.
         *
         * @param reason a sentence
         */
        record Unusable(String reason) implements Read {}
    }

    private final TextChunk chunk;
    private final AttributedText source;
    private final Map<Integer, Integer> factByItem = new HashMap<>();
    private final Set<String> texts = new HashSet<>();
    private final List<Fact> facts = new ArrayList<>();
    private int dropped;

    private ModelExtraction(TextChunk chunk, AttributedText source) {
        this.chunk = chunk;
        this.source = source;
    }

    /**
     * The prompt.
     *
     * @param source speaker and time; its text is not used
     * @param chunk to extract facts from
     * @param mission purpose of the bank, written by its administrator, or null
     */
    public static Prompt prompt(AttributedText source, TextChunk chunk, @Nullable String mission) {
        String system = Prompt.system(TASK, mission);
        ZonedDateTime said = source.at().atZone(source.zone());
        String head = "Said at %s (%s), by %s, in a conversation of a person with an agent.\n"
                .formatted(
                        DateTimeFormatter.ISO_ZONED_DATE_TIME.format(said),
                        said.getDayOfWeek().toString().toLowerCase(Locale.ROOT),
                        switch (source.role()) {
                            case USER -> "a person";
                            case ASSISTANT -> "the agent itself";
                            case TOOL -> "a tool of the agent";
                        });
        String names = PromptDelimiter.around("names", "speaker: " + source.speaker() + "\nagent: " + source.agent());
        return new Prompt(system, head + names + PromptDelimiter.around("text", chunk.text()));
    }

    /**
     * Parses and validates an answer.
     *
     * @param chunk that the model was shown; facts are located in it by their quotes, or cover all of it if the quote
     *     is not found
     * @param source speaker and time; its text is not used
     */
    public static Read parse(String answer, TextChunk chunk, AttributedText source) {
        JsonAnswer read;
        try {
            read = JsonAnswer.read(answer);
        } catch (IllegalArgumentException e) {
            return new Read.Unusable(String.valueOf(e.getMessage()));
        }
        if (!(read.members().get("facts") instanceof List<?> list)) {
            return new Read.Unusable("the answer has no list \"facts\"");
        }
        var extraction = new ModelExtraction(chunk, source);
        for (int i = 0; i < list.size(); i++) {
            extraction.add(i, list.get(i));
        }
        return new Read.Facts(extraction.facts, extraction.dropped);
    }

    private void add(int index, Object item) {
        if (!(item instanceof JsonAnswer fact) || facts.size() == MAX_FACTS) {
            dropped++;
            return;
        }
        Optional<String> text = text(fact);
        Optional<FactType> type = type(fact);
        if (text.isEmpty() || type.isEmpty() || !texts.add(text.get())) {
            dropped++;
            return;
        }
        Fact valid = toFact(index, fact, text.get(), type.get());
        factByItem.put(index, facts.size());
        facts.add(valid);
    }

    private Fact toFact(int index, JsonAnswer item, String text, FactType type) {
        Part span = span(item);
        return new Fact(
                text,
                null,
                type,
                confidence(item, type),
                occurrenceTime(item),
                entities(item),
                relations(index, item),
                span.from(),
                span.to());
    }

    /** The text of the field {@code what}, followed by where, who and why if it does not contain them. */
    private static Optional<String> text(JsonAnswer fact) {
        Optional<String> what = fact.text("what");
        return what.map(sentence -> Stream.concat(
                                Stream.of(sentence),
                                Stream.of("where", "who", "why")
                                        .flatMap(name -> fact.text(name).stream())
                                        .filter(part -> !sentence.contains(part) && !part.equalsIgnoreCase("null")))
                        .collect(Collectors.joining(" | ")))
                .filter(text -> text.length() <= MAX_LENGTH);
    }

    /**
     * Facts from a person's text are of type world, regardless of the model's answer: only the agent's text becomes its
     * own action or judgement.
     */
    private Optional<FactType> type(JsonAnswer fact) {
        return fact.text("type").flatMap(code -> Coded.of(FactType.class, code)).flatMap(type -> switch (type) {
            case WORLD -> Optional.of(type);
            case EXPERIENCE, OPINION -> Optional.of(source.role() == Role.USER ? FactType.WORLD : type);
            case OBSERVATION, MENTAL_MODEL -> Optional.empty();
        });
    }

    private @Nullable Double confidence(JsonAnswer fact, FactType type) {
        if (type != FactType.OPINION) {
            return null;
        }
        double confidence = fact.number("confidence").orElse(-1.0);
        if (confidence >= 0 && confidence <= 1) {
            return confidence;
        }
        dropped++;
        return 0.5;
    }

    private List<String> entities(JsonAnswer fact) {
        var entities = new LinkedHashMap<String, String>();
        for (Object item : fact.items("entities")) {
            if (item instanceof String name
                    && !name.isBlank()
                    && name.strip().length() <= MAX_NAME_LENGTH
                    && entities.size() < MAX_ENTITIES) {
                entities.putIfAbsent(name.strip().toLowerCase(Locale.ROOT), name.strip());
            } else {
                dropped++;
            }
        }
        return List.copyOf(entities.values());
    }

    private List<Relation> relations(int index, JsonAnswer fact) {
        var relations = new LinkedHashMap<Relation, Relation>();
        for (Object item : fact.items("relations")) {
            Optional<Relation> relation = item instanceof JsonAnswer read ? relation(index, read) : Optional.empty();
            if (relation.isPresent()) {
                relations.put(relation.get(), relation.get());
            } else {
                dropped++;
            }
        }
        return List.copyOf(relations.values());
    }

    private Optional<Relation> relation(int index, JsonAnswer relation) {
        Optional<LinkType> type = relation.text("type")
                .flatMap(code -> Coded.of(LinkType.class, code))
                .filter(link -> switch (link) {
                    case CAUSES, CAUSED_BY, ENABLES, PREVENTS -> true;
                    case TEMPORAL, SEMANTIC, ENTITY -> false;
                });
        double to = relation.number("fact").orElse(-1.0);
        Integer target = to == Math.rint(to) && to < index ? factByItem.get((int) to) : null;
        return type.isEmpty() || target == null ? Optional.empty() : Optional.of(new Relation(type.get(), target));
    }

    /** The position of the quote, ignoring case and whitespace; the whole chunk if it is not found. */
    private Part span(JsonAnswer fact) {
        Optional<String> quote = fact.text("quote").filter(text -> text.length() <= MAX_LENGTH);
        if (quote.isPresent()) {
            String regex =
                    Arrays.stream(quote.get().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
            Matcher matcher = Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
                    .matcher(chunk.text());
            if (matcher.find()) {
                return new Part(matcher.start(), matcher.end());
            }
        }
        return new Part(0, chunk.text().length());
    }

    private @Nullable TimeSpan occurrenceTime(JsonAnswer fact) {
        Optional<String> when = fact.text("when").filter(text -> !text.equalsIgnoreCase("null"));
        if (when.isEmpty() || !fact.text("kind").orElse("").equals("event")) {
            return null;
        }
        try {
            TimeSpan time = time(when.get());
            if (!time.from().isBefore(source.at().minus(BEFORE))
                    && !time.to().isAfter(source.at().plus(AFTER))) {
                return time;
            }
        } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
            // counted as an invalid date
        }
        dropped++;
        return null;
    }

    private TimeSpan time(String iso) {
        int slash = iso.indexOf('/');
        if (slash < 0) {
            return moment(iso);
        }
        return new TimeSpan(
                moment(iso.substring(0, slash)).from(),
                moment(iso.substring(slash + 1)).to());
    }

    /** The first and last second of a year, month, day or moment. */
    private TimeSpan moment(String iso) {
        ZoneId zone = source.zone();
        return switch (iso.length()) {
            case 4 ->
                days(Year.parse(iso).atDay(1), Year.parse(iso).plusYears(1).atDay(1));
            case 7 ->
                days(
                        YearMonth.parse(iso).atDay(1),
                        YearMonth.parse(iso).plusMonths(1).atDay(1));
            case 10 -> days(LocalDate.parse(iso), LocalDate.parse(iso).plusDays(1));
            default -> {
                boolean withZone = iso.endsWith("Z") || iso.lastIndexOf('+') > 9 || iso.lastIndexOf('-') > 9;
                Instant instant = withZone
                        ? OffsetDateTime.parse(iso).toInstant()
                        : ZonedDateTime.of(LocalDateTime.parse(iso), zone).toInstant();
                yield new TimeSpan(instant, instant);
            }
        };
    }

    private TimeSpan days(LocalDate first, LocalDate end) {
        ZoneId zone = source.zone();
        return new TimeSpan(
                first.atStartOfDay(zone).toInstant(),
                end.atStartOfDay(zone).toInstant().minusSeconds(1));
    }
}
