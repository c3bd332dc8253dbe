package dev.parley.language.time;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/**
 * Parses single times: "yesterday", "two weeks ago", "3 May", "Tuesday of last week", "early May 2024". Each method
 * parses the time that starts at a token, or returns null.
 */
final class SingleTimeParser {
    /** Maximum nesting: "the morning of the first day of late May". */
    private static final int DEPTH = 4;

    private final Sentence words;
    private final Calendar calendar;
    private final NumericDateParser figures;
    private final RelativeTimeParser choices;
    private final NamedTimeParser names;
    private final Narrowing narrowing;

    SingleTimeParser(Sentence words, Calendar calendar) {
        this.words = words;
        this.calendar = calendar;
        figures = new NumericDateParser(words, calendar);
        choices = new RelativeTimeParser(words, calendar, figures);
        names = new NamedTimeParser(words, figures, choices);
        narrowing = new Narrowing(words, calendar, figures, choices, names);
    }

    /**
     * The time that starts at this token; null if there is none.
     *
     * @param preposition the preceding word: 0 for none, 1 for one like "on", 2 for one like "in" or "since", which can
     *     precede months and years on their own
     */
    @Nullable
    ParsedTime point(int i, int preposition) {
        return point(i, preposition, DEPTH);
    }

    @Nullable
    ParsedTime point(int i, int preposition, int depth) {
        if (depth == 0) {
            return null;
        }
        ParsedTime read = simple(i, preposition, depth);
        return read == null ? null : narrowing.narrow(read, depth);
    }

    private @Nullable ParsedTime simple(int i, int preposition, int depth) {
        Token token = words.token(i);
        if (token.kind() == Token.Kind.DATE) {
            return figures.writtenDate(i);
        }
        if (token.kind() != Token.Kind.NUMBER
                && (!token.isWord() || token.roles().isEmpty())) {
            return null;
        }
        ParsedTime read = relative(i, depth);
        return read != null ? read : named(i, preposition);
    }

    /** A time by its relation to today or to another time. */
    private @Nullable ParsedTime relative(int i, int depth) {
        ParsedTime read = choices.near(i);
        read = read != null ? read : counted(i, depth);
        read = read != null ? read : ordinal(i, depth);
        read = read != null ? read : third(i, depth);
        read = read != null ? read : side(i);
        read = read != null ? read : around(i, depth);
        return read != null ? read : choices.chosen(i);
    }

    /** A time by its date or name. */
    private @Nullable ParsedTime named(int i, int preposition) {
        ParsedTime read = figures.date(i);
        read = read != null ? read : dayOf(i);
        read = read != null ? read : names.month(i, preposition);
        read = read != null ? read : names.weekday(i, preposition);
        read = read != null ? read : names.season(i, preposition);
        read = read != null ? read : names.holiday(i, preposition);
        return read != null ? read : figures.decadeOrYear(i, preposition);
    }

    /** A count of units, such as "two weeks". */
    RelativeTimeParser.@Nullable Count count(int i) {
        return choices.count(i);
    }

    /** "Two weeks ago", "vor zwei Wochen", "in two weeks", "two days after Easter". */
    private @Nullable ParsedTime counted(int i, int depth) {
        RelativeTimeParser.Count past = words.is(i, WordRole.AGO_BEFORE) ? choices.count(i + 1) : null;
        if (past != null) {
            return agoBefore(past);
        }
        RelativeTimeParser.Count ahead = words.is(i, WordRole.AHEAD_BEFORE) ? choices.count(i + 1) : null;
        if (ahead != null && words.isEnglish() && words.is(ahead.to(), WordRole.FROM)) {
            return shifted(ahead.to(), ahead.unit(), ahead.least(), depth);
        }
        if (ahead != null && !words.is(ahead.to(), WordRole.AGO) && (!words.isEnglish() || words.looksAhead(i))) {
            return ParsedTime.ofSpan(calendar.away(ahead.least(), ahead.most(), ahead.unit(), 1), ahead.to());
        }
        RelativeTimeParser.Count count = choices.count(words.is(i, WordRole.HALF) ? i + 1 : i);
        return count == null ? daysAgo(i) : counted(i, count, depth);
    }

