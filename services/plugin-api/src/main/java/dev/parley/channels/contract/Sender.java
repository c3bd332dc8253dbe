package dev.parley.channels.contract;

import dev.parley.domain.Names;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The author of a message or command.
 *
 * @param id the channel's own id of the person, unique in the channel
 * @param name display name without hidden characters; chosen by the person, so it proves nothing
 * @param account the linked Parley account, or null
 */
public record Sender(String id, String name, @Nullable UUID account) {
    public Sender {
        String readable = Names.cleaned(name).strip();
        name = readable.isEmpty() ? id : readable;
    }

    /** A sender without a linked account. */
    public Sender(String id, String name) {
        this(id, name, null);
    }

    /** This sender, linked to the given account. */
    public Sender as(UUID linked) {
        return new Sender(id, name, linked);
    }
}
