package dev.parley.language.time;

import dev.parley.language.time.ParsedTime.Form;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The grammar of time expressions in one language: single times, ranges, and open-ended times. */
final class Grammar {
    /** Roles of words that "every" can precede. */
    private static final List<WordRole> RECURRING =
            List.of(WordRole.WEEKDAY, WordRole.UNIT, WordRole.SEASON, WordRole.PART, WordRole.MONTH, WordRole.HOLIDAY);

    /** Roles of words that can precede the end of an open-ended time. */
    private static final List<WordRole> OPENING =
            List.of(WordRole.SINCE, WordRole.AFTER, WordRole.BEFORE, WordRole.UNTIL, WordRole.BY);

    private final Sentence words;
    private final Calendar calendar;
    private final SingleTimeParser points;

    Grammar(Sentence words, Calendar calendar) {
        this.words = words;
        this.calendar = calendar;
        points = new SingleTimeParser(words, calendar);
    }

    /**
     * A match of the grammar.
     *
     * @param span null if the words are not a time, nor is any part of them
     * @param from index of its first token
     * @param to index after its last token
     */
    record Match(@Nullable Span span, int from, int to, FoundTime.Open open) {}

    /**
     * All expressions, in the order of the text. Adjacent ones are intersected, or both dropped if they contradict
     * each other.
     */
    List<Match> matches() {
        var matches = new ArrayList<Match>();
        for (int i = 0; i < words.size(); ) {
            Match match = words.token(i).roles().isEmpty() && words.token(i).isWord() ? null : match(i);
            if (match == null) {
                i++;
                continue;
            }
            Match last = matches.isEmpty() ? null : matches.getLast();
            if (last != null && last.to == match.from && last.span != null && match.span != null) {
                matches.removeLast();
                boolean meet = last.span.meets(match.span);
                match = new Match(
                        meet ? last.span.with(match.span) : null, last.from, match.to, FoundTime.Open.NEITHER);
            }
            matches.add(match);
            i = match.to;
        }
        matches.removeIf(match -> match.span == null);
        return matches;
    }

    private @Nullable Match match(int i) {
        if (words.is(i, WordRole.EVERY)) {
            return recurring(i);
        }
        Match range = words.is(i, WordRole.BETWEEN) ? range(i, WordRole.AND) : null;
        range = range == null && words.is(i, WordRole.FROM) ? range(i, WordRole.TO) : range;
        if (range != null) {
            return range;
        }
        Match bare = timeOrRange(i, i, 0);
        bare = bare == null ? open(i) : bare;
        if (bare != null || !words.is(i, WordRole.PREPOSITION)) {
            return bare;
        }
        int start = words.skip(i + 1, WordRole.ARTICLE);
        int preposition = words.token(i).roles().getOrDefault(WordRole.PREPOSITION, 0);
        return timeOrRange(start, start, preposition);
    }

    /** "Every Monday": recurring, so not a time. */
    private Match recurring(int i) {
        int noun = words.skip(i + 1, WordRole.ARTICLE, WordRole.ORDINAL, WordRole.CHOICE);
        boolean recurs = RECURRING.stream().anyMatch(role -> words.is(noun, role));
        return new Match(null, i, recurs ? noun + 1 : i + 1, FoundTime.Open.NEITHER);
    }

    /** A single time, or a range that starts with it: "May to July 2023", "May and June". */
    private @Nullable Match timeOrRange(int i, int from, int preposition) {
        ParsedTime read = points.point(i, preposition);
        if (read == null) {
            return null;
        }
        Match joined = joined(read, i, from, preposition);
        if (joined != null) {
            return joined;
        }
        Span span = calendar.resolve(read.time(), words.tense(i));
        return new Match(span, from, read.to(), FoundTime.Open.NEITHER);
    }