    /** "Vor zwei Wochen", "il y a deux semaines". */
    private ParsedTime agoBefore(RelativeTimeParser.Count count) {
        if (words.is(count.to(), WordRole.AND) && words.is(count.to() + 1, WordRole.HALF)) {
            return new ParsedTime(Time.Never.NEVER, count.to() + 2, ParsedTime.Form.OTHER);
        }
        return ParsedTime.ofSpan(calendar.away(count.least(), count.most(), count.unit(), -1), count.to());
    }

    /**
     * A count with its continuation: "half an hour ago", "two weeks ago", "two weeks later", "two days after Easter".
     */
    private @Nullable ParsedTime counted(int i, RelativeTimeParser.Count count, int depth) {
        if (words.is(i, WordRole.HALF)) {
            return halfAgo(count);
        }
        if (words.is(count.to(), WordRole.AGO)) {
            return ParsedTime.ofSpan(
                    words.value(i, WordRole.ABOUT, 0) == 1
                            ? calendar.rolling(count.most(), count.unit(), -1)
                            : calendar.away(count.least(), count.most(), count.unit(), -1),
                    count.to() + 1);
        }
        if (words.is(count.to(), WordRole.AHEAD)) {
            return ParsedTime.ofSpan(calendar.away(count.least(), count.most(), count.unit(), 1), count.to() + 1);
        }
        return count.least() == count.most() ? shifted(count.to(), count.unit(), count.least(), depth) : null;
    }

    /** "Half an hour ago", "half a year ago". */
    private @Nullable ParsedTime halfAgo(RelativeTimeParser.Count count) {
        if (!words.is(count.to(), WordRole.AGO) || count.most() > 1) {
            return null;
        }
        return switch (count.unit()) {
            case HOUR -> ParsedTime.ofSpan(calendar.away(30, 30, CalendarUnit.MINUTE, -1), count.to() + 1);
            case YEAR -> ParsedTime.ofSpan(calendar.away(6, 6, CalendarUnit.MONTH, -1), count.to() + 1);
            case MINUTE, DAY, WEEK, MONTH, QUARTER, DECADE, WEEKEND, SEASON, PART ->
                new ParsedTime(Time.Never.NEVER, count.to() + 1, ParsedTime.Form.OTHER);
        };
    }

    /** "Two nights ago", "three Mondays ago". */
    private @Nullable ParsedTime daysAgo(int i) {
        RelativeTimeParser.Count amount = choices.amount(i);
        if (amount == null || amount.least() != amount.most() || !words.is(amount.to() + 1, WordRole.AGO)) {
            return null;
        }
        int weekday = words.value(amount.to(), WordRole.WEEKDAYS, -1);
        if (weekday > 0) {
            LocalDate latest = calendar.today.with(TemporalAdjusters.previous(DayOfWeek.of(weekday)));
            return ParsedTime.ofSpan(calendar.day(latest.minusWeeks(amount.most() - 1L)), amount.to() + 2);
        }
        return words.value(amount.to(), WordRole.PART, -1) == 3
                ? ParsedTime.ofSpan(
                        calendar.part(calendar.relative(CalendarUnit.DAY, -amount.most()), 3), amount.to() + 2)
                : null;
    }

