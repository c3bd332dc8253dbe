package dev.parley.agents.budget;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What became of an attempt to reserve. */
sealed interface Verdict {
    /** It is reserved. */
    record Granted(Reservation reservation) implements Verdict {}

    /** Nothing is left of this one's budget. */
    record UsedUp(BudgetShare share) implements Verdict {}

    /** Something is left, and other calls hold it. */
    record Taken(BudgetShare share) implements Verdict {}

    /** @param rooms one for each share, unless a row is missing: then nothing is reserved */
    static Verdict of(List<BudgetShare> shares, List<BudgetCheck> rooms, Reservation reservation) {
        if (rooms.size() == shares.size() && rooms.stream().allMatch(BudgetCheck::fits)) {
            return new Granted(reservation);
        }
        Optional<BudgetShare> usedUp = first(shares, rooms, BudgetCheck::usedUp);
        return usedUp.isPresent()
                ? new UsedUp(usedUp.get())
                : new Taken(first(shares, rooms, room -> !room.fits()).orElse(shares.getFirst()));
    }

    private static Optional<BudgetShare> first(
            List<BudgetShare> shares, List<BudgetCheck> rooms, Predicate<BudgetCheck> which) {
        return shares.stream()
                .filter(share -> rooms.stream()
                        .anyMatch(room -> which.test(room)
                                && room.scope().equals(share.scope().code())))
                .findFirst();
    }
}
