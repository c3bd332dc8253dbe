package dev.parley.agents.model;

import dev.parley.domain.protocol.ModelRequest;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * For whom a model is asked.
 *
 * @param user null for nobody in particular, and for people of channels, who have no account
 */
public record CallOwner(UUID host, @Nullable UUID user) {
    private static final Pattern ID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    /** Who waits for the answer to a request. */
    public static CallOwner of(ModelRequest request) {
        String user = request.user();
        boolean known = user != null && ID.matcher(user).matches();
        return new CallOwner(request.host(), known ? UUID.fromString(user) : null);
    }
}
