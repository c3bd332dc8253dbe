package dev.parley.agents.model;

import dev.parley.domain.protocol.ModelRequest;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The host and user that a model call is made for.
 *
 * @param user the account, or null for calls without a user and for channel users, who have no account
 */
public record CallOwner(UUID host, @Nullable UUID user) {
    private static final Pattern ID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    /** The owner of a request. */
    public static CallOwner of(ModelRequest request) {
        String user = request.user();
        boolean isAccount = user != null && ID.matcher(user).matches();
        return new CallOwner(request.host(), isAccount ? UUID.fromString(user) : null);
    }
}
