package dev.parley.language.time;

import org.jspecify.annotations.Nullable;

/** Parses months, weekdays, seasons and holidays on their own, unless the word has another meaning. */
final class NamedTimeParser {
    private final Sentence words;
    private final NumericDateParser figures;
    private final RelativeTimeParser choices;

    NamedTimeParser(Sentence words, NumericDateParser figures, RelativeTimeParser choices) {
        this.words = words;
        this.figures = figures;
        this.choices = choices;
    }

    /** "May", unless it is a verb or a first name. */
    @Nullable
    ParsedTime month(int i, int preposition) {
        if (!words.is(i, WordRole.MONTH)) {
            return null;
        }
        Token token = words.token(i);
        int end = token.is(WordRole.SHORT) && words.isMark(i + 1, '.') ? i + 2 : i + 1;
        var cycle = new Time.Yearly(words.value(i, WordRole.MONTH, 1), 1, 1, 0, CalendarUnit.MONTH);
        ParsedTime read = new ParsedTime(cycle, end, ParsedTime.Form.DATE);
        if (figures.year(end, true) != null) {
            return read;
        }
        boolean allowed = preposition == 2 ? isMonthAfter(i, end) : isMonthAlone(i, end);
        return allowed || choices.container(end) != null ? read : null;
    }

    /** Whether a word after a preposition is a month. */
    private boolean isMonthAfter(int i, int end) {
        Token token = words.token(i);
        if (token.is(WordRole.SHORT)) {
            return words.isEnglish() && token.upper() && !words.isName(end);
        }
        if (!words.isEnglish() || !token.is(WordRole.WEAK) || isBehindIn(i)) {
            return !words.isEnglish() || token.upper() || !words.is(i - 1, WordRole.ARTICLE);
        }
        boolean isWord = words.token(end).isWord();
        return token.upper()
                ? !words.isName(end)
                : !isWord
                        || words.is(end, WordRole.AND)
                        || words.is(end, WordRole.TO)
                        || words.is(end, WordRole.COMMON)
                                && !words.is(i, WordRole.SHORT)
                                && words.value(i, WordRole.MONTH, 0) != 5;
    }

    private boolean isBehindIn(int i) {
        return words.value(words.is(i - 1, WordRole.ARTICLE) ? i - 2 : i - 1, WordRole.PREPOSITION, 0) == 2;
    }

    private boolean isMonthAlone(int i, int end) {
        Token token = words.token(i);
        boolean ambiguous = token.is(WordRole.WEAK) || token.is(WordRole.SHORT);
        boolean adjective = words.is(i - 1, WordRole.HABIT) && isDescribing(end);
        return words.isEnglish() && !ambiguous && !adjective && token.upper() && !words.isName(end);
    }

    /** "Monday", if it is a particular Monday. */
    @Nullable
    ParsedTime weekday(int i, int preposition) {
        if (!words.is(i, WordRole.WEEKDAY)) {
            return null;
        }
        Token token = words.token(i);
        var cycle = new Time.Weekly(words.value(i, WordRole.WEEKDAY, 1), 1);
        ParsedTime read = new ParsedTime(cycle, i + 1, ParsedTime.Form.WEEKDAY);
        if (token.is(WordRole.SHORT)
                && !(token.upper() && preposition > 0 && !words.isName(i + 1))
                && !isDateBehind(i)) {
            return null;
        }
        if (isDateBehind(i) || choices.container(i + 1) != null) {
            return read;
        }
        boolean habit = words.is(i - 1, WordRole.HABIT) || words.isMark(i + 1, '-') || words.isMark(i + 1, '\'');
        return habit || (preposition == 0 && !isWeekdayAlone(i)) ? null : read;
    }

    /** A weekday without a preposition: it must not modify the next word. */
    private boolean isWeekdayAlone(int i) {
        if (words.isName(i - 1) && !words.startsSentence(i - 1)) {
            return false; // "Girl Friday"
        }
        Token next = words.token(i + 1);
        return !next.isWord() || next.text().equals("s") || !next.roles().isEmpty() && !words.isName(i + 1);
    }