    /** "Two days before Christmas", "the week after 3 May". */
    private @Nullable ParsedTime shifted(int i, CalendarUnit unit, int count, int depth) {
        boolean before = words.is(i, WordRole.BEFORE);
        boolean from = words.isEnglish() && words.is(i, WordRole.FROM);
        if (!before && !from && !words.is(i, WordRole.AFTER)) {
            return null;
        }
        ParsedTime anchor = point(words.skip(i + 1, WordRole.ARTICLE), 2, depth - 1);
        Span span = anchor == null ? null : calendar.resolve(anchor.time(), words.tense(i));
        if (anchor == null || span == null || unit == CalendarUnit.MINUTE || unit == CalendarUnit.HOUR) {
            return null;
        }
        LocalDate day =
                before ? span.from().toLocalDate() : span.to().toLocalDate().minusDays(1);
        return ParsedTime.ofSpan(calendar.around(unit, Calendar.plus(day, unit, before ? -count : count)), anchor.to());
    }

    /** "The first week of June", "the last Friday in May", "the second half of 2024", "the third quarter of 2024". */
    private @Nullable ParsedTime ordinal(int i, int depth) {
        int ordinal = words.value(i, WordRole.ORDINAL, -1);
        Token token = words.token(i);
        if (token.kind() == Token.Kind.NUMBER && token.number() <= 5 && NumericDateParser.isOrdinal(token)) {
            ordinal = token.number();
        }
        if (ordinal < 1) {
            return null;
        }
        boolean isHalf = words.is(i + 1, WordRole.HALF);
        if (!isHalf && !words.is(i + 1, WordRole.UNIT) && !words.is(i + 1, WordRole.WEEKDAY)) {
            return null;
        }
        ParsedTime whole = whole(i + 2, depth);
        Span span = whole == null ? null : calendar.resolve(whole.time(), words.tense(i));
        if (whole == null || span == null) {
            return null;
        }
        Span part = isHalf ? SpanParts.half(span, ordinal) : nth(span, ordinal, i + 1);
        return part == null ? null : ParsedTime.ofSpan(part, whole.to());
    }

    private @Nullable Span nth(Span span, int ordinal, int noun) {
        int weekday = words.value(noun, WordRole.WEEKDAY, -1);
        return weekday < 0
                ? SpanParts.nth(span, words.unit(noun), ordinal)
                : SpanParts.nthWeekday(span, weekday, ordinal);
    }

    private @Nullable ParsedTime whole(int i, int depth) {
        int start = words.skip(i, WordRole.OF, WordRole.PREPOSITION, WordRole.ARTICLE);
        boolean introduced = start > i || words.isNumber(start);
        return introduced ? current(start, depth) : null;
    }

    /** A span that has parts; "the month" is the current one. */
    private @Nullable ParsedTime current(int start, int depth) {
        ParsedTime read = point(start, 2, depth - 1);
        if (read != null
                || !words.is(start - 1, WordRole.ARTICLE) && !words.is(start - 1, WordRole.OF)
                || !words.is(start, WordRole.UNIT)) {
            return read;
        }
        CalendarUnit unit = words.unit(start);
        return unit == CalendarUnit.WEEK || unit == CalendarUnit.MONTH || unit == CalendarUnit.YEAR
                ? ParsedTime.ofSpan(calendar.relative(unit, 0), start + 1)
                : null;
    }

    /** "The 15th of last month". */
    private @Nullable ParsedTime dayOf(int i) {
        int day = figures.day(i);
        int start = words.skip(i + 1, WordRole.OF, WordRole.ARTICLE);
        ParsedTime month = day < 0 || start == i + 1 ? null : choices.chosen(start);
        if (month == null || !(month.time() instanceof Span span) || span.unit() != CalendarUnit.MONTH) {
            return null;
        }
        LocalDate date = span.from().toLocalDate().plusDays(day - 1L);
        return date.isBefore(span.to().toLocalDate())
                ? new ParsedTime(calendar.day(date), month.to(), ParsedTime.Form.DATE)
                : new ParsedTime(Time.Never.NEVER, month.to(), ParsedTime.Form.DATE);
    }

