package dev.parley.language.time;

import org.jspecify.annotations.Nullable;

/** Parses times relative to today: counts of units, and choices by "last", "this" and "next". */
final class RelativeTimeParser {
    /** Maximum count of units. */
    private static final int MAX_COUNT = 999;
    /** Minimum and maximum of a couple, a few and several. */
    private static final int[] AT_LEAST = {1, 2, 3};

    private static final int[] AT_MOST = {3, 5, 7};
    private static final int FEW = 5;

    private final Sentence words;
    private final Calendar calendar;
    private final NumericDateParser figures;

    RelativeTimeParser(Sentence words, Calendar calendar, NumericDateParser figures) {
        this.words = words;
        this.calendar = calendar;
        this.figures = figures;
    }

    /** A count of units; a range if it is vague. */
    record Count(int least, int most, CalendarUnit unit, int to) {
        private Count of(CalendarUnit counted, int end) {
            return new Count(least, most, counted, end);
        }
    }

    /** "Two weeks", "about a month", "a few days". */
    @Nullable
    Count count(int i) {
        Count amount = amount(i);
        return amount == null || !words.is(amount.to(), WordRole.UNIT)
                ? null
                : amount.of(words.unit(amount.to()), amount.to() + 1);
    }

    /** "Two", "about a", "a few": a count without its unit. */
    @Nullable
    Count amount(int i) {
        int position = words.is(i, WordRole.ABOUT) && !words.is(i, WordRole.VAGUE) ? i + 1 : i;
        Token token = words.token(position);
        int vague = words.value(position, WordRole.VAGUE, -1);
        if (vague >= 0) {
            return new Count(AT_LEAST[vague], AT_MOST[vague], CalendarUnit.DAY, position + 1);
        }
        if (token.kind() == Token.Kind.NUMBER && token.text().isEmpty() && token.number() > 0) {
            return token.number() > MAX_COUNT
                    ? null
                    : new Count(token.number(), token.number(), CalendarUnit.DAY, position + 1);
        }
        int number = words.value(position, WordRole.NUMBER, -1);
        if (number < 0) {
            return null;
        }
        int next = words.isMark(position + 1, '-') ? position + 2 : position + 1;
        int ones = number >= 20 && number < 100 ? words.value(next, WordRole.NUMBER, 10) : 10;
        return ones < 10
                ? new Count(number + ones, number + ones, CalendarUnit.DAY, next + 1)
                : new Count(number, number, CalendarUnit.DAY, position + 1);
    }

    /** "Yesterday", "last night", "the week before last". */
    @Nullable
    ParsedTime near(int i) {
        int offset = words.value(i, WordRole.OFFSET, Integer.MIN_VALUE);
        if (offset != Integer.MIN_VALUE && !isMorning(i)) {
            return ParsedTime.ofSpan(calendar.relative(CalendarUnit.DAY, offset), i + 1);
        }
        int part = words.value(i, WordRole.NEAR_PART, -1);
        if (part >= 0) {
            return ParsedTime.ofSpan(
                    calendar.part(calendar.relative(CalendarUnit.DAY, part / 10 - 2), part % 10), i + 1);
        }
        int shift = words.value(i, WordRole.SHIFT, -1);
        return shift < 0
                ? null
                : ParsedTime.ofSpan(calendar.relative(CalendarUnit.values()[shift / 10], shift % 10 - 5), i + 1);
    }

    /** "Mañana" and "Morgen" are tomorrow, but not in "la mañana" and not as a noun. */
    private boolean isMorning(int i) {
        if (!words.is(i, WordRole.PART)) {
            return false;
        }
        return words.is(i - 1, WordRole.ARTICLE)
                || words.is(i - 1, WordRole.CHOICE)
                || (i > 0 && words.token(i).upper() && !words.startsSentence(i));
    }

