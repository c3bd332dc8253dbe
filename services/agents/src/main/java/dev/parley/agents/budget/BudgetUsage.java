package dev.parley.agents.budget;

import dev.parley.domain.budget.Period;
import dev.parley.domain.budget.Spend;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The usage of a host, project or user.
 *
 * @param day today, in UTC
 * @param month this month, in UTC
 * @param total since counting began; includes calls of unknown cost
 * @param reserved the amounts reserved for running calls
 */
public record BudgetUsage(Spend day, Spend month, Spend total, Spend reserved) {
    private static final BudgetUsage NOTHING =
            new BudgetUsage(Spend.NOTHING, Spend.NOTHING, Spend.NOTHING, Spend.NOTHING);

    static BudgetUsage of(ResultSet row) throws SQLException {
        return row.next()
                ? new BudgetUsage(
                        new Spend(row.getLong(1), row.getLong(2), 0),
                        new Spend(row.getLong(3), row.getLong(4), 0),
                        new Spend(row.getLong(5), row.getLong(6), row.getLong(7)),
                        new Spend(row.getLong(8), row.getLong(9), 0))
                : NOTHING;
    }

    /** The usage of this period. */
    public Spend in(Period period) {
        return switch (period) {
            case DAY -> day;
            case MONTH -> month;
            case TOTAL -> total;
        };
    }
}
