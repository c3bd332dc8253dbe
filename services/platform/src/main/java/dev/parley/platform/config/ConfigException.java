package dev.parley.platform.config;

/** A setting that cannot be used; the message names it and says what it may be. */
public final class ConfigException extends RuntimeException {
    public ConfigException(String key, String problem) {
        super(key + ": " + problem);
    }
}
