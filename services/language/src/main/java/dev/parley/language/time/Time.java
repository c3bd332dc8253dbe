package dev.parley.language.time;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/** The meaning of a time expression: one span, a recurring time, or none. */
sealed interface Time permits Span, Time.Never, Time.Cycle {
    /** A contradiction, such as 31 February. */
    enum Never implements Time {
        NEVER
    }

    /** A recurring time. */
    sealed interface Cycle extends Time {
        /** The occurrence in the week or year of this day; null if there is none. */
        @Nullable
        Span around(LocalDate day, ZoneId zone);

        /** This day moved by a number of weeks or years. */
        LocalDate step(LocalDate day, int rounds);
    }

    /** A number of days from a day of the week. */
    record Weekly(int weekday, int days) implements Cycle {
        @Override
        public Span around(LocalDate day, ZoneId zone) {
            LocalDate from =
                    day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).plusDays(weekday - 1L);
            return Calendar.days(from, from.plusDays(days), days == 1 ? CalendarUnit.DAY : CalendarUnit.WEEKEND, zone);
        }

        @Override
        public LocalDate step(LocalDate day, int rounds) {
            return day.plusWeeks(rounds);
        }
    }

    /** A number of months and days from a day of the year. */
    record Yearly(int month, int day, int months, int days, CalendarUnit unit) implements Cycle {
        @Override
        public @Nullable Span around(LocalDate date, ZoneId zone) {
            try {
                LocalDate from = LocalDate.of(date.getYear(), month, day);
                if (days > 1) {
                    LocalDate.of(date.getYear(), month, day + days - 1); // the last day must be in this month, too
                }
                return Calendar.days(from, from.plusMonths(months).plusDays(days), unit, zone);
            } catch (DateTimeException noSuchDay) {
                return null;
            }
        }

        @Override
        public LocalDate step(LocalDate date, int rounds) {
            return date.plusYears(rounds);
        }

        /** Whether any year has this day; 30 February is in none. */
        boolean exists() {
            return around(LocalDate.of(2000, 1, 1), java.time.ZoneOffset.UTC) != null;
        }
    }
}