    /** "Last week", "la semaine dernière", "the past three days", "next summer", "this evening". */
    @Nullable
    ParsedTime chosen(int i) {
        Choice choice = words.choice(i, WordRole.CHOICE);
        int noun = choice == null ? i : i + 1;
        Choice second = choice == null ? null : words.choice(noun, WordRole.CHOICE);
        if (second != null && choice == Choice.THIS) {
            choice = second;
            noun++;
        }
        Count rolling = choice == null ? trailing(i) : count(noun);
        rolling = rolling == null && choice == Choice.THIS ? trailing(noun) : rolling;
        if (rolling != null) {
            return choice == Choice.LAST && isVerb(i) ? null : rollingByChoice(choice, rolling);
        }
        Choice after = words.choice(noun + 1, WordRole.CHOICE_AFTER);
        if (after != null) {
            choice = after;
        }
        return choice == null ? null : noun(choice, noun, after == null ? noun + 1 : noun + 2);
    }

    /** "Sessions last two hours", "they last about a week". */
    private boolean isVerb(int i) {
        boolean introduced = words.is(i - 1, WordRole.ARTICLE)
                || words.is(i - 1, WordRole.HABIT)
                || words.is(i - 1, WordRole.PREPOSITION);
        return words.isEnglish()
                && (words.is(i + 1, WordRole.ABOUT)
                        || !introduced && words.token(i - 1).isWord());
    }

    /** "Trois derniers jours": the choice is between the number and the unit. */
    private @Nullable Count trailing(int i) {
        Count amount = amount(i);
        return amount != null && words.is(amount.to(), WordRole.CHOICE) && words.is(amount.to() + 1, WordRole.UNIT)
                ? amount.of(words.unit(amount.to() + 1), amount.to() + 2)
                : null;
    }

    /** A count whose choice is before it, or between its number and its unit. */
    private @Nullable ParsedTime rollingByChoice(@Nullable Choice before, Count count) {
        Choice choice =
                before == null || before == Choice.THIS ? words.choice(count.to() - 2, WordRole.CHOICE) : before;
        return choice == null ? null : rolling(choice, count);
    }

    private @Nullable ParsedTime rolling(Choice choice, Count count) {
        return switch (choice) {
            case LAST, PAST -> ParsedTime.ofSpan(calendar.rolling(count.most(), count.unit(), -1), count.to());
            case NEXT, COMING -> ParsedTime.ofSpan(calendar.rolling(count.most(), count.unit(), 1), count.to());
            case THIS -> null;
        };
    }

    private @Nullable ParsedTime noun(Choice choice, int i, int to) {
        if (words.is(i, WordRole.UNIT)) {
            return period(choice, i, to);
        }
        if (words.is(i, WordRole.PART) && !words.is(i, WordRole.WEEKDAY)) {
            return choice == Choice.THIS ? partOfToday(i, to) : null;
        }
        ParsedTime day = words.is(i, WordRole.MONTH) ? figures.date(i) : null;
        if (day != null
                && day.time() instanceof Time.Cycle cycle
                && calendar.occurrence(cycle, choice) instanceof Span span) {
            return new ParsedTime(span, day.to(), day.form()); // "this July 28"
        }
        Time.Cycle cycle = cycle(i);
        if (cycle == null || isNoTime(i, choice, to)) {
            return null;
        }
        Span span = calendar.occurrence(cycle, choice);
        return span == null
                ? null
                : new ParsedTime(span, to, words.is(i, WordRole.MONTH) ? ParsedTime.Form.DATE : ParsedTime.Form.OTHER);
    }

    private ParsedTime partOfToday(int i, int to) {
        Span today = calendar.relative(CalendarUnit.DAY, 0);
        return ParsedTime.ofSpan(calendar.part(today, words.value(i, WordRole.PART, 0)), to);
    }

