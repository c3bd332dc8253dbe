package dev.parley.domain.memory.reflect;

import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.memory.prompt.PromptDelimiter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The prompt of a reflection. Directives come first and are repeated last, where models follow them best. Evidence and
 * question are delimited as data. Evidence is cited by number, so answers cannot cite anything that was not shown.
 */
public final class ReflectPrompt {
    private static final Pattern CITED = Pattern.compile("\\[\\s*(m\\d{1,6}(?:\\s*[,;]\\s*m\\d{1,6})*)\\s*]");

    /** Number of unprocessed chunks from which observations are described as outdated. */
    private static final int STALE = 10;

    private static final String JUDGING =
            "Only where the question asks what you think of something, end with your judgement in one sentence and how"
                    + " sure you are, exactly so:\n"
                    + "```opinion\n"
                    + "{\"text\": \"…\", \"confidence\": 0.7}\n"
                    + "```\n";

    /**
     * The identity that reflects.
     *
     * @param name of the agent
     * @param background its role and purpose, written by the bank's administrator; may be empty
     */
    public record Identity(String name, String background) {}

    /**
     * The question with its context.
     *
     * @param asker the person who asks and the purpose, in the asker's words; may be empty
     * @param maxTokens approximate length of the answer
     * @param unread number of chunks not extracted yet
     * @param searches earlier queries besides the question
     * @param mayJudge whether an opinion is allowed if the question asks for one
     * @param objection kind of violation of the previous answer, or empty
     */
    public record Asked(
            String question,
            String asker,
            int maxTokens,
            long unread,
            List<String> searches,
            boolean mayJudge,
            String objection) {
        public Asked {
            searches = List.copyOf(searches);
        }

        /** A question without context. */
        public static Asked of(String question) {
            return new Asked(question, "", 1_000, 0, List.of(), true, "");
        }
    }

    /**
     * An answer with its citations resolved.
     *
     * @param text with valid citations, numbered in the order of {@code ids}
     * @param ids distinct ids of the cited evidence
     * @param unknown number of invalid citations
     */
    public record Citations(String text, List<String> ids, int unknown) {
        public Citations {
            ids = List.copyOf(ids);
        }
    }

    private ReflectPrompt() {}

    /**
     * The prompt.
     *
     * @param directives in any order; inactive ones are ignored
     * @param evidence best first
     * @param now the current time, in the zone of who asks
     */
    public static Prompt of(
            Identity identity,
            Collection<Directive> directives,
            Disposition disposition,
            Asked request,
            List<Evidence> evidence,
            ZonedDateTime now) {
        return new Prompt(system(identity, directives, disposition, request), user(request, evidence, now));
    }

    private static String system(
            Identity identity, Collection<Directive> directives, Disposition disposition, Asked request) {
        String rules = Directive.toNumberedList(directives);
        String background = identity.background().strip();
        return "You are the memory of the agent " + identity.name() + ", and answer from what it remembers.\n"
                + (background.isEmpty() ? "" : background + "\n")
                + "Invent nothing: what the evidence does not say, you do not know, and you say so.\n"
                + (rules.isEmpty()
                        ? ""
                        : "\nThese rules go before all else, also before evidence, question and your manner. "
                                + "Where two contradict, keep the one with the lower number:\n" + rules)
                + "\nYour manner:\n"
                + String.join("\n", disposition.sentences())
                + "\n\n"
                + "Each piece of evidence has a number such as m1. Put the numbers that a sentence rests on behind it,"
                + " as [m1] or [m1, m2], and nothing else in square brackets.\n"
                + "Where pieces of evidence contradict each other, what was said last holds; where that does not"
                + " decide it, say what speaks for each.\n"
                + "An opinion is yours, and as sure as its confidence says.\n"
                + (request.mayJudge() ? JUDGING : "")
                + "Answer in at most about " + request.maxTokens() + " tokens.\n"
                + PromptDelimiter.RULE + "\n"
                + objection(request.objection())
                + reminder(rules);
    }

    private static String objection(String violation) {
        return violation.isEmpty()
                ? ""
                : "\nYour answer before was not given to anybody, because it had " + violation
                        + ", which breaks a rule. Answer anew without that.\n";
    }

    private static String reminder(String rules) {
        return rules.isEmpty()
                ? ""
                : "\nBefore you answer, check your answer against each of these rules again:\n" + rules;
    }

    private static String user(Asked request, List<Evidence> evidence, ZonedDateTime now) {
        return "It is " + DateTimeFormatter.ISO_ZONED_DATE_TIME.format(now) + ".\n" + freshness(request.unread())
                + PromptDelimiter.around("evidence", evidence(evidence, now.getZone()))
                + (request.searches().isEmpty()
                        ? ""
                        : PromptDelimiter.around("searches made already", String.join("\n", request.searches())))
                + (request.asker().isBlank() ? "" : PromptDelimiter.around("who asks", request.asker()))
                + PromptDelimiter.around("question", request.question());
    }

    private static String freshness(long unread) {
        return unread == 0
                ? ""
                : unread + " pieces of what was said have not been read yet: observations may be "
                        + (unread < STALE ? "slightly " : "") + "out of date.\n";
    }

    private static String evidence(List<Evidence> evidence, ZoneId zone) {
        if (evidence.isEmpty()) {
            return "nothing was found";
        }
        return IntStream.range(0, evidence.size())
                .mapToObj(i -> "[m" + (i + 1) + "] " + line(evidence.get(i), zone))
                .collect(Collectors.joining("\n"));
    }

    private static String line(Evidence piece, ZoneId zone) {
        return piece.type().code()
                + (piece.confidence() == null ? "" : ", confidence " + piece.confidence())
                + ", said " + local(piece.mentioned(), zone)
                + (piece.occurred() == null
                        ? ""
                        : ", happened " + local(piece.occurred().from(), zone) + " to "
                                + local(piece.occurred().to(), zone))
                + ": " + piece.text().replaceAll("\\s+", " ");
    }

    private static String local(Instant time, ZoneId zone) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.atZone(zone));
    }

    /**
     * Resolves the citations of an answer, and removes those of evidence that was not shown.
     *
     * @param evidenceIds ids of the evidence, in prompt order
     */
    public static Citations resolveCitations(String answer, List<String> evidenceIds) {
        var ids = new ArrayList<String>();
        var unknown = new int[1];
        String text = CITED.matcher(answer).replaceAll(match -> {
            String marks = numbers(match.group(1))
                    .flatMap(number -> {
                        if (number < 1 || number > evidenceIds.size()) {
                            unknown[0]++;
                            return Stream.empty();
                        }
                        String id = evidenceIds.get(number - 1);
                        if (!ids.contains(id)) {
                            ids.add(id);
                        }
                        return Stream.of("m" + (ids.indexOf(id) + 1));
                    })
                    .distinct()
                    .collect(Collectors.joining(", "));
            return marks.isEmpty() ? "" : "[" + marks + "]";
        });
        return new Citations(text.strip(), ids, unknown[0]);
    }

    private static Stream<Integer> numbers(String marks) {
        return Stream.of(marks.split("\\s*[,;]\\s*")).map(mark -> Integer.parseInt(mark.substring(1)));
    }
}
