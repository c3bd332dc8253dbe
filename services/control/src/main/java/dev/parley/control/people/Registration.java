package dev.parley.control.people;

import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.network.Network;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The rule for self-registration: the setting {@value #SETTING} decides ({@code "open"} or {@code "closed"}); without
 * it, only servers that listen on a loopback address and have no other public URL allow it. The first account, which
 * becomes administrator, needs the one-time code of the installation in any case.
 */
@Singleton
final class Registration {
    static final String SETTING = "registration";

    private final AccessDirectory directory;
    private final boolean loopback;
    private final byte[] code;

    Registration(
            AccessDirectory directory,
            @Value("${parley.bind:127.0.0.1}") String bind,
            @Value("${parley.url:}") String url,
            @Value("${parley.first-administrator-code:}") String code) {
        this.code = code.getBytes(StandardCharsets.UTF_8);
        this.directory = directory;
        this.loopback = Network.isLoopback(bind, url);
    }

    /**
     * Checks a registration without the key of an administrator.
     *
     * @param first whether the installation has no account yet
     * @param given the code that the server printed when it started, or null
     * @throws ApiException 403 where registration is closed, or the first account has no code
     */
    void check(boolean first, @Nullable String given) {
        if (first) {
            requireCode(given);
            return;
        }
        String setting = directory
                .setting(AccessDirectory.DEFAULT_HOST, SETTING)
                .map(Setting::value)
                .orElse(loopback ? "\"open\"" : "\"closed\"");
        if (!setting.equals("\"open\"")) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN, "registration_closed", "Only administrators can add people here.");
        }
    }

    /** The first account becomes administrator, so whoever adds it proves that they run the server. */
    private void requireCode(@Nullable String given) {
        boolean right =
                code.length > 0 && given != null && MessageDigest.isEqual(code, given.getBytes(StandardCharsets.UTF_8));
        if (!right) {
            throw firstNeedsProof();
        }
    }

    /** The refusal of a first account that nobody with access to the server adds. */
    static ApiException firstNeedsProof() {
        return new ApiException(
                HttpStatus.FORBIDDEN,
                "first_administrator",
                "Register the first administrator with the installation's own key, or with the code that the server printed when it started.");
    }
}
