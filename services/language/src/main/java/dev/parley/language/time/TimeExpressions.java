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
 * Finds what texts say about time, in English, German, French, Spanish and Italian. Nothing it is given makes it fail; what
 * it does not understand, it does not find. It keeps nothing, and may be called from any thread.
 */
public final class TimeExpressions {
    /** References outside of these years have no calendar that people write about. */
    private static final Instant EARLIEST = Instant.parse("0200-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9000-01-01T00:00:00Z");

    private TimeExpressions() {}

    /**
     * Every expression of time in a text, in its order. Two that stand side by side and contradict each other are none.
     *
     * @param text what was said, of any length
     * @param reference when it was said
     * @param zone where days begin for whoever said it
     */
    public static List<Found> in(String text, Instant reference, ZoneId zone) {
        return found(text, reference, zone, false);
    }

    /**
     * The one time that a question asks about. None where it names no time, or several that have nothing in common: a wrong
     * window hides what is asked for. A month, a date or a day of the week is the latest one, unless the question looks ahead.
     *
     * @param query the question
     * @param reference when it is asked
     * @param zone where days begin for whoever asks
     */
    public static Optional<TimeSpan> window(String query, Instant reference, ZoneId zone) {
        List<Found> found = found(query, reference, zone, true);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Instant from = found.getFirst().span().from();
        Instant to = found.getFirst().span().to();
        for (Found each : found) {
            from = each.span().from().isAfter(from) ? each.span().from() : from;
            to = each.span().to().isBefore(to) ? each.span().to() : to;
        }
        return to.isBefore(from) ? Optional.empty() : Optional.of(new TimeSpan(from, to));
    }

    private static List<Found> found(String text, Instant reference, ZoneId zone, boolean question) {
        if (reference.isBefore(EARLIEST) || reference.isAfter(LATEST)) {
            return List.of();
        }
        List<Token> tokens = Tokens.of(text);
        var calendar = new Calendar(reference.atZone(zone));
        List<Language> languages = Language.of(tokens);
        var readers = new HashMap<Found, Integer>();
        for (Language language : languages) {
            found(tokens, language, calendar, question).forEach(found -> readers.merge(found, 1, Integer::sum));
        }
        // "hier" alone is yesterday in French and here in German: what most of them read counts
        return readers.entrySet().stream()
                .filter(entry -> 2 * entry.getValue() > languages.size())
                .map(Map.Entry::getKey)
                .sorted(Comparator.comparingInt(Found::from))
                .toList();
    }

    private static List<Found> found(List<Token> tokens, Language language, Calendar calendar, boolean question) {
        List<Token> read = language.read(tokens);
        var found = new ArrayList<Found>();
        for (Grammar.Match match : new Grammar(new Sentence(read, language, question), calendar).matches()) {
            if (match.span() != null) {
                int from = read.get(match.from()).from();
                int to = read.get(match.to() - 1).to();
                found.add(new Found(match.span().closed(), from, to, match.open()));
            }
        }
        return found;
    }
}
