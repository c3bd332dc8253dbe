package dev.parley.domain.budget;

import dev.parley.domain.Coded;
import java.time.LocalDate;
import java.util.Optional;

/** The period of a budget. Days and months are in UTC. */
public enum Period implements Coded {
    DAY,
    MONTH,
    /** Unlimited. */
    TOTAL;

    /** First day of the next period; empty if there is none. */
    public Optional<LocalDate> next(LocalDate today) {
        return switch (this) {
            case DAY -> Optional.of(today.plusDays(1));
            case MONTH -> Optional.of(today.withDayOfMonth(1).plusMonths(1));
            case TOTAL -> Optional.empty();
        };
    }

    /** The period as shown to users. */
    String description() {
        return switch (this) {
            case DAY -> " for today";
            case MONTH -> " for this month";
            case TOTAL -> "";
        };
    }
}
