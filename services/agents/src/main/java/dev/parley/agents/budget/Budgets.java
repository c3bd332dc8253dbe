package dev.parley.agents.budget;

import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.protocol.Usage;
import java.util.function.Supplier;

/** Whether a model call may be made, and what it used. */
public interface Budgets {
    /** Where nobody counts. */
    Budgets NONE = (_, _) -> Held.NOTHING;

    /**
     * Reserves what a call may use, for all whom it counts for or for none of them.
     *
     * @param estimate is asked only where somebody has a budget
     */
    Answer hold(Call call, Supplier<Estimate> estimate);

    /** Whether a call may be made. */
    sealed interface Answer {}

    /**
     * A budget is used up, or cannot hold.
     *
     * @param detail as {@link dev.parley.domain.budget.Exhausted} says it
     */
    record Refused(BudgetScope scope, String detail) implements Answer {}

    /** Not now: calls that are being made hold what is left, or nobody knows what is left. */
    record Later(String reason) implements Answer {}

    /** It may be made. End it with {@link #used} or {@link #unused}; a second end changes nothing. */
    non-sealed interface Held extends Answer {
        Held NOTHING = new Held() {
            @Override
            public void used(Usage usage) {}

            @Override
            public void unused() {}

            @Override
            public void goesOn() {}
        };

        /** The call was answered. */
        void used(Usage usage);

        /** There was no answer. */
        void unused();

        /** A sign of life: what is reserved stays so for another lease. */
        void goesOn();
    }
}