    private @Nullable ParsedTime period(Choice choice, int i, int to) {
        CalendarUnit unit = words.unit(i);
        if (words.is(i, WordRole.PLURAL)) {
            return rolling(choice, new Count(FEW, FEW, unit, to)); // "the last weeks" are some
        }
        boolean rolling = isRolling(choice, i);
        boolean clock = unit == CalendarUnit.HOUR || unit == CalendarUnit.DAY;
        if (isOfAnother(choice, i, to) || unit == CalendarUnit.MINUTE || clock && !rolling) {
            return null;
        }
        if (rolling && unit != CalendarUnit.WEEKEND) {
            return ParsedTime.ofSpan(calendar.rolling(1, unit, -1), to);
        }
        int offset = switch (choice) {
            case LAST, PAST -> -1;
            case THIS -> 0;
            case NEXT, COMING -> 1;
        };
        return ParsedTime.ofSpan(calendar.relative(unit, offset), to);
    }

    /** Whether the period ends now, as "the past week" and "the last decade" do, but not "last week". */
    private boolean isRolling(Choice choice, int i) {
        CalendarUnit unit = words.unit(i);
        boolean afterEnglishArticle = words.isEnglish() && words.is(i - 2, WordRole.ARTICLE);
        return choice == Choice.PAST
                || choice == Choice.LAST
                        && (afterEnglishArticle || unit == CalendarUnit.DECADE || unit == CalendarUnit.HOUR);
    }

    /**
     * "The last month of school", "the last year you worked", "the next week he left": not relative to the reference.
     */
    private boolean isOfAnother(Choice choice, int i, int to) {
        if (!words.isEnglish() || !words.is(i - 2, WordRole.ARTICLE)) {
            return false;
        }
        boolean hasPreposition = words.is(i - 3, WordRole.PREPOSITION);
        boolean next = choice == Choice.NEXT && words.looksBack(i);
        return words.is(to, WordRole.OF) || !hasPreposition && (next || words.is(to, WordRole.SUBJECT));
    }

    /** "The last may be", "this may be", "the last march": ambiguous words that are no time here. */
    private boolean isNoTime(int i, Choice choice, int to) {
        Token token = words.token(i);
        if (!words.isEnglish() || (!token.is(WordRole.WEAK) && !token.is(WordRole.SHORT))) {
            return false;
        }
        boolean season = token.is(WordRole.SEASON);
        if (words.is(i - 2, WordRole.ARTICLE) && !season) {
            return true;
        }
        boolean wordBehind = words.token(to).isWord() && !words.is(to, WordRole.PREPOSITION);
        return !token.upper()
                        && !season
                        && (wordBehind || choice == Choice.THIS || choice == Choice.NEXT || token.is(WordRole.SHORT))
                || token.is(WordRole.SHORT) && words.isName(to);
    }

    /** The cycle that this word names, regardless of its context. */
    Time.@Nullable Cycle cycle(int i) {
        if (words.is(i, WordRole.MONTH)) {
            return new Time.Yearly(words.value(i, WordRole.MONTH, 1), 1, 1, 0, CalendarUnit.MONTH);
        }
        if (words.is(i, WordRole.WEEKDAY)) {
            return new Time.Weekly(words.value(i, WordRole.WEEKDAY, 1), 1);
        }
        if (words.is(i, WordRole.SEASON)) {
            return new Time.Yearly(words.value(i, WordRole.SEASON, 0) * 3 + 3, 1, 3, 0, CalendarUnit.SEASON);
        }
        if (words.is(i, WordRole.HOLIDAY)) {
            int holiday = words.value(i, WordRole.HOLIDAY, 0);
            return new Time.Yearly(holiday / 1000, holiday / 10 % 100, 0, holiday % 10, CalendarUnit.DAY);
        }
        return null;
    }

    /** The span that contains a cycle: "(May) last year", "(Tuesday) of last week", "(summer) 2024". */
    @Nullable
    ParsedTime container(int i) {
        ParsedTime year = figures.year(i, true);
        if (year != null) {
            return year;
        }
        int start = words.skip(words.isMark(i, ',') ? i + 1 : i, WordRole.OF, WordRole.PREPOSITION, WordRole.ARTICLE);
        ParsedTime chosen = words.token(start).isWord() ? chosen(start) : null;
        return chosen != null && chosen.time() instanceof Span span && span.unit() != CalendarUnit.PART ? chosen : null;
    }
}
