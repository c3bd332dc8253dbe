package dev.parley.domain.memory.time;

import dev.parley.domain.memory.time.Calendar.Choice;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads single times: "yesterday", "two weeks ago", "3 May", "Tuesday of last week", "early May 2024". Each method reads
 * what begins at a token, or answers null.
 */
final class Points {
    /** How deep times stand in one another: "the morning of the first day of late May". */
    private static final int DEPTH = 4;
    /** Tokens that are searched for what says whether a sentence looks back or ahead. */
    private static final int SIGHT = 40;
    /** How many words before "in three days" may say that it is still to come. */
    private static final int CUE = 6;
    /** Nobody means more of anything. */
    private static final int MOST = 999;

    private final List<Token> tokens;
    private final Language language;
    private final Calendar calendar;
    private final boolean question;

    Points(List<Token> tokens, Language language, Calendar calendar, boolean question) {
        this.tokens = tokens;
        this.language = language;
        this.calendar = calendar;
        this.question = question;
    }

    /**
     * A time that was read.
     *
     * @param to index of the token behind it
     * @param form what it is written as
     */
    record Read(Time time, int to, Form form) {}

    /** What a time is written as, as far as ranges are made of it. */
    enum Form {
        /** "3 to 5 May". */
        RANGE,
        /** Has a day or a month in it. */
        DATE,
        YEAR,
        WEEKDAY,
        OTHER
    }

    /** Whether a number is a year that texts speak of. */
    static boolean isYear(int number) {
        return number >= 1000 && number < 3000;
    }

    /**
     * The time that begins here.
     *
     * @param led what stands before it: 0 nothing that belongs to it, 1 a word as "on", 2 one as "in" or "since", which
     *     also bears months and years alone
     */
    @Nullable
    Read point(int i, int led) {
        return point(i, led, DEPTH);
    }

    private @Nullable Read point(int i, int led, int depth) {
        if (i >= tokens.size() || depth == 0) {
            return null;
        }
        Read read = simple(i, led, depth);
        return read == null ? null : extended(read, depth);
    }

    private @Nullable Read simple(int i, int led, int depth) {
        Token token = tokens.get(i);
        if (token.kind() == Token.Kind.MARK || token.kind() == Token.Kind.OTHER) {
            return null;
        }
        if (token.kind() == Token.Kind.DATE) {
            return written(i);
        }
        if (token.isWord() && token.roles().isEmpty()) {
            return null;
        }
        Read read = near(i);
        read = read != null ? read : counted(i, depth);
        read = read != null ? read : ordinal(i, depth);
        read = read != null ? read : third(i, depth);
        read = read != null ? read : side(i);
        read = read != null ? read : around(i, depth);
        read = read != null ? read : chosen(i);
        read = read != null ? read : date(i);
        read = read != null ? read : month(i, led);
        read = read != null ? read : weekday(i, led);
        read = read != null ? read : season(i, led);
        read = read != null ? read : holiday(i, led);
        return read != null ? read : decadeOrYear(i, led);
    }

    // words for days near today

    private @Nullable Read near(int i) {
        int offset = value(i, Role.OFFSET, Integer.MIN_VALUE);
        if (offset != Integer.MIN_VALUE && !isMorning(i)) {
            return fixed(calendar.relative(Unit.DAY, offset), i + 1);
        }
        int part = value(i, Role.NEAR_PART, -1);
        if (part >= 0) {
            return fixed(calendar.part(calendar.relative(Unit.DAY, part / 10 - 2), part % 10), i + 1);
        }
        int shift = value(i, Role.SHIFT, -1);
        return shift < 0 ? null : fixed(calendar.relative(Unit.values()[shift / 10], shift % 10 - 5), i + 1);
    }

    /** "Mañana" and "Morgen" are tomorrow, but not in "la mañana" and not as a noun. */
    private boolean isMorning(int i) {
        if (!is(i, Role.PART)) {
            return false;
        }
        return is(i - 1, Role.ARTICLE)
                || is(i - 1, Role.CHOICE)
                || (i > 0 && tokens.get(i).upper() && !startsSentence(i));
    }

    // so many units away

    private @Nullable Read counted(int i, int depth) {
        Count behind = is(i, Role.AGO_BEFORE) ? count(i + 1) : null;
        if (behind != null) {
            return fixed(calendar.away(behind.least, behind.most, behind.unit, -1), behind.to);
        }
        Count ahead = is(i, Role.AHEAD_BEFORE) ? count(i + 1) : null;
        if (ahead != null && language == Language.ENGLISH && is(ahead.to, Role.FROM)) {
            return shifted(ahead.to, ahead.unit, ahead.least, depth);
        }
        if (ahead != null && !is(ahead.to, Role.AGO) && (language != Language.ENGLISH || looksAhead(i))) {
            return fixed(calendar.away(ahead.least, ahead.most, ahead.unit, 1), ahead.to);
        }
        Count count = count(i);
        if (count == null) {
            return null;
        }
        if (is(count.to, Role.AGO)) {
            return fixed(calendar.away(count.least, count.most, count.unit, -1), count.to + 1);
        }
        if (is(count.to, Role.AHEAD)) {
            return fixed(calendar.away(count.least, count.most, count.unit, 1), count.to + 1);
        }
        return count.least == count.most ? shifted(count.to, count.unit, count.least, depth) : null;
    }

