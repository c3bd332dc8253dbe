package dev.parley.language.time;

import org.jspecify.annotations.Nullable;

/** Parses days, years and decades written in figures. */
final class NumericDateParser {
    private final Sentence words;
    private final Calendar calendar;

    NumericDateParser(Sentence words, Calendar calendar) {
        this.words = words;
        this.calendar = calendar;
    }

    /** Whether a number is a plausible year. */
    static boolean isYear(int number) {
        return number >= 1000 && number < 3000;
    }

    /** "2025-03-03", if its order is unambiguous. */
    @Nullable
    ParsedTime writtenDate(int i) {
        Token.Written date = words.token(i).date();
        return date == null || date.ambiguous() && words.isEnglish()
                ? null
                : new ParsedTime(calendar.day(date.date()), i + 1, ParsedTime.Form.DATE);
    }

    /** "3 May", "the third of May", "May 3", "3 to 5 May", "May 3-5"; {@link Narrowing} parses the year. */
    @Nullable
    ParsedTime date(int i) {
        Token token = words.token(i);
        if (token.is(WordRole.MONTH)) {
            return monthFirst(i);
        }
        int day = day(i);
        if (day < 0) {
            return null;
        }
        int next = words.isMark(i + 1, '.') ? i + 2 : i + 1;
        ParsedTime single = dayFirst(day, day, i, next);
        if (single != null) {
            return single;
        }
        boolean to = words.isMark(next, '-') || words.is(next, WordRole.TO) || words.is(next, WordRole.AND);
        int second = to ? words.skip(next + 1, WordRole.ARTICLE) : -1;
        int last = second < 0 || token.isWord() ? -1 : day(second);
        return last <= day ? null : dayFirst(day, last, i, words.isMark(second + 1, '.') ? second + 2 : second + 1);
    }

    private @Nullable ParsedTime dayFirst(int day, int last, int number, int next) {
        int month = words.skip(next, WordRole.OF);
        month = words.isMark(month, '-') ? month + 1 : month;
        if (!words.is(month, WordRole.MONTH)) {
            return null;
        }
        boolean english = words.isEnglish();
        Token token = words.token(month);
        if (words.token(number).isWord() && english && !words.is(next, WordRole.OF)) {
            return null;
        }
        boolean verb = english && !token.upper() && token.is(WordRole.WEAK) && month == next;
        if (verb && !isOrdinal(words.token(number)) && words.token(month + 1).isWord()) {
            return null;
        }
        return yearly(token, day, last, month + 1);
    }

    private @Nullable ParsedTime monthFirst(int i) {
        if (!words.isEnglish()) {
            return null;
        }
        Token token = words.token(i);
        int position = token.is(WordRole.SHORT) && words.isMark(i + 1, '.') ? i + 2 : i + 1;
        position = words.skip(position, WordRole.ARTICLE);
        int day = words.isNumber(position) ? day(position) : -1;
        if (day < 0 || words.is(position + 1, WordRole.UNIT)) {
            return null;
        }
        boolean lower = !token.upper() && token.is(WordRole.WEAK);
        boolean ordinal = isOrdinal(words.token(position));
        if (!ordinal
                && (words.is(position + 1, WordRole.COUNTED)
                        || lower && words.token(position + 1).isWord())) {
            return null;
        }
        return daysFrom(day, position, token);
    }

    /** The day at this token, or the days from it: "3", "3 to 5", but not "3 to 5 June". */
    private ParsedTime daysFrom(int day, int position, Token month) {
        boolean to = words.isMark(position + 1, '-') || words.is(position + 1, WordRole.TO);
        int second = words.skip(position + 2, WordRole.ARTICLE);
        int last = to ? day(second) : -1;
        int end = second + 1;
        boolean range = last > day
                && !words.is(end, WordRole.MONTH)
                && !(words.is(end, WordRole.OF) && words.is(end + 1, WordRole.MONTH));
        return range ? yearly(month, day, last, end) : yearly(month, day, day, position + 1);
    }

    private ParsedTime yearly(Token month, int day, int last, int to) {
        var cycle = new Time.Yearly(
                month.roles().getOrDefault(WordRole.MONTH, 1),
                day,
                0,
                last - day + 1,
                day == last ? CalendarUnit.DAY : CalendarUnit.PART);
        Time time = cycle.exists() ? cycle : Time.Never.NEVER;
        return new ParsedTime(time, to, day == last ? ParsedTime.Form.DATE : ParsedTime.Form.RANGE);
    }