    /** "Early May", "mid-2024", "the end of last year". */
    private @Nullable ParsedTime third(int i, int depth) {
        int third = words.value(i, WordRole.THIRD, -1);
        if (third < 0) {
            return null;
        }
        int next = words.isMark(i + 1, '-') ? i + 2 : i + 1;
        ParsedTime whole = current(words.skip(next, WordRole.PREPOSITION, WordRole.OF, WordRole.ARTICLE), depth);
        Span span = whole == null ? null : calendar.resolve(whole.time(), words.tense(i));
        Span part = span == null ? null : SpanParts.third(span, third);
        return part == null || whole == null ? null : new ParsedTime(part, whole.to(), ParsedTime.Form.DATE);
    }

    /** "Earlier this week", "later today". */
    private @Nullable ParsedTime side(int i) {
        int side = words.value(i, WordRole.SIDE, -1);
        ParsedTime whole = side < 0 ? null : choices.near(i + 1);
        whole = whole == null && side >= 0 && words.is(i + 1, WordRole.CHOICE) ? choices.chosen(i + 1) : whole;
        return whole != null && whole.time() instanceof Span span && calendar.side(span, side) instanceof Span part
                ? ParsedTime.ofSpan(part, whole.to())
                : null;
    }

    /** "The week of 3 May", "the morning of 3 May", "the day before Christmas", "the Sunday before 25 May". */
    private @Nullable ParsedTime around(int i, int depth) {
        if (words.is(i + 1, WordRole.OF)) {
            return ofDay(i, depth);
        }
        if (words.is(i, WordRole.UNIT)) {
            CalendarUnit unit = words.unit(i);
            boolean clock = unit == CalendarUnit.MINUTE || unit == CalendarUnit.HOUR;
            return clock ? null : shifted(i + 1, unit, 1, depth);
        }
        return words.is(i, WordRole.WEEKDAY) || words.is(i, WordRole.PART) ? beside(i, depth) : null;
    }

    /** "The Sunday before 25 May", "the night before Christmas". */
    private @Nullable ParsedTime beside(int i, int depth) {
        boolean before = words.is(i + 1, WordRole.BEFORE);
        if (!before && !words.is(i + 1, WordRole.AFTER)) {
            return null;
        }
        ParsedTime day = point(words.skip(i + 2, WordRole.ARTICLE), 1, depth - 1);
        Span span = day == null ? null : calendar.resolve(day.time(), words.tense(i));
        if (day == null || span == null || span.unit() != CalendarUnit.DAY) {
            return null;
        }
        LocalDate date = span.from().toLocalDate();
        if (words.is(i, WordRole.PART)) {
            Span next = calendar.day(date.plusDays(before ? -1 : 1));
            return ParsedTime.ofSpan(calendar.part(next, words.value(i, WordRole.PART, 0)), day.to());
        }
        DayOfWeek weekday = DayOfWeek.of(words.value(i, WordRole.WEEKDAY, 1));
        date = date.with(before ? TemporalAdjusters.previous(weekday) : TemporalAdjusters.next(weekday));
        return ParsedTime.ofSpan(calendar.day(date), day.to());
    }

    private @Nullable ParsedTime ofDay(int i, int depth) {
        boolean week = words.is(i, WordRole.UNIT)
                && (words.unit(i) == CalendarUnit.WEEK || words.unit(i) == CalendarUnit.WEEKEND);
        if (!week && !words.is(i, WordRole.PART)) {
            return null;
        }
        ParsedTime day = point(words.skip(i + 1, WordRole.OF, WordRole.ARTICLE), 1, depth - 1);
        Span span = day == null ? null : calendar.resolve(day.time(), words.tense(i));
        if (day == null || span == null || span.unit() != CalendarUnit.DAY) {
            return null;
        }
        return ParsedTime.ofSpan(
                week
                        ? calendar.around(words.unit(i), span.from().toLocalDate())
                        : calendar.part(span, words.value(i, WordRole.PART, 0)),
                day.to());
    }
}