    /** "In three days" is ahead only where the sentence is or where it begins with it: all else may take that long. */
    private boolean looksAhead(int i) {
        boolean cue = false;
        for (int k = Math.max(0, i - CUE); k < i; k++) {
            cue |= is(k, Role.FUTURE);
        }
        return startsSentence(i) || cue && future(i, false);
    }

    /** "Two days before Christmas", "the week after 3 May". */
    private @Nullable Read shifted(int i, Unit unit, int count, int depth) {
        boolean before = is(i, Role.BEFORE);
        boolean from = language == Language.ENGLISH && is(i, Role.FROM);
        if (!before && !from && !is(i, Role.AFTER)) {
            return null;
        }
        Read anchor = point(skip(i + 1, Role.ARTICLE), 2, depth - 1);
        Span span = anchor == null ? null : resolve(anchor.time, i, future(i));
        if (anchor == null || span == null || unit == Unit.MINUTE || unit == Unit.HOUR) {
            return null;
        }
        LocalDate day =
                before ? span.from().toLocalDate() : span.to().toLocalDate().minusDays(1);
        return fixed(calendar.around(unit, Calendar.plus(day, unit, before ? -count : count)), anchor.to);
    }

    /** So many units; from least to most where the words are vague. */
    record Count(int least, int most, Unit unit, int to) {
        private Count of(Unit counted, int end) {
            return new Count(least, most, counted, end);
        }
    }

    /** "Two weeks", "about a month", "a few days". */
    @Nullable
    Count count(int i) {
        Count amount = amount(i);
        return amount == null || !is(amount.to, Role.UNIT) ? null : amount.of(unit(amount.to), amount.to + 1);
    }

    private @Nullable Count amount(int i) {
        int at = is(i, Role.ABOUT) && !is(i, Role.VAGUE) ? i + 1 : i;
        Token token = at < tokens.size() ? tokens.get(at) : null;
        if (token == null) {
            return null;
        }
        int vague = value(at, Role.VAGUE, -1);
        if (vague >= 0) {
            return new Count(new int[] {1, 2, 3}[vague], new int[] {3, 5, 7}[vague], Unit.DAY, at + 1);
        }
        if (token.kind() == Token.Kind.NUMBER && token.text().isEmpty() && token.number() > 0) {
            return token.number() > MOST ? null : new Count(token.number(), token.number(), Unit.DAY, at + 1);
        }
        int number = value(at, Role.NUMBER, -1);
        if (number < 0) {
            return null;
        }
        int next = isMark(at + 1, '-') ? at + 2 : at + 1;
        int ones = number >= 20 && number < 100 ? value(next, Role.NUMBER, 10) : 10;
        return ones < 10
                ? new Count(number + ones, number + ones, Unit.DAY, next + 1)
                : new Count(number, number, Unit.DAY, at + 1);
    }

    // parts of times

    /** "The first week of June", "the last Friday in May", "the second half of 2024", "the third quarter of 2024". */
    private @Nullable Read ordinal(int i, int depth) {
        int place = value(i, Role.ORDINAL, -1);
        Token token = tokens.get(i);
        if (token.kind() == Token.Kind.NUMBER && token.number() <= 5 && isOrdinal(token)) {
            place = token.number();
        }
        if (place < 1) {
            return null;
        }
        boolean half = is(i + 1, Role.HALF);
        if (!half && !is(i + 1, Role.UNIT) && !is(i + 1, Role.WEEKDAY)) {
            return null;
        }
        Read whole = whole(i + 2, depth);
        Span span = whole == null ? null : resolve(whole.time, i, future(i));
        if (whole == null || span == null) {
            return null;
        }
        Span part = half ? half(span, place) : place(span, place, i + 1);
        return part == null ? null : fixed(part, whole.to);
    }

    private @Nullable Read whole(int i, int depth) {
        int at = skip(i, Role.OF, Role.PREPOSITION, Role.ARTICLE);
        boolean near = at > i || (at < tokens.size() && tokens.get(at).kind() == Token.Kind.NUMBER);
        return near ? current(at, depth) : null;
    }

    /** A time that has parts, also "the month" for the current one. */
    private @Nullable Read current(int at, int depth) {
        Read read = point(at, 2, depth - 1);
        if (read != null || !is(at - 1, Role.ARTICLE) && !is(at - 1, Role.OF) || !is(at, Role.UNIT)) {
            return read;
        }
        Unit unit = unit(at);
        return unit == Unit.WEEK || unit == Unit.MONTH || unit == Unit.YEAR
                ? fixed(calendar.relative(unit, 0), at + 1)
                : null;
    }

    private @Nullable Span half(Span span, int place) {
        LocalDate from = span.from().toLocalDate();
        LocalDate to = span.to().toLocalDate();
        LocalDate middle = switch (span.unit()) {
            case MONTH -> from.plusDays(15);
            case YEAR -> from.plusMonths(6);
            case DECADE -> from.plusYears(5);
            case MINUTE, HOUR, DAY, WEEK, WEEKEND, QUARTER, SEASON, PART -> null;
        };
        if (middle == null || (place > 2 && place != 9)) {
            return null;
        }
        return place == 1 ? calendar.days(from, middle, Unit.PART) : calendar.days(middle, to, Unit.PART);
    }

