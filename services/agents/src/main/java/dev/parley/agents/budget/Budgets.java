package dev.parley.agents.budget;

import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.protocol.Usage;
import java.util.function.Supplier;

/** Admits model calls and accounts for their usage. */
public interface Budgets {
    /** No budgets: admits every call and counts nothing. */
    Budgets NONE = (_, _) -> Held.NOTHING;

    /**
     * Reserves the estimate of a call for everyone it is charged to, or for nobody.
     *
     * @param estimate evaluated only where a budget is set
     */
    Answer hold(Call call, Supplier<Estimate> estimate);

    /** The decision about a call. */
    sealed interface Answer {}

    /**
     * The call is refused: a budget is used up, or cannot be enforced.
     *
     * @param detail a text of {@link dev.parley.domain.budget.Exhausted}
     */
    record Refused(BudgetScope scope, String detail) implements Answer {}

    /** The call is to be retried: running calls have reserved the rest of a budget, or the ledger cannot be read. */
    record Later(String reason) implements Answer {}

    /** The call is admitted. End it with {@link #used} or {@link #unused}; a second end has no effect. */
    non-sealed interface Held extends Answer {
        Held NOTHING = new Held() {
            @Override
            public void used(Usage usage) {}

            @Override
            public void unused() {}

            @Override
            public void renew() {}
        };

        /** Ends the call with its usage. */
        void used(Usage usage);

        /** Ends the call without usage. */
        void unused();

        /** Renews the reservation for another lease. */
        void renew();
    }
}
