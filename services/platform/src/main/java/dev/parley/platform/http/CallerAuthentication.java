package dev.parley.platform.http;

import io.micronaut.security.authentication.Authentication;
import java.util.Map;

/** The caller as an authentication of Micronaut Security. */
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