    private @Nullable Span place(Span span, int place, int noun) {
        LocalDate from = span.from().toLocalDate();
        LocalDate to = span.to().toLocalDate();
        if (is(noun, Role.WEEKDAY)) {
            var cycle = new Time.Weekly(value(noun, Role.WEEKDAY, 1), 1);
            LocalDate day = place == 9 ? to.minusDays(7) : from.plusWeeks(place - 1L);
            LocalDate hit = day.plusDays(
                    Math.floorMod(cycle.weekday() - day.getDayOfWeek().getValue(), 7));
            return hit.isBefore(to) && span.unit() == Unit.MONTH ? calendar.day(hit) : null;
        }
        Unit unit = unit(noun);
        if (unit == Unit.WEEKEND) {
            LocalDate saturday =
                    from.plusDays(Math.floorMod(6 - from.getDayOfWeek().getValue(), 7));
            saturday = place == 9
                    ? to.minusDays(7 - Math.floorMod(6 - to.getDayOfWeek().getValue(), 7))
                    : saturday.plusWeeks(place - 1L);
            return saturday.isBefore(to) && span.unit() == Unit.MONTH ? calendar.around(unit, saturday) : null;
        }
        if (unit == Unit.MINUTE || unit == Unit.HOUR || unit == Unit.DECADE || span.unit() == unit) {
            return null;
        }
        LocalDate begin = place == 9 ? Calendar.plus(to, unit, -1) : Calendar.plus(from, unit, place - 1L);
        LocalDate end = Calendar.plus(begin, unit, 1);
        return begin.isBefore(from) || end.isAfter(to) ? null : calendar.days(begin, end, unit);
    }

    /** "Early May", "mid-2024", "the end of last year". */
    private @Nullable Read third(int i, int depth) {
        int third = value(i, Role.THIRD, -1);
        if (third < 0) {
            return null;
        }
        int at = isMark(i + 1, '-') ? i + 2 : i + 1;
        Read whole = current(skip(at, Role.PREPOSITION, Role.OF, Role.ARTICLE), depth);
        Span span = whole == null ? null : resolve(whole.time, i, future(i));
        Span part = span == null ? null : calendar.third(span, third);
        return part == null || whole == null ? null : new Read(part, whole.to, Form.DATE);
    }

    /** "Earlier this week", "later today". */
    private @Nullable Read side(int i) {
        int side = value(i, Role.SIDE, -1);
        Read whole = side < 0 || i + 1 >= tokens.size() ? null : near(i + 1);
        whole = whole == null && side >= 0 && is(i + 1, Role.CHOICE) ? chosen(i + 1) : whole;
        return whole != null && whole.time instanceof Span span && calendar.side(span, side) instanceof Span part
                ? fixed(part, whole.to)
                : null;
    }

    /** "The week of 3 May", "the weekend of Halloween", "the morning of 3 May", "the day before Christmas". */
    private @Nullable Read around(int i, int depth) {
        if (is(i, Role.UNIT)) {
            Unit unit = unit(i);
            boolean days = unit == Unit.DAY || unit == Unit.WEEK || unit == Unit.MONTH || unit == Unit.YEAR;
            Read shifted = days ? shifted(i + 1, unit, 1, depth) : null;
            if (shifted != null || (unit != Unit.WEEK && unit != Unit.WEEKEND) || !is(i + 1, Role.OF)) {
                return shifted;
            }
            Read day = point(skip(i + 1, Role.OF, Role.ARTICLE), 1, depth - 1);
            Span span = day == null ? null : resolve(day.time, i, future(i));
            return day == null || span == null || span.unit() != Unit.DAY
                    ? null
                    : fixed(calendar.around(unit, span.from().toLocalDate()), day.to);
        }
        if (is(i, Role.PART) && is(i + 1, Role.OF)) {
            Read day = point(skip(i + 1, Role.OF, Role.ARTICLE), 1, depth - 1);
            Span span = day == null ? null : resolve(day.time, i, future(i));
            return day == null || span == null || span.unit() != Unit.DAY
                    ? null
                    : fixed(calendar.part(span, value(i, Role.PART, 0)), day.to);
        }
        return null;
    }

    // the last, this, the next

    /** "Last week", "la semaine dernière", "the past three days", "next summer", "this evening". */
    private @Nullable Read chosen(int i) {
        Choice choice = choice(i, Role.CHOICE);
        int noun = choice == null ? i : i + 1;
        Choice second = choice == null ? null : choice(noun, Role.CHOICE);
        if (second != null && choice == Choice.THIS) {
            choice = second;
            noun++;
        }
        Count rolling = choice == null ? trailing(i) : count(noun);
        rolling = rolling == null && choice == Choice.THIS ? trailing(noun) : rolling;
        if (rolling != null) {
            Choice way = choice == null || choice == Choice.THIS ? choice(rolling.to - 2, Role.CHOICE) : choice;
            return way == null ? null : rolling(way, rolling);
        }
        Choice after = choice(noun + 1, Role.CHOICE_AFTER);
        if (after != null) {
            choice = after;
        }
        return choice == null ? null : noun(choice, noun, after == null ? noun + 1 : noun + 2);
    }

