package dev.parley.control.people;

import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Network;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;

/**
 * The rule for self-registration: the setting {@value #SETTING} decides ({@code "open"} or {@code "closed"}); without
 * it, only servers that listen on a loopback address and have no other public URL allow it.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Registration {
    static final String SETTING = "registration";

    private final AccessDirectory directory;
    private final boolean loopback;

    Registration(
            AccessDirectory directory,
            @Value("${parley.bind:127.0.0.1}") String bind,
            @Value("${parley.url:}") String url) {
        this.directory = directory;
        this.loopback = Network.isLoopback(bind, url);
    }

    /**
     * @param first whether the installation has no account yet
     * @throws ApiException 403 where registration is closed
     */
    void check(boolean first) {
        String setting = directory
                .setting(AccessDirectory.DEFAULT_HOST, SETTING)
                .map(Setting::value)
                .orElse(loopback ? "\"open\"" : "\"closed\"");
        if (!setting.equals("\"open\"")) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "registration_closed",
                    first
                            ? "Register the first administrator with the installation's own key."
                            : "Only administrators can add people here.");
        }
    }
}
