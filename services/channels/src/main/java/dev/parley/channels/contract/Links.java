package dev.parley.channels.contract;

import java.util.Optional;
import java.util.UUID;

/** Which account somebody of a channel is, because they have proved it on both sides. */
public interface Links {

    /** Whose account somebody of this bot is. */
    Optional<UUID> account(String bot, String user);

    /** What becomes of a code. */
    sealed interface Linked {
        /** From now on the sender is this account's. */
        record Yes(UUID account, String name) implements Linked {}

        /** It is nobody's, was used, or is too old. */
        record WrongCode() implements Linked {}

        /** There were too many wrong ones; this one was not looked at. */
        record TooOften() implements Linked {}
    }

    /** Uses a code up, and links its account with the sender. The same code of the same sender again is still good. */
    Linked link(String bot, Sender sender, String code);

    /** A code was said where others heard it: it is good for nothing any more. */
    void burn(String bot, Sender sender, String code);

    /** Ends the link of somebody, if there is one. */
    boolean unlink(String bot, String user);
}
