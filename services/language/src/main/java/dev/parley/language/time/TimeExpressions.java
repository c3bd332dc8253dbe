package dev.parley.language.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds time expressions in English, German, French, Spanish and Italian. Total: no input fails; unknown
 * expressions are not found. Stateless and thread-safe.
 */
public final class TimeExpressions {
    /** Bounds of the reference time, outside of which calendars are meaningless. */
    private static final Instant EARLIEST = Instant.parse("0200-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9000-01-01T00:00:00Z");

    private TimeExpressions() {}

    /**
     * All time expressions of a text, in order. Adjacent ones that contradict each other are dropped.
     *
     * @param text of any length
     * @param reference time of the utterance
     * @param zone time zone of the speaker
     */
    public static List<FoundTime> in(String text, Instant reference, ZoneId zone) {
        return find(text, reference, zone, false);
    }

    /**
     * The period that a question is about. Empty if it names none, or several without overlap: a wrong window would
     * hide the answer. A month, a date or a weekday is the latest one, unless the question is about the future.
     *
     * @param query the question
     * @param reference time of the question
     * @param zone time zone of the user
     */
    public static Optional<TimeSpan> window(String query, Instant reference, ZoneId zone) {
        List<FoundTime> found = find(query, reference, zone, true);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Instant from = found.getFirst().span().from();
        Instant to = found.getFirst().span().to();
        for (FoundTime expression : found) {
            from = expression.span().from().isAfter(from) ? expression.span().from() : from;
            to = expression.span().to().isBefore(to) ? expression.span().to() : to;
        }
        return to.isBefore(from) ? Optional.empty() : Optional.of(new TimeSpan(from, to));
    }

    private static List<FoundTime> find(String text, Instant reference, ZoneId zone, boolean question) {
        if (reference.isBefore(EARLIEST) || reference.isAfter(LATEST)) {
            return List.of();
        }
        List<Token> tokens = Tokenizer.of(text);
        var calendar = new Calendar(reference.atZone(zone));
        List<Language> languages = Language.of(tokens);
        var readers = new HashMap<FoundTime, Integer>();
        for (Language language : languages) {
            find(tokens, language, calendar, question).forEach(found -> readers.merge(found, 1, Integer::sum));
        }
        // "hier" is yesterday in French and here in German: the reading of most languages counts
        return readers.entrySet().stream()
                .filter(entry -> 2 * entry.getValue() > languages.size())
                .map(Map.Entry::getKey)
                .sorted(Comparator.comparingInt(FoundTime::from))
                .toList();
    }

    private static List<FoundTime> find(List<Token> tokens, Language language, Calendar calendar, boolean question) {
        List<Token> read = language.read(tokens);
        var found = new ArrayList<FoundTime>();
        for (Grammar.Match match : new Grammar(new Sentence(read, language, question), calendar).matches()) {
            if (match.span() != null) {
                int from = read.get(match.from()).from();
                int to = read.get(match.to() - 1).to();
                found.add(new FoundTime(match.span().toTimeSpan(), from, to, match.open()));
            }
        }
        return found;
    }
}
