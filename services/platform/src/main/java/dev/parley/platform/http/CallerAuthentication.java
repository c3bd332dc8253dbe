package dev.parley.platform.http;

import io.micronaut.security.authentication.Authentication;
import java.util.Map;

/** The caller, as Micronaut Security hands it on. */
record CallerAuthentication(Caller caller) implements Authentication {
    @Override
    public String getName() {
        return caller.user();
    }

    @Override
    public Map<String, Object> getAttributes() {
        return Map.of();
    }
}
