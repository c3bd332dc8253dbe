package dev.parley.language.time;

import org.jspecify.annotations.Nullable;

/** Parses modifiers after a time: "(May) last year", "(Monday) morning", "(Tuesday), 3 March". */
final class Narrowing {
    private final Sentence words;
    private final Calendar calendar;
    private final NumericDateParser figures;
    private final RelativeTimeParser choices;
    private final NamedTimeParser names;

    Narrowing(
            Sentence words,
            Calendar calendar,
            NumericDateParser figures,
            RelativeTimeParser choices,
            NamedTimeParser names) {
        this.words = words;
        this.calendar = calendar;
        this.figures = figures;
        this.choices = choices;
        this.names = names;
    }

    /** The time with all its modifiers; {@link Time.Never} if they contradict each other. */
    ParsedTime narrow(ParsedTime read, int depth) {
        ParsedTime current = read;
        for (int round = 0; round < depth; round++) {
            ParsedTime next = more(current);
            if (next == null) {
                return current;
            }
            current = next;
        }
        return current;
    }

    private @Nullable ParsedTime more(ParsedTime read) {
        ParsedTime part = withPart(read);
        part = part == null ? withWeekday(read) : part;
        if (part != null) {
            return part;
        }
        if (read.time() instanceof Time.Cycle cycle) {
            ParsedTime date = read.form() == ParsedTime.Form.WEEKDAY && cycle instanceof Time.Weekly weekly
                    ? withDate(read, weekly)
                    : null;
            ParsedTime container = date == null ? choices.container(read.to()) : date;
            if (date != null || container == null) {
                return date;
            }
            Time time = container.time() instanceof Span span ? calendar.within(cycle, span) : Time.Never.NEVER;
            return new ParsedTime(time, container.to(), read.form());
        }
        return read.time() instanceof Span span ? within(read, span) : null;
    }

    /** "3 March (Monday)": both must agree. */
    private @Nullable ParsedTime withWeekday(ParsedTime read) {
        if (read.form() != ParsedTime.Form.DATE
                || !words.isMark(read.to(), '(')
                || !words.is(read.to() + 1, WordRole.WEEKDAY)
                || !words.isMark(read.to() + 2, ')')) {
            return null;
        }
        int weekday = words.value(read.to() + 1, WordRole.WEEKDAY, 1);
        Time time = read.time() instanceof Time.Cycle cycle ? calendar.agreeing(cycle, weekday) : read.time();
        boolean agrees = time instanceof Span span && span.from().getDayOfWeek().getValue() == weekday;
        return new ParsedTime(agrees ? time : Time.Never.NEVER, read.to() + 3, ParsedTime.Form.DATE);
    }

    /** "Last year in May", "last week on Tuesday"; "yesterday last year" is not a time. */
    private @Nullable ParsedTime within(ParsedTime read, Span span) {
        int start = words.skip(read.to(), WordRole.PREPOSITION, WordRole.OF, WordRole.ARTICLE);
        if (words.token(start).kind() == Token.Kind.MARK
                || span.unit() == CalendarUnit.PART
                || words.is(read.to(), WordRole.TO) && read.form() != ParsedTime.Form.OTHER) {
            return null;
        }
        ParsedTime other = modifier(start, start > read.to());
        if (other == null) {
            return null;
        }
        Time time = other.time() instanceof Time.Cycle cycle ? calendar.within(cycle, span) : other.time();
        if (time instanceof Span inner) {
            time = inner.meets(span) ? inner.with(span) : Time.Never.NEVER;
        }
        return new ParsedTime(time, other.to(), read.form());
    }

    /** @param introduced whether it is behind a preposition or an article */
    private @Nullable ParsedTime modifier(int start, boolean introduced) {
        ParsedTime read = choices.near(start);
        read = read != null ? read : choices.chosen(start);
        if (read != null) {
            return read;
        }
        return introduced ? named(start) : names.weekday(start, 1);
    }

    /** A time by its name or date. */
    private @Nullable ParsedTime named(int start) {
        ParsedTime read = names.month(start, 2);
        read = read != null ? read : names.weekday(start, 1);
        read = read != null ? read : names.season(start, 2);
        read = read != null ? read : names.holiday(start, 1);
        return read != null ? read : figures.year(start, false);
    }

    /** "Tuesday, 3 March": both must agree. */
    private @Nullable ParsedTime withDate(ParsedTime read, Time.Weekly weekly) {
        boolean mark = words.isMark(read.to(), ',') || words.isMark(read.to(), '.') || words.isMark(read.to(), '(');
        int start = words.skip(mark ? read.to() + 1 : read.to(), WordRole.PREPOSITION, WordRole.ARTICLE);
        ParsedTime date =
                words.token(start).kind() == Token.Kind.DATE ? figures.writtenDate(start) : figures.date(start);
        if (date == null) {
            return dayOfMonth(read, weekly);
        }
        ParsedTime container = date.time() instanceof Time.Cycle ? choices.container(date.to()) : null;
        Time time = date.time();
        int to = date.to();
        if (time instanceof Time.Cycle cycle) {
            to = container == null ? to : container.to();
            time = container == null
                    ? calendar.agreeing(cycle, weekly.weekday())
                    : container.time() instanceof Span span ? calendar.within(cycle, span) : Time.Never.NEVER;
        }
        boolean agrees = time instanceof Span span && span.from().getDayOfWeek().getValue() == weekly.weekday();
        return new ParsedTime(agrees ? time : Time.Never.NEVER, to, ParsedTime.Form.DATE);
    }

    /** "Thursday the 19th". */
    private @Nullable ParsedTime dayOfMonth(ParsedTime read, Time.Weekly weekly) {
        int position = read.to() + 1;
        if (!words.isEnglish()
                || !words.is(read.to(), WordRole.ARTICLE)
                || !NumericDateParser.isOrdinal(words.token(position))) {
            return null;
        }
        return new ParsedTime(
                calendar.nearest(weekly.weekday(), figures.day(position), words.tense(position)),
                position + 1,
                ParsedTime.Form.DATE);
    }

    /** "Monday morning", "yesterday in the evening", "heute Abend". */
    private @Nullable ParsedTime withPart(ParsedTime read) {
        boolean isCompound =
                words.is(read.to() - 1, WordRole.WEEKDAY) && words.is(read.to() - 1, WordRole.PART); // "Montagabend"
        int position =
                isCompound ? read.to() - 1 : words.skip(read.to(), WordRole.PREPOSITION, WordRole.OF, WordRole.ARTICLE);
        if (!words.is(position, WordRole.PART) || words.is(position, WordRole.EVERY)) {
            return null;
        }
        Span span = calendar.resolve(read.time(), words.tense(read.to() - 1));
        return span == null || span.unit() != CalendarUnit.DAY
                ? null
                : new ParsedTime(
                        calendar.part(span, words.value(position, WordRole.PART, 0)), position + 1, read.form());
    }
}