    private @Nullable Match joined(ParsedTime first, int i, int from, int preposition) {
        boolean hyphen = words.isMark(first.to(), '-') && first.form() != Form.OTHER;
        boolean and = words.is(first.to(), WordRole.AND);
        if (!hyphen && !and && !words.is(first.to(), WordRole.TO)) {
            return null;
        }
        ParsedTime second = points.point(words.skip(first.to() + 1, WordRole.ARTICLE), and ? preposition : 2);
        if (second == null) {
            return null;
        }
        if (first.form() == Form.WEEKDAY && !and) {
            return new Match(null, from, second.to(), FoundTime.Open.NEITHER);
        }
        if (!and && (first.form() != Form.DATE && first.form() != Form.YEAR || second.form() != first.form())) {
            return null;
        }
        Span[] ends = ends(first, second, i);
        boolean apart = ends.length == 0 || and && !ends[0].to().isEqual(ends[1].from());
        return apart && and ? null : new Match(apart ? null : union(ends), from, second.to(), FoundTime.Open.NEITHER);
    }

    private static Span union(Span[] ends) {
        return new Span(ends[0].from(), ends[1].to(), CalendarUnit.PART);
    }

    /** "From X to Y", "between X and Y", "from 3 to 5 May". */
    private @Nullable Match range(int i, WordRole joint) {
        int start = words.skip(i + 1, WordRole.ARTICLE, WordRole.PREPOSITION);
        ParsedTime first = points.point(start, 2);
        if (first == null) {
            return null;
        }
        if (first.form() == Form.RANGE) {
            return new Match(calendar.resolve(first.time(), words.tense(i)), i, first.to(), FoundTime.Open.NEITHER);
        }
        if (!words.is(first.to(), joint) && !words.isMark(first.to(), '-')) {
            return null;
        }
        ParsedTime second = points.point(words.skip(first.to() + 1, WordRole.ARTICLE, WordRole.PREPOSITION), 2);
        if (second == null) {
            return null;
        }
        Span[] ends = ends(first, second, i);
        return new Match(ends.length == 0 ? null : union(ends), i, second.to(), FoundTime.Open.NEITHER);
    }

    /**
     * Both ends of a range; an end without a year is the one nearest to the other end. Empty for a range that goes
     * backwards.
     */
    private Span[] ends(ParsedTime first, ParsedTime second, int i) {
        Tense tense = words.tense(i);
        Span from;
        Span to;
        if (first.time() instanceof Time.Cycle cycle
                && !(tense == Tense.FUTURE && second.time() instanceof Time.Cycle)) {
            to = calendar.resolve(second.time(), tense);
            from = to == null ? null : calendar.upTo(cycle, to);
        } else {
            from = calendar.resolve(first.time(), tense);
            to = from != null && second.time() instanceof Time.Cycle cycle
                    ? calendar.onward(cycle, from)
                    : calendar.resolve(second.time(), tense);
        }
        return from == null || to == null || !from.from().isBefore(to.from()) ? new Span[0] : new Span[] {from, to};
    }

    /** "Since", "after", "before", "until" and "by" with a time. */
    private @Nullable Match open(int i) {
        for (WordRole role : OPENING) {
            if (words.is(i, role)) {
                return open(i, role);
            }
        }
        return null;
    }

    private @Nullable Match open(int i, WordRole role) {
        int start = words.skip(i + 1, WordRole.ARTICLE, WordRole.PREPOSITION);
        ParsedTime read = points.point(start, 2);
        if (read == null && role == WordRole.SINCE) {
            RelativeTimeParser.Count count = points.count(start);
            return count == null
                    ? null
                    : new Match(calendar.rolling(count.most(), count.unit(), -1), i, count.to(), FoundTime.Open.END);
        }
        if (read == null || role == WordRole.BY && read.form() == Form.YEAR) {
            return null;
        }
        Tense tense = role == WordRole.BY ? Tense.FUTURE : role == WordRole.SINCE ? Tense.PAST : words.tense(i);
        Span span = calendar.resolve(read.time(), tense);
        FoundTime.Open open =
                role == WordRole.SINCE || role == WordRole.AFTER ? FoundTime.Open.END : FoundTime.Open.START;
        return new Match(span == null ? null : reach(role, span), i, read.to(), open);
    }

    private @Nullable Span reach(WordRole role, Span span) {
        if (role == WordRole.SINCE) {
            return calendar.since(span);
        }
        return role == WordRole.AFTER ? calendar.after(span) : calendar.before(span, role != WordRole.BEFORE);
    }
}