    /** "Trois derniers jours": the choice stands between the number and the unit. */
    private @Nullable Count trailing(int i) {
        Count amount = amount(i);
        return amount != null && is(amount.to, Role.CHOICE) && is(amount.to + 1, Role.UNIT)
                ? amount.of(unit(amount.to + 1), amount.to + 2)
                : null;
    }

    private @Nullable Read rolling(Choice choice, Count count) {
        return switch (choice) {
            case LAST, PAST -> fixed(calendar.rolling(count.most, count.unit, -1), count.to);
            case NEXT, COMING -> fixed(calendar.rolling(count.most, count.unit, 1), count.to);
            case THIS -> null;
        };
    }

    private @Nullable Read noun(Choice choice, int i, int to) {
        if (is(i, Role.UNIT) && !isMark(i, '-')) {
            return unit(choice, i, to);
        }
        if (is(i, Role.PART)) {
            boolean noun = choice == Choice.THIS;
            return noun ? fixed(calendar.part(calendar.relative(Unit.DAY, 0), value(i, Role.PART, 0)), to) : null;
        }
        Time.Cycle cycle = cycle(i);
        if (cycle == null || isNoTime(i, choice, to)) {
            return null;
        }
        Span span = calendar.chosen(cycle, choice);
        return span == null ? null : new Read(span, to, is(i, Role.MONTH) ? Form.DATE : Form.OTHER);
    }

    private @Nullable Read unit(Choice choice, int i, int to) {
        Unit unit = unit(i);
        boolean clock = unit == Unit.MINUTE || unit == Unit.HOUR || unit == Unit.DAY;
        boolean rolling = choice == Choice.PAST
                || unit == Unit.DECADE && choice == Choice.LAST
                || language == Language.ENGLISH && choice == Choice.LAST && is(i - 2, Role.ARTICLE)
                || unit == Unit.HOUR && choice == Choice.LAST;
        if (unit == Unit.MINUTE || (clock && !rolling)) {
            return null;
        }
        if (rolling && unit != Unit.WEEKEND) {
            return fixed(calendar.rolling(1, unit, -1), to);
        }
        return fixed(
                calendar.relative(
                        unit,
                        switch (choice) {
                            case LAST, PAST -> -1;
                            case THIS -> 0;
                            case NEXT, COMING -> 1;
                        }),
                to);
    }

    /** "The last may be", "this may be", "the last march": words that also are something else. */
    private boolean isNoTime(int i, Choice choice, int to) {
        Token token = tokens.get(i);
        if (language != Language.ENGLISH || (!token.is(Role.WEAK) && !token.is(Role.SHORT))) {
            return false;
        }
        boolean season = token.is(Role.SEASON);
        if (is(i - 2, Role.ARTICLE) && !season) {
            return true;
        }
        boolean wordBehind = to < tokens.size() && tokens.get(to).isWord() && !is(to, Role.PREPOSITION);
        return !token.upper() && !season && (wordBehind || choice == Choice.THIS || token.is(Role.SHORT))
                || token.is(Role.SHORT) && isName(to);
    }

    private Time.@Nullable Cycle cycle(int i) {
        if (is(i, Role.MONTH)) {
            return new Time.Yearly(value(i, Role.MONTH, 1), 1, 1, 0, Unit.MONTH);
        }
        if (is(i, Role.WEEKDAY)) {
            return new Time.Weekly(value(i, Role.WEEKDAY, 1), 1);
        }
        if (is(i, Role.SEASON)) {
            return new Time.Yearly(value(i, Role.SEASON, 0) * 3 + 3, 1, 3, 0, Unit.SEASON);
        }
        if (is(i, Role.HOLIDAY)) {
            int holiday = value(i, Role.HOLIDAY, 0);
            return new Time.Yearly(holiday / 1000, holiday / 10 % 100, 0, holiday % 10, Unit.DAY);
        }
        return null;
    }

    // dates

    private @Nullable Read written(int i) {
        Token.Written date = tokens.get(i).date();
        return date == null || date.ambiguous() && language == Language.ENGLISH
                ? null
                : new Read(calendar.day(date.date()), i + 1, Form.DATE);
    }

    /** "3 May", "the third of May", "May 3", "3 to 5 May", "May 3-5"; the year is read by what follows. */
    private @Nullable Read date(int i) {
        Token token = tokens.get(i);
        if (token.is(Role.MONTH)) {
            return monthFirst(i);
        }
        int day = day(i);
        if (day < 0) {
            return null;
        }
        int at = isMark(i + 1, '.') ? i + 2 : i + 1;
        Read single = dayFirst(day, day, i, at);
        if (single != null) {
            return single;
        }
        boolean to = isMark(at, '-') || is(at, Role.TO) || is(at, Role.AND);
        int second = to ? skip(at + 1, Role.ARTICLE) : -1;
        int last = second < 0 || token.isWord() ? -1 : day(second);
        return last <= day ? null : dayFirst(day, last, i, isMark(second + 1, '.') ? second + 2 : second + 1);
    }

