package dev.parley.agents.budget;

import dev.parley.domain.budget.Spend;
import dev.parley.domain.budget.SpendingLimit;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Usage of model calls; days and months are in UTC.
 *
 * @param scope Scope: host, project or user.
 * @param unpricedCalls Number of calls of unknown price; the amounts exclude them.
 */
@Serdeable
@Schema(name = "UsageReport")
record UsageJson(
        String scope,
        UUID id,

        @Schema(description = "Budget of the scope; null if there is none.") @Nullable
        Limit budget,

        Amount day,
        Amount month,
        Amount total,

        @Schema(description = "Upper estimate of the usage of running calls.")
        Amount reserved,

        long unpricedCalls) {

    /** Amount in US dollars, and number of input and output tokens. */
    @Serdeable
    @Schema(name = "UsedAmount", description = "Amount in US dollars, and number of input and output tokens.")
    record Amount(BigDecimal amount, long tokens) {
        static Amount of(Spend spend) {
            return new Amount(dollars(spend.nanos()), spend.tokens());
        }
    }

    /**
     * A budget and its usage.
     *
     * @param periodEnd Time at which the next period begins; null for a total budget.
     */
    @Serdeable
    @Schema(name = "Limit", description = "A budget and its usage.")
    record Limit(
            @Nullable BigDecimal amount,
            @Nullable Long tokens,
            String period,
            @Nullable Integer turnsPerMinute,
            Amount spent,
            @Nullable Instant periodEnd) {
        static Limit of(SpendingLimit budget, BudgetUsage used, LocalDate today) {
            return new Limit(
                    budget.nanos() == null ? null : dollars(budget.nanos()),
                    budget.tokens(),
                    budget.period().code(),
                    budget.turnsPerMinute(),
                    Amount.of(used.in(budget.period())),
                    budget.period()
                            .next(today)
                            .map(day -> day.atStartOfDay(ZoneOffset.UTC).toInstant())
                            .orElse(null));
        }
    }

    static UsageJson of(BudgetShare share, BudgetUsage used, LocalDate today) {
        return new UsageJson(
                share.scope().code(),
                share.id(),
                share.budget() == null ? null : Limit.of(share.budget(), used, today),
                Amount.of(used.day()),
                Amount.of(used.month()),
                Amount.of(used.total()),
                Amount.of(used.reserved()),
                used.total().unpriced());
    }

    private static BigDecimal dollars(long nanos) {
        return nanos == 0 ? BigDecimal.ZERO : BigDecimal.valueOf(nanos, 9).stripTrailingZeros();
    }
}