    /** The day of a month at this token, or -1. */
    int day(int i) {
        Token token = words.token(i);
        if (token.kind() != Token.Kind.NUMBER) {
            int ordinal = words.value(i, WordRole.ORDINAL, -1);
            return ordinal > 0 && ordinal < 9 ? ordinal : -1;
        }
        boolean fits = token.digits() <= 2 && token.number() >= 1 && token.number() <= 31;
        return fits && (token.text().isEmpty() || isOrdinal(token)) ? token.number() : -1;
    }

    /** "3rd", "1er". */
    static boolean isOrdinal(Token token) {
        return token.kind() == Token.Kind.NUMBER
                && !token.text().isEmpty()
                && !token.text().equals("s");
    }

    /** "2019", "the nineties"; a year only after a preposition. */
    @Nullable
    ParsedTime decadeOrYear(int i, int preposition) {
        Token token = words.token(i);
        if (token.kind() != Token.Kind.NUMBER) {
            int decade = words.value(i, WordRole.DECADE, -1);
            boolean isDecade = decade > 0 && isDecadeBefore(i);
            return isDecade ? ParsedTime.ofSpan(calendar.decade(decade), i + 1) : preposition == 2 ? yearWord(i) : null;
        }
        if (token.text().equals("s") || token.text().equals("er") || isDecades(i)) {
            return decade(i);
        }
        ParsedTime year = preposition == 2 ? year(i, false) : null;
        return year != null && words.isMark(i + 1, '-') && year.time() instanceof Span span
                ? monthOf(span, i + 2, year)
                : year;
    }

    /** "2025-03", otherwise the year. */
    private ParsedTime monthOf(Span year, int i, ParsedTime fallback) {
        int month = words.token(i).digits() == 2 ? words.token(i).number() : -1;
        boolean fits = month >= 1 && month <= 12;
        return fits
                ? new ParsedTime(
                        calendar.around(
                                CalendarUnit.MONTH, year.from().toLocalDate().withMonth(month)),
                        i + 1,
                        ParsedTime.Form.DATE)
                : fallback;
    }

    /** Whether "les années" or "gli anni" precedes. */
    private boolean isDecades(int i) {
        return words.is(words.isMark(i - 1, '\'') ? i - 2 : i - 1, WordRole.DECADES);
    }

    private boolean isDecadeBefore(int i) {
        int before = words.isMark(i - 1, '-') ? i - 2 : i - 1;
        return isDecades(i) || words.is(before, WordRole.ARTICLE) || words.is(before, WordRole.THIRD);
    }

    /** "The year 2019". */
    private @Nullable ParsedTime yearWord(int i) {
        return words.is(i, WordRole.UNIT) && words.unit(i) == CalendarUnit.YEAR ? year(i + 1, false) : null;
    }

    /** "The 1990s", "the 90s", "die 90er", "les années 90". */
    private @Nullable ParsedTime decade(int i) {
        Token token = words.token(i);
        if (token.kind() != Token.Kind.NUMBER || token.number() % 10 != 0) {
            return null;
        }
        boolean introduced =
                isDecadeBefore(i) || words.isMark(i - 1, '\'') || token.text().equals("er");
        int first = token.digits() == 4 ? token.number() : 1900 + token.number();
        boolean fits = token.digits() == 4
                ? isRecent(token.number())
                : token.digits() == 2 && token.number() >= 30 && introduced;
        int to = words.is(i + 1, WordRole.UNIT) && words.unit(i + 1) == CalendarUnit.YEAR ? i + 2 : i + 1;
        return fits ? ParsedTime.ofSpan(calendar.decade(first), to) : null;
    }

    /**
     * A year in digits. Alone it must be near the reference; with a month any year is accepted, and an invalid one
     * voids both.
     */
    @Nullable
    ParsedTime year(int i, boolean adjacent) {
        int position = adjacent && (words.isMark(i, ',') || words.isMark(i, '-')) ? i + 1 : i;
        position = adjacent ? words.skip(position, WordRole.OF, WordRole.ARTICLE) : position;
        position = adjacent && words.is(position, WordRole.UNIT) && words.unit(position) == CalendarUnit.YEAR
                ? position + 1
                : position;
        Token token = words.token(position);
        if (token.kind() != Token.Kind.NUMBER
                || token.digits() != 4
                || !token.text().isEmpty()) {
            return null;
        }
        if (!adjacent && (!isRecent(token.number()) || words.isCounted(position + 1))) {
            return null;
        }
        if (!isYear(token.number())) {
            return new ParsedTime(Time.Never.NEVER, position + 1, ParsedTime.Form.YEAR);
        }
        return new ParsedTime(calendar.year(token.number()), position + 1, ParsedTime.Form.YEAR);
    }

    private boolean isRecent(int year) {
        int now = calendar.today.getYear();
        return year >= now - 120 && year <= now + 20;
    }
}