    private @Nullable Read dayFirst(int day, int last, int number, int at) {
        int month = skip(at, Role.OF);
        month = isMark(month, '-') ? month + 1 : month;
        if (!is(month, Role.MONTH)) {
            return null;
        }
        boolean english = language == Language.ENGLISH;
        Token token = tokens.get(month);
        if (tokens.get(number).isWord() && english && !is(at, Role.OF)) {
            return null;
        }
        boolean verb = english && !token.upper() && token.is(Role.WEAK) && month == at;
        if (verb
                && !isOrdinal(tokens.get(number))
                && month + 1 < tokens.size()
                && tokens.get(month + 1).isWord()) {
            return null;
        }
        return yearly(token, day, last, month + 1);
    }

    private @Nullable Read monthFirst(int i) {
        if (language != Language.ENGLISH) {
            return null;
        }
        Token token = tokens.get(i);
        int at = token.is(Role.SHORT) && isMark(i + 1, '.') ? i + 2 : i + 1;
        at = skip(at, Role.ARTICLE);
        int day = at < tokens.size() && tokens.get(at).kind() == Token.Kind.NUMBER ? day(at) : -1;
        if (day < 0 || is(at + 1, Role.UNIT)) {
            return null;
        }
        boolean lower = !token.upper() && token.is(Role.WEAK);
        boolean ordinal = isOrdinal(tokens.get(at));
        if (!ordinal
                && (is(at + 1, Role.COUNTED)
                        || lower && at + 1 < tokens.size() && tokens.get(at + 1).isWord())) {
            return null;
        }
        boolean to = isMark(at + 1, '-') || is(at + 1, Role.TO);
        int last = to ? day(skip(at + 2, Role.ARTICLE)) : -1;
        int end = skip(at + 2, Role.ARTICLE) + 1;
        boolean range = last > day && !is(end, Role.MONTH) && !(is(end, Role.OF) && is(end + 1, Role.MONTH));
        return range ? yearly(token, day, last, end) : yearly(token, day, day, at + 1);
    }

    private Read yearly(Token month, int day, int last, int to) {
        var cycle = new Time.Yearly(
                month.roles().getOrDefault(Role.MONTH, 1), day, 0, last - day + 1, day == last ? Unit.DAY : Unit.PART);
        Time time = cycle.exists() ? cycle : Time.Never.NEVER;
        return new Read(time, to, day == last ? Form.DATE : Form.RANGE);
    }

    /** The day of a month that is written here, or -1. */
    private int day(int i) {
        if (i < 0 || i >= tokens.size()) {
            return -1;
        }
        Token token = tokens.get(i);
        if (token.kind() != Token.Kind.NUMBER) {
            int place = value(i, Role.ORDINAL, -1);
            return place > 0 && place < 9 ? place : -1;
        }
        boolean fits = token.digits() <= 2 && token.number() >= 1 && token.number() <= 31;
        return fits && (token.text().isEmpty() || isOrdinal(token)) ? token.number() : -1;
    }

    private static boolean isOrdinal(Token token) {
        return token.kind() == Token.Kind.NUMBER
                && !token.text().isEmpty()
                && !token.text().equals("s");
    }

    private @Nullable Read month(int i, int led) {
        if (!is(i, Role.MONTH)) {
            return null;
        }
        Token token = tokens.get(i);
        int at = token.is(Role.SHORT) && isMark(i + 1, '.') ? i + 2 : i + 1;
        var cycle = new Time.Yearly(value(i, Role.MONTH, 1), 1, 1, 0, Unit.MONTH);
        Read read = new Read(cycle, at, Form.DATE);
        if (year(at, true) != null) {
            return read;
        }
        boolean allowed = led == 2 ? isMonthAfter(i, at) : isMonthAlone(i, at);
        return allowed || container(at) != null ? read : null;
    }

    /** Whether a word is a month behind "in", "since" and the like. */
    private boolean isMonthAfter(int i, int at) {
        Token token = tokens.get(i);
        if (token.is(Role.SHORT)) {
            return language == Language.ENGLISH && token.upper() && !isName(at);
        }
        if (language != Language.ENGLISH || !token.is(Role.WEAK) || value(i - 1, Role.PREPOSITION, 0) == 2) {
            return true;
        }
        boolean word = at < tokens.size() && tokens.get(at).isWord();
        return token.upper()
                ? !isName(at)
                : !word
                        || is(at, Role.AND)
                        || is(at, Role.TO)
                        || is(at, Role.COMMON) && !is(i, Role.SHORT) && value(i, Role.MONTH, 0) != 5;
    }

    private boolean isMonthAlone(int i, int at) {
        Token token = tokens.get(i);
        boolean odd = token.is(Role.WEAK) || token.is(Role.SHORT);
        return language == Language.ENGLISH && !odd && token.upper() && !isName(at);
    }

