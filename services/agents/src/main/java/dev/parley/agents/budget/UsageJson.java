package dev.parley.agents.budget;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.budget.Budget;
import dev.parley.domain.budget.Spend;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What somebody has used, and may use. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "Usage", description = "What model calls have used; days and months are those of UTC.")
record UsageJson(
        @Schema(description = "host, project or user") String scope,
        UUID id,

        @Schema(description = "What is set, or null.") @Nullable
        Limit budget,

        Amount day,
        Amount month,
        Amount total,

        @Schema(description = "What calls that are being made may use at the most.")
        Amount reserved,

        @Schema(description = "Calls whose price is not known: the amounts lack them.")
        long unpricedCalls) {

    /** Money and tokens. */
    @Serdeable
    @Schema(name = "UsedAmount", description = "US dollars, and tokens in and out.")
    record Amount(BigDecimal amount, long tokens) {
        static Amount of(Spend spend) {
            return new Amount(dollars(spend.nanos()), spend.tokens());
        }
    }

    /** A budget, and what of it is used. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Limit", description = "A budget, and what of it is used.")
    record Limit(
            @Nullable BigDecimal amount,
            @Nullable Long tokens,
            String period,
            @Nullable Integer turnsPerMinute,
            Amount spent,

            @Schema(description = "When it begins anew, or null.") @Nullable
            Instant periodEnd) {
        static Limit of(Budget budget, BudgetUsage used, LocalDate today) {
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
