package dev.parley.agents.budget;

import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.protocol.Usage;
import java.util.function.Supplier;

/** Admits model calls and accounts for their usage. */
public interface BudgetAdmission {
    /** No budgets: admits every call and counts nothing. */
    BudgetAdmission NONE = (_, _) -> Admitted.NOTHING;

    /**
     * Reserves the estimate of a call in all budgets that it is charged to, or in none.
     *
     * @param estimate evaluated only where a budget is set
     */
    Admission admit(Call call, Supplier<Estimate> estimate);

    /** The decision about a call. */
    sealed interface Admission {}

    /**
     * The call is refused: a budget is used up, or cannot be enforced.
     *
     * @param detail a text of {@link dev.parley.domain.budget.Exhausted}
     */
    record Refused(BudgetScope scope, String detail) implements Admission {}

    /** The call is to be retried: running calls have reserved the rest of a budget, or the ledger cannot be read. */
    record Deferred(String reason) implements Admission {}

    /** The call is admitted. End it with {@link #settle} or {@link #release}; a second end has no effect. */
    non-sealed interface Admitted extends Admission {
        Admitted NOTHING = new Admitted() {
            @Override
            public void settle(Usage usage) {}

            @Override
            public void release() {}

            @Override
            public void renew() {}
        };

        /** Ends the call with its usage. */
        void settle(Usage usage);

        /** Ends the call without usage. */
        void release();

        /** Renews the reservation for another lease. */
        void renew();
    }
}