    private @Nullable Read weekday(int i, int led) {
        if (!is(i, Role.WEEKDAY)) {
            return null;
        }
        Token token = tokens.get(i);
        var cycle = new Time.Weekly(value(i, Role.WEEKDAY, 1), 1);
        Read read = new Read(cycle, i + 1, Form.WEEKDAY);
        if (token.is(Role.SHORT) && !(token.upper() && led > 0 && !isName(i + 1)) && !isDateBehind(i)) {
            return null;
        }
        if (isDateBehind(i) || container(i + 1) != null) {
            return read;
        }
        boolean habit = is(i - 1, Role.HABIT) || isMark(i + 1, '-') || isMark(i + 1, '\'');
        return habit || (led == 0 && !isWeekdayAlone(i)) ? null : read;
    }

    /** A day of the week without a word before it: nothing that it describes may stand behind it. */
    private boolean isWeekdayAlone(int i) {
        Token next = i + 1 < tokens.size() ? tokens.get(i + 1) : null;
        return next == null || !next.isWord() || !next.roles().isEmpty() && !isName(i + 1);
    }

    private boolean isDateBehind(int i) {
        int at = skip(isMark(i + 1, ',') || isMark(i + 1, '.') ? i + 2 : i + 1, Role.PREPOSITION, Role.ARTICLE);
        return at < tokens.size() && (tokens.get(at).kind() == Token.Kind.DATE ? written(at) : date(at)) != null;
    }

    private @Nullable Read season(int i, int led) {
        if (is(i, Role.QUARTER)) {
            var cycle = new Time.Yearly(value(i, Role.QUARTER, 1) * 3 - 2, 1, 3, 0, Unit.QUARTER);
            return led == 2 || container(i + 1) != null ? new Read(cycle, i + 1, Form.OTHER) : null;
        }
        if (is(i, Role.ORDINAL) && is(i + 1, Role.UNIT) && unit(i + 1) == Unit.QUARTER && led == 2) {
            int quarter = value(i, Role.ORDINAL, 1);
            return quarter > 4
                    ? null
                    : new Read(new Time.Yearly(quarter * 3 - 2, 1, 3, 0, Unit.QUARTER), i + 2, Form.OTHER);
        }
        Time.Cycle cycle = is(i, Role.SEASON) ? cycle(i) : null;
        if (cycle == null) {
            return null;
        }
        boolean meant = led == 2 && is(i - 1, Role.ARTICLE) && !is(i + 1, Role.OF);
        return meant || container(i + 1) != null ? new Read(cycle, i + 1, Form.OTHER) : null;
    }

    private @Nullable Read holiday(int i, int led) {
        if (is(i, Role.HOLIDAY)) {
            boolean alone =
                    i == 0 && (i + 1 == tokens.size() || tokens.get(i + 1).ends());
            boolean meant = led > 0 && !isUnknownWord(i + 1) || alone || container(i + 1) != null;
            Time.Cycle cycle = cycle(i);
            return meant && cycle != null ? new Read(cycle, i + 1, Form.OTHER) : null;
        }
        boolean weekend = is(i, Role.UNIT) && unit(i) == Unit.WEEKEND && led > 0 && !is(i - 1, Role.NUMBER);
        return weekend && !isUnknownWord(i + 1) ? new Read(new Time.Weekly(6, 2), i + 1, Form.OTHER) : null;
    }

    private @Nullable Read decadeOrYear(int i, int led) {
        Token token = tokens.get(i);
        if (token.kind() != Token.Kind.NUMBER || is(i - 1, Role.DECADES)) {
            boolean article = is(i - 1, Role.ARTICLE) || is(i - 1, Role.DECADES) || is(i - 1, Role.THIRD);
            int decade = value(i, Role.DECADE, -1);
            Read read = decade > 0 && article ? fixed(calendar.decade(decade), i + 1) : null;
            return read != null || !is(i - 1, Role.DECADES)
                    ? read != null ? read : led == 2 ? yearWord(i) : null
                    : decade(i);
        }
        if (token.text().equals("s") || token.text().equals("er")) {
            return decade(i);
        }
        Read year = led == 2 ? year(i, false) : null;
        if (year != null && isMark(i + 1, '-') && year.time instanceof Span span) {
            int month = i + 2 < tokens.size() ? tokens.get(i + 2).number() : -1;
            boolean fits = month >= 1 && month <= 12 && tokens.get(i + 2).digits() == 2;
            return fits
                    ? new Read(
                            calendar.around(
                                    Unit.MONTH, span.from().toLocalDate().withMonth(month)),
                            i + 3,
                            Form.DATE)
                    : year;
        }
        return year;
    }

    /** "The year 2019". */
    private @Nullable Read yearWord(int i) {
        return is(i, Role.UNIT) && unit(i) == Unit.YEAR ? year(i + 1, false) : null;
    }

    /** "The 1990s", "the 90s", "die 90er", "les années 90". */
    private @Nullable Read decade(int i) {
        Token token = tokens.get(i);
        if (token.kind() != Token.Kind.NUMBER || token.number() % 10 != 0) {
            return null;
        }
        boolean led = is(i - 1, Role.ARTICLE)
                || is(i - 1, Role.THIRD)
                || is(i - 1, Role.DECADES)
                || isMark(i - 1, '\'')
                || token.text().equals("er");
        int first = token.digits() == 4 ? token.number() : 1900 + token.number();
        boolean fits =
                token.digits() == 4 ? isRecent(token.number()) : token.digits() == 2 && token.number() >= 30 && led;
        int to = is(i + 1, Role.UNIT) && unit(i + 1) == Unit.YEAR ? i + 2 : i + 1;
        return fits ? fixed(calendar.decade(first), to) : null;
    }

