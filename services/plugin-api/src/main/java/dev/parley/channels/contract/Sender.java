package dev.parley.channels.contract;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who says something.
 *
 * @param id the channel's own id of the person, unique in the channel
 * @param name what people call them; said by themselves, so it proves nothing
 * @param account the account whose they have proved to be, or null
 */
public record Sender(String id, String name, @Nullable UUID account) {

    /** Somebody of whom nothing is known but what the channel says. */
    public Sender(String id, String name) {
        this(id, name, null);
    }

    /** The same, known to be this account's. */
    public Sender as(UUID known) {
        return new Sender(id, name, known);
    }
}
