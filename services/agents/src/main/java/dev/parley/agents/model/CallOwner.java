package dev.parley.agents.model;

import dev.parley.domain.Ids;
import dev.parley.domain.protocol.ModelRequest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The host and user that a model call is made for.
 *
 * @param user the account, or null for calls without a user and for channel users, who have no account
 */
public record CallOwner(UUID host, @Nullable UUID user) {
    /** The owner of a request. */
    public static CallOwner of(ModelRequest request) {
        String user = request.user();
        return new CallOwner(request.host(), user != null && Ids.isId(user) ? Ids.parse(user) : null);
    }
}
