package dev.parley.control.people;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.PublicUrl;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Allowed redirect targets after sign-in: a path of this server, or an exact address from the configuration. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Redirects {
    /** Not two slashes, and no backslash: browsers take both for the beginning of another server's name. */
    private static final Pattern PATH = Pattern.compile("/(?!/)[!-~&&[^\\\\#]]{0,2000}");

    private final ParleyConfig config;
    private final PublicUrl url;

    Redirects(ParleyConfig config, PublicUrl url) {
        this.config = config;
        this.url = url;
    }

    /**
     * The whole address.
     *
     * @param wanted null where somebody does not want to be sent anywhere
     * @throws ApiException 400 where nobody may be sent there
     */
    @Nullable
    URI check(@Nullable String wanted) {
        if (wanted == null || wanted.isEmpty()) {
            return null;
        }
        if (config.signIn().redirects().contains(wanted)) {
            return URI.create(wanted);
        }
        try {
            URI own = url.of("/");
            URI address = own.resolve(wanted);
            if (PATH.matcher(wanted).matches()
                    && Objects.equals(own.getScheme(), address.getScheme())
                    && Objects.equals(own.getRawAuthority(), address.getRawAuthority())) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw ApiException.badRequest(
                "invalid_redirect",
                "'redirect' must be a path of this server, or an address that signIn.redirects allows");
    }

    /** The address with something for the page that is there; other servers do not see it. */
    static URI with(URI address, String name, String value) {
        return URI.create(address + "#" + name + "=" + value);
    }
}