    /** A year in figures. Alone it has to be near, beside a month any will do, and what is no year makes both void. */
    private @Nullable Read year(int i, boolean beside) {
        int at = beside && (isMark(i, ',') || isMark(i, '-')) ? i + 1 : i;
        at = beside ? skip(at, Role.OF, Role.ARTICLE) : at;
        at = beside && is(at, Role.UNIT) && unit(at) == Unit.YEAR ? at + 1 : at;
        Token token = at < tokens.size() ? tokens.get(at) : null;
        if (token == null
                || token.kind() != Token.Kind.NUMBER
                || token.digits() != 4
                || !token.text().isEmpty()) {
            return null;
        }
        if (!beside && (!isRecent(token.number()) || isCounted(at + 1))) {
            return null;
        }
        if (!isYear(token.number())) {
            return new Read(Time.Never.NEVER, at + 1, Form.YEAR);
        }
        return new Read(calendar.year(token.number()), at + 1, Form.YEAR);
    }

    private boolean isRecent(int year) {
        int now = calendar.today.getYear();
        return year >= now - 120 && year <= now + 20;
    }

    // what follows a time

    private Read extended(Read read, int depth) {
        Read current = read;
        for (int round = 0; round < depth; round++) {
            Read next = more(current);
            if (next == null) {
                return current;
            }
            current = next;
        }
        return current;
    }

    private @Nullable Read more(Read read) {
        Read part = withPart(read);
        part = part == null ? withWeekday(read) : part;
        if (part != null) {
            return part;
        }
        if (read.time instanceof Time.Cycle cycle) {
            Read date =
                    read.form == Form.WEEKDAY && cycle instanceof Time.Weekly weekly ? withDate(read, weekly) : null;
            Read container = date == null ? container(read.to) : date;
            if (date != null || container == null) {
                return date;
            }
            Time time = container.time instanceof Span span ? calendar.within(cycle, span) : Time.Never.NEVER;
            return new Read(time, container.to, read.form);
        }
        return read.time instanceof Span span ? narrowed(read, span) : null;
    }

    /** "3 March (Monday)": both have to agree. */
    private @Nullable Read withWeekday(Read read) {
        if (read.form != Form.DATE
                || !isMark(read.to, '(')
                || !is(read.to + 1, Role.WEEKDAY)
                || !isMark(read.to + 2, ')')) {
            return null;
        }
        int weekday = value(read.to + 1, Role.WEEKDAY, 1);
        Time time = read.time instanceof Time.Cycle cycle ? calendar.agreeing(cycle, weekday) : read.time;
        boolean agrees = time instanceof Span span && span.from().getDayOfWeek().getValue() == weekday;
        return new Read(agrees ? time : Time.Never.NEVER, read.to + 3, Form.DATE);
    }

    /** "Last year in May", "last week on Tuesday"; "yesterday last year" is no time. */
    private @Nullable Read narrowed(Read read, Span span) {
        int at = skip(read.to, Role.PREPOSITION, Role.OF, Role.ARTICLE);
        if (at >= tokens.size()
                || tokens.get(at).kind() == Token.Kind.MARK
                || span.unit() == Unit.PART
                || is(read.to, Role.TO) && read.form != Form.OTHER) {
            return null;
        }
        boolean led = at > read.to;
        Read other = near(at);
        other = other != null ? other : chosen(at);
        other = other != null || !led ? other : month(at, 2);
        other = other != null ? other : weekday(at, 1);
        other = other != null || !led ? other : season(at, 2);
        other = other != null || !led ? other : holiday(at, 1);
        other = other != null || !led ? other : year(at, false);
        if (other == null) {
            return null;
        }
        Time time = other.time instanceof Time.Cycle cycle ? calendar.within(cycle, span) : other.time;
        if (time instanceof Span inner) {
            time = inner.meets(span) ? inner.with(span) : Time.Never.NEVER;
        }
        return new Read(time, other.to, read.form);
    }

    /** What a cycle is in: "(May) last year", "(Tuesday) of last week", "(summer) 2024". */
    private @Nullable Read container(int i) {
        Read year = year(i, true);
        if (year != null) {
            return year;
        }
        int at = skip(isMark(i, ',') ? i + 1 : i, Role.OF, Role.PREPOSITION, Role.ARTICLE);
        Read chosen = at < tokens.size() && tokens.get(at).isWord() ? chosen(at) : null;
        return chosen != null && chosen.time instanceof Span span && span.unit() != Unit.PART ? chosen : null;
    }

