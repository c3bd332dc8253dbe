package dev.parley.domain.permission;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What becomes of a tool call, the strictest last. */
public enum PermissionAction {
    /** It is carried out. */
    ALLOW,
    /** A person is asked. */
    ASK,
    /** It is refused. */
    DENY;

    /** Its name in JSON, settings and tables, for example {@code deny}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The action with this name. */
    public static Optional<PermissionAction> of(@Nullable String code) {
        return Arrays.stream(values())
                .filter(action -> action.code().equals(code))
                .findFirst();
    }
}
