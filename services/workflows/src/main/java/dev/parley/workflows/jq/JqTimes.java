package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Times in UTC: seconds since 1970, or "broken down": year, month from 0, day, hour, minute, second, day of the week
 * and day of the year.
 */
final class JqTimes {
    private static final int MAX_FORMAT_LENGTH = 200;

    private JqTimes() {}

    static Json brokenDown(OffsetDateTime time) {
        return Json.of(Stream.of(
                        time.getYear(),
                        time.getMonthValue() - 1,
                        time.getDayOfMonth(),
                        time.getHour(),
                        time.getMinute(),
                        time.getSecond(),
                        time.getDayOfWeek().getValue() % 7,
                        time.getDayOfYear() - 1)
                .map(Json::of)
                .toList());
    }

    /** The moment of seconds or a broken down time. */
    static OffsetDateTime moment(Json value, String function) {
        try {
            if (value instanceof Json.Num(BigDecimal seconds)) {
                return Instant.ofEpochSecond(Paths.floor(seconds)).atOffset(ZoneOffset.UTC);
            }
            List<Json> parts = value.list();
            if (parts.size() >= 6 && parts.stream().allMatch(Json.Num.class::isInstance)) {
                return OffsetDateTime.of(
                        part(parts, 0),
                        part(parts, 1) + 1,
                        part(parts, 2),
                        part(parts, 3),
                        part(parts, 4),
                        part(parts, 5),
                        0,
                        ZoneOffset.UTC);
            }
        } catch (DateTimeException e) {
            throw new JqException(function + ": " + Paths.describe(value) + " is not a time");
        }
        throw new JqException(function + " requires parsed datetime inputs");
    }

    private static int part(List<Json> parts, int index) {
        return (int) Paths.floor(((Json.Num) parts.get(index)).value());
    }

    /** A moment as text, by a format of {@code strftime}. */
    static Json format(Json value, Json format) {
        return Json.of(formatter(format, "strftime/1").format(moment(value, "strftime/1")));
    }

    /** Parses a text by a format of {@code strptime} to a broken down time. */
    static Json parse(Json text, Json format) {
        String value =
                text.text().orElseThrow(() -> new JqException("strptime/1 requires string inputs and arguments"));
        try {
            TemporalAccessor read = formatter(format, "strptime/1").parse(value);
            LocalDate date = read.query(TemporalQueries.localDate());
            LocalTime time = read.query(TemporalQueries.localTime());
            ZoneOffset zone = read.query(TemporalQueries.offset());
            return brokenDown(Objects.requireNonNullElse(date, LocalDate.of(1900, 1, 1))
                    .atTime(Objects.requireNonNullElse(time, LocalTime.MIDNIGHT))
                    .atOffset(Objects.requireNonNullElse(zone, ZoneOffset.UTC))
                    .withOffsetSameInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            throw new JqException("date \"" + value + "\" does not match format \"" + format.display() + "\"");
        }
    }

    private static DateTimeFormatter formatter(Json format, String function) {
        String pattern = format.text()
                .filter(text -> text.length() <= MAX_FORMAT_LENGTH)
                .orElseThrow(() -> new JqException(function + " requires a string format"));
        var formatter = new DateTimeFormatterBuilder().parseCaseInsensitive();
        int position = 0;
        while (position < pattern.length()) {
            char sign = pattern.charAt(position);
            boolean literal = sign != '%' || position == pattern.length() - 1;
            if (literal) {
                formatter.appendLiteral(sign);
            } else {
                formatter.appendPattern(directive(pattern.charAt(position + 1), function));
            }
            position += literal ? 1 : 2;
        }
        return formatter.toFormatter(Locale.ENGLISH);
    }

    /** Java's pattern of a directive of C. */
    private static String directive(char directive, String function) {
        return switch (directive) {
            case 'Y' -> "uuuu";
            case 'y' -> "uu";
            case 'm' -> "MM";
            case 'd' -> "dd";
            case 'e' -> "ppd";
            case 'H' -> "HH";
            case 'I' -> "hh";
            case 'M' -> "mm";
            case 'S' -> "ss";
            case 'p' -> "a";
            case 'j' -> "DDD";
            case 'a' -> "EEE";
            case 'A' -> "EEEE";
            case 'b', 'h' -> "MMM";
            case 'B' -> "MMMM";
            case 'z' -> "xx";
            case 'Z' -> "'UTC'";
            case 'T' -> "HH:mm:ss";
            case 'F' -> "uuuu-MM-dd";
            case 'D' -> "MM/dd/uu";
            case 'R' -> "HH:mm";
            case 'c' -> "EEE MMM dd HH:mm:ss uuuu";
            case '%' -> "'%'";
            default -> throw new JqException(function + ": %" + directive + " is not known");
        };
    }
}
