package dev.parley.agents.budget;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The result of an attempt to reserve. */
sealed interface ReserveResult {
    /** The estimate is reserved. */
    record Granted(Reservation reservation) implements ReserveResult {}

    /** The budget of this share is used up. */
    record UsedUp(BudgetShare share) implements ReserveResult {}

    /** Running calls have reserved the rest of the budget. */
    record Taken(BudgetShare share) implements ReserveResult {}

    /** @param checks one for each share, unless a row is missing: then nothing is reserved */
    static ReserveResult of(List<BudgetShare> shares, List<BudgetCheck> checks, Reservation reservation) {
        if (checks.size() == shares.size() && checks.stream().allMatch(BudgetCheck::fits)) {
            return new Granted(reservation);
        }
        Optional<BudgetShare> usedUp = first(shares, checks, BudgetCheck::usedUp);
        return usedUp.isPresent()
                ? new UsedUp(usedUp.get())
                : new Taken(first(shares, checks, check -> !check.fits()).orElse(shares.getFirst()));
    }

    private static Optional<BudgetShare> first(
            List<BudgetShare> shares, List<BudgetCheck> checks, Predicate<BudgetCheck> condition) {
        return shares.stream()
                .filter(share -> checks.stream()
                        .anyMatch(check -> condition.test(check)
                                && check.scope().equals(share.scope().code())))
                .findFirst();
    }
}
