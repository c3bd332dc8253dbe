package dev.parley.agents.budget;

import dev.parley.domain.budget.Exhausted;
import dev.parley.domain.budget.Spend;
import dev.parley.domain.budget.SpendingLimit;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Sql.FailedException;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Budgets enforced with a ledger; each call is checked against the budgets as they are set at that moment. */
public final class LedgerBudgets implements BudgetAdmission {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerBudgets.class);

    private final AccessDirectory directory;
    private final BudgetLedger ledger;
    private final UsageWriter usageWriter;
    private final MeterRegistry meters;

    /** @param directory has the budgets */
    LedgerBudgets(AccessDirectory directory, BudgetLedger ledger, UsageWriter usageWriter, MeterRegistry meters) {
        this.directory = directory;
        this.ledger = ledger;
        this.usageWriter = usageWriter;
        this.meters = meters;
    }

    @Override
    public Admission admit(Call call, Supplier<Estimate> estimate) {
        List<BudgetShare> shares = BudgetShare.of(call, directory);
        if (shares.stream().noneMatch(BudgetShare::boundsCalls)) {
            return new Unreserved(call, shares);
        }
        Estimate estimated = estimate.get();
        Optional<BudgetShare> unpriced = estimated.nanos() == null
                ? shares.stream().filter(BudgetShare::boundsMoney).findFirst()
                : Optional.empty();
        return unpriced.isPresent()
                ? refusal(unpriced.get(), Exhausted.withoutPrice(unpriced.get().scope(), call.provider(), call.model()))
                : reserve(call, shares, estimated);
    }

    private Admission reserve(Call call, List<BudgetShare> shares, Estimate estimate) {
        try {
            var spend = new Spend(Objects.requireNonNullElse(estimate.nanos(), 0L), estimate.tokens(), 0);
            return switch (ledger.reserve(call, shares, spend)) {
                case ReserveResult.Granted granted -> new Reserved(call, granted.reservation());
                case ReserveResult.UsedUp none -> refusal(none.share(), describeUsedUp(none.share()));
                case ReserveResult.Taken taken ->
                    new Deferred("running calls have reserved the rest of the budget of the "
                            + taken.share().scope().code());
            };
        } catch (FailedException e) {
            return new Deferred("budgets cannot be read: " + e.getMessage());
        }
    }

    private String describeUsedUp(BudgetShare share) {
        SpendingLimit budget = Objects.requireNonNull(share.budget());
        return Exhausted.detail(share.scope(), budget.period(), ledger.today());
    }

    private Refused refusal(BudgetShare share, String detail) {
        meters.counter("parley_budget_refusals", "scope", share.scope().code()).increment();
        return new Refused(share.scope(), detail);
    }

    private Spend countSpend(Call call, Usage usage) {
        Long cost = usage.costNanos();
        meters.counter("parley_cost_usd", "provider", call.provider()).increment(cost == null ? 0 : cost / 1e9);
        return new Spend(cost == null ? 0 : cost, usage.tokens(), cost == null ? 1 : 0);
    }

    /** A call without a budget: its usage is added later, in a batch. */
    private final class Unreserved implements Admitted {
        private final Call call;
        private final List<BudgetShare> shares;

        Unreserved(Call call, List<BudgetShare> shares) {
            this.call = call;
            this.shares = shares;
        }

        @Override
        public void settle(Usage usage) {
            Spend spend = countSpend(call, usage);
            shares.forEach(share -> usageWriter.add(call.host(), share.scope(), share.id(), spend));
        }

        @Override
        public void release() {}

        @Override
        public void renew() {}
    }

    /** A call with a reservation. */
    private final class Reserved implements Admitted {
        private final Call call;
        private final Reservation reservation;
        private boolean ended;

        Reserved(Call call, Reservation reservation) {
            this.call = call;
            this.reservation = reservation;
        }

        @Override
        public synchronized void settle(Usage usage) {
            if (!ended) {
                end(countSpend(call, usage));
            }
        }

        @Override
        public synchronized void release() {
            if (!ended) {
                end(Spend.NOTHING);
            }
        }

        private void end(Spend used) {
            ended = true;
            if (Thread.currentThread().isInterrupted()) {
                usageWriter.end(reservation, used); // an interrupted thread cannot use the database
                return;
            }
            try {
                ledger.settle(reservation, used);
            } catch (FailedException e) {
                LOG.atWarn()
                        .addKeyValue("call", call.callId())
                        .addKeyValue("reason", e.getMessage())
                        .log("usage of a call could not be recorded; it is retried");
                usageWriter.end(reservation, used);
            }
        }

        @Override
        public void renew() {
            ledger.renew(reservation);
        }
    }
}
