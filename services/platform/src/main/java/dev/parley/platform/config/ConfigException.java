package dev.parley.platform.config;

import org.jspecify.annotations.Nullable;

/** An invalid setting; the message names it and lists what is allowed. */
public final class ConfigException extends RuntimeException {
    public ConfigException(String key, String problem) {
        this(key, problem, null);
    }

    /** @param cause the exception behind the problem, without secrets, or null */
    public ConfigException(String key, String problem, @Nullable Throwable cause) {
        super(key + ": " + problem, cause);
    }
}
