package dev.parley.language.time;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/** What words about a time mean: one time, one that comes again, or none at all. */
sealed interface Time permits Span, Time.Never, Time.Cycle {
    /** What contradicts itself, as 31 February does. */
    enum Never implements Time {
        NEVER
    }

    /** What comes again and again. */
    sealed interface Cycle extends Time {
        /** Its occurrence of the week or year of this day; null where that has none. */
        @Nullable
        Span around(LocalDate day, ZoneId zone);

        /** This many weeks or years away from this day. */
        LocalDate step(LocalDate day, int rounds);
    }

    /** From this day of the week on, some days. */
    record Weekly(int weekday, int days) implements Cycle {
        @Override
        public Span around(LocalDate day, ZoneId zone) {
            LocalDate from =
                    day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).plusDays(weekday - 1L);
            return Calendar.days(from, from.plusDays(days), days == 1 ? Unit.DAY : Unit.WEEKEND, zone);
        }

        @Override
        public LocalDate step(LocalDate day, int rounds) {
            return day.plusWeeks(rounds);
        }
    }

    /** From this day of the year on, some months and days. */
    record Yearly(int month, int day, int months, int days, Unit unit) implements Cycle {
        @Override
        public @Nullable Span around(LocalDate date, ZoneId zone) {
            try {
                LocalDate from = LocalDate.of(date.getYear(), month, day);
                if (days > 1) {
                    LocalDate.of(date.getYear(), month, day + days - 1); // the last day has to be of this month, too
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

        /** Whether some year has it: 30 February is in none. */
        boolean exists() {
            return around(LocalDate.of(2000, 1, 1), java.time.ZoneOffset.UTC) != null;
        }
    }
}