    private boolean isDateBehind(int i) {
        int start = words.skip(
                words.isMark(i + 1, ',') || words.isMark(i + 1, '.') ? i + 2 : i + 1,
                WordRole.PREPOSITION,
                WordRole.ARTICLE);
        return (words.token(start).kind() == Token.Kind.DATE ? figures.writtenDate(start) : figures.date(start))
                != null;
    }

    /** "The summer", "Q3", "the third quarter". */
    @Nullable
    ParsedTime season(int i, int preposition) {
        if (words.is(i, WordRole.QUARTER)) {
            return isQuarter(i, preposition)
                    ? new ParsedTime(quarter(words.value(i, WordRole.QUARTER, 1)), i + 1, ParsedTime.Form.DATE)
                    : null;
        }
        if (isOrdinalQuarter(i, preposition)) {
            int quarter = words.value(i, WordRole.ORDINAL, 1);
            return quarter > 4 ? null : new ParsedTime(quarter(quarter), i + 2, ParsedTime.Form.OTHER);
        }
        Time.Cycle cycle = words.is(i, WordRole.SEASON) ? choices.cycle(i) : null;
        if (cycle == null) {
            return null;
        }
        boolean isSeason = preposition == 2 && words.is(i - 1, WordRole.ARTICLE) && !words.is(i + 1, WordRole.OF);
        return isSeason || choices.container(i + 1) != null
                ? new ParsedTime(cycle, i + 1, ParsedTime.Form.OTHER)
                : null;
    }

    /** Whether "Q3" is a quarter: after a preposition, before a year, or as the first of two. */
    private boolean isQuarter(int i, int preposition) {
        boolean first = words.is(i + 1, WordRole.AND) || words.is(i + 1, WordRole.TO) || words.isMark(i + 1, '-');
        return preposition == 2 || first && words.is(i + 2, WordRole.QUARTER) || choices.container(i + 1) != null;
    }

    /** Whether "the third quarter" is a quarter on its own, not one of a year that follows. */
    private boolean isOrdinalQuarter(int i, int preposition) {
        return words.is(i, WordRole.ORDINAL)
                && words.is(i + 1, WordRole.UNIT)
                && words.unit(i + 1) == CalendarUnit.QUARTER
                && preposition == 2
                && !words.is(i + 2, WordRole.OF);
    }

    private static Time.Yearly quarter(int number) {
        return new Time.Yearly(number * 3 - 2, 1, 3, 0, CalendarUnit.QUARTER);
    }

    /** "Christmas", "the weekend". */
    @Nullable
    ParsedTime holiday(int i, int preposition) {
        if (words.is(i, WordRole.HOLIDAY)) {
            boolean alone =
                    i == 0 && (i + 1 == words.size() || words.token(i + 1).ends());
            boolean isHoliday = preposition > 0 && !isDescribing(i + 1) || alone || choices.container(i + 1) != null;
            Time.Cycle cycle = choices.cycle(i);
            return isHoliday && cycle != null ? new ParsedTime(cycle, i + 1, ParsedTime.Form.OTHER) : null;
        }
        boolean weekend = words.is(i, WordRole.UNIT)
                && words.unit(i) == CalendarUnit.WEEKEND
                && preposition > 0
                && !words.is(i - 1, WordRole.NUMBER)
                && !words.is(i, WordRole.PLURAL);
        return weekend && !isDescribing(i + 1)
                ? new ParsedTime(new Time.Weekly(6, 2), i + 1, ParsedTime.Form.OTHER)
                : null;
    }

    /** An English noun that modifies the next one: "Christmas tree", "weekend trip". */
    private boolean isDescribing(int i) {
        return words.isEnglish() && words.isUnknownWord(i);
    }
}