    /** "Tuesday, 3 March": both have to agree. */
    private @Nullable Read withDate(Read read, Time.Weekly weekly) {
        boolean mark = isMark(read.to, ',') || isMark(read.to, '.') || isMark(read.to, '(');
        int at = skip(mark ? read.to + 1 : read.to, Role.PREPOSITION, Role.ARTICLE);
        if (at >= tokens.size()) {
            return null;
        }
        Read date = tokens.get(at).kind() == Token.Kind.DATE ? written(at) : date(at);
        if (date == null) {
            return null;
        }
        Read container = date.time instanceof Time.Cycle ? container(date.to) : null;
        Time time = date.time;
        int to = date.to;
        if (time instanceof Time.Cycle cycle) {
            to = container == null ? to : container.to;
            time = container == null
                    ? calendar.agreeing(cycle, weekly.weekday())
                    : container.time instanceof Span span ? calendar.within(cycle, span) : Time.Never.NEVER;
        }
        boolean agrees = time instanceof Span span && span.from().getDayOfWeek().getValue() == weekly.weekday();
        return new Read(agrees ? time : Time.Never.NEVER, to, Form.DATE);
    }

    /** "Monday morning", "yesterday in the evening", "heute Abend". */
    private @Nullable Read withPart(Read read) {
        int at = skip(read.to, Role.PREPOSITION, Role.OF, Role.ARTICLE);
        if (!is(at, Role.PART) || is(at, Role.EVERY)) {
            return null;
        }
        Span span = resolve(read.time, at, future(read.to - 1));
        return span == null || span.unit() != Unit.DAY
                ? null
                : new Read(calendar.part(span, value(at, Role.PART, 0)), at + 1, read.form);
    }

    // looking at tokens

    @Nullable
    Span resolve(Time time, int i, boolean future) {
        return switch (time) {
            case Span span -> span;
            case Time.Never never -> null;
            case Time.Cycle cycle -> calendar.nearest(cycle, future);
        };
    }

    /** Whether the sentence looks ahead: the nearest word before that says so, else the nearest behind. */
    boolean future(int i) {
        return is(i - 1, Role.BY) || is(i - 2, Role.BY) || future(i, !question);
    }

    private boolean future(int i, boolean presentCounts) {
        for (int k = i - 1; k >= 0 && k >= i - SIGHT && !tokens.get(k).ends(); k--) {
            int sight = sight(tokens.get(k), presentCounts);
            if (sight != 0) {
                return sight > 0;
            }
        }
        for (int k = i + 1;
                k < tokens.size() && k <= i + SIGHT && !tokens.get(k).ends();
                k++) {
            int sight = sight(tokens.get(k), presentCounts);
            if (sight != 0) {
                return sight > 0;
            }
        }
        return false;
    }

    private int sight(Token token, boolean presentCounts) {
        if (token.is(Role.FUTURE) || presentCounts && token.is(Role.PRESENT)) {
            return 1;
        }
        boolean verb = language == Language.ENGLISH
                && token.roles().isEmpty()
                && token.isWord()
                && token.text().endsWith("ed");
        return verb || token.is(Role.PAST) ? -1 : 0;
    }

    /** Whether a number before this token counts what it is: "2000 tokens". */
    private boolean isCounted(int i) {
        if (i >= tokens.size() || !tokens.get(i).isWord()) {
            return false;
        }
        Token token = tokens.get(i);
        boolean plural = language != Language.GERMAN && language != Language.ITALIAN;
        return token.is(Role.COUNTED)
                || plural
                        && token.roles().isEmpty()
                        && !token.upper()
                        && token.text().length() > 3
                        && token.text().endsWith("s");
    }

    private boolean isName(int i) {
        return i < tokens.size()
                && tokens.get(i).isWord()
                && tokens.get(i).upper()
                && tokens.get(i).roles().isEmpty();
    }

    private boolean isUnknownWord(int i) {
        return language == Language.ENGLISH
                && i < tokens.size()
                && tokens.get(i).isWord()
                && tokens.get(i).roles().isEmpty();
    }

    private boolean startsSentence(int i) {
        for (int k = i - 1; k >= 0 && k >= i - DEPTH; k--) {
            Token token = tokens.get(k);
            if (token.kind() != Token.Kind.MARK) {
                return false;
            }
            if (token.ends()) {
                return true;
            }
        }
        return true;
    }

    private int skip(int i, Role... roles) {
        int at = i;
        for (int taken = 0; taken < 3 && at < tokens.size() && isAny(at, roles); taken++) {
            at++;
        }
        return at;
    }

    private boolean isAny(int i, Role... roles) {
        for (Role role : roles) {
            if (is(i, role)) {
                return true;
            }
        }
        return false;
    }

    private boolean is(int i, Role role) {
        return i >= 0 && i < tokens.size() && tokens.get(i).is(role);
    }

    private boolean isMark(int i, char mark) {
        return i >= 0 && i < tokens.size() && tokens.get(i).isMark(mark);
    }

    private int value(int i, Role role, int otherwise) {
        return i >= 0 && i < tokens.size() ? tokens.get(i).roles().getOrDefault(role, otherwise) : otherwise;
    }

    private Unit unit(int i) {
        return Unit.values()[value(i, Role.UNIT, 2)];
    }

    private @Nullable Choice choice(int i, Role role) {
        int value = value(i, role, -1);
        return value < 0 ? null : Choice.values()[value];
    }

    private static Read fixed(Span span, int to) {
        return new Read(span, to, Form.OTHER);
    }
}
