package dev.parley.platform.config;

/** An invalid setting; the message names it and lists what is allowed. */
public final class ConfigException extends RuntimeException {
    public ConfigException(String key, String problem) {
        super(key + ": " + problem);
    }
}
