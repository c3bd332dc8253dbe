package dev.parley.agents.budget;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What became of an attempt to reserve. */
sealed interface Verdict {
    /** It is reserved. */
    record Granted(Reservation reservation) implements Verdict {}

    /** Nothing is left of this one's budget. */
    record UsedUp(Share share) implements Verdict {}

    /** Something is left, and other calls hold it. */
    record Taken(Share share) implements Verdict {}

    /** @param rooms one for each share, unless a row is missing: then nothing is reserved */
    static Verdict of(List<Share> shares, List<Room> rooms, Reservation reservation) {
        if (rooms.size() == shares.size() && rooms.stream().allMatch(Room::fits)) {
            return new Granted(reservation);
        }
        Optional<Share> usedUp = first(shares, rooms, Room::usedUp);
        return usedUp.isPresent()
                ? new UsedUp(usedUp.get())
                : new Taken(first(shares, rooms, room -> !room.fits()).orElse(shares.getFirst()));
    }

    private static Optional<Share> first(List<Share> shares, List<Room> rooms, Predicate<Room> which) {
        return shares.stream()
                .filter(share -> rooms.stream()
                        .anyMatch(room -> which.test(room)
                                && room.scope().equals(share.scope().code())))
                .findFirst();
    }
}
