package dev.parley.channels.contract;

import java.util.Optional;
import java.util.UUID;

/** Links between users of channels and accounts, proved by both sides. */
public interface AccountLinks {

    /** The account of a user of this bot. */
    Optional<UUID> account(String bot, String user);

    /** The result of using a code. */
    sealed interface Linked {
        /** The sender is linked with this account. */
        record Yes(UUID account, String name) implements Linked {}

        /** The code is unknown, used or expired. */
        record WrongCode() implements Linked {}

        /** Too many wrong codes; this one was not checked. */
        record TooOften() implements Linked {}
    }

    /**
     * Uses a code, and links its account with the sender. A redelivery of the same code by the same sender succeeds.
     */
    Linked link(String bot, Sender sender, String code);

    /** Invalidates a code that others could read. */
    void invalidate(String bot, Sender sender, String code);

    /** Removes the link of a user, if it exists. */
    boolean unlink(String bot, String user);
}
