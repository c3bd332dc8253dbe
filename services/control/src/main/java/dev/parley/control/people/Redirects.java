package dev.parley.control.people;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.network.PublicUrl;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Allowed redirect targets after sign-in: a path of this server, or an exact address from the configuration. */
@Singleton
final class Redirects {
    /** A path without second slash and backslash: browsers read both as the beginning of a server name. */
    private static final Pattern PATH = Pattern.compile("/(?!/)[!-~&&[^\\\\#]]{0,2000}");

    private final ParleyConfig config;
    private final PublicUrl url;

    Redirects(ParleyConfig config, PublicUrl url) {
        this.config = config;
        this.url = url;
    }

    /**
     * The absolute URL of an allowed target.
     *
     * @param target null or empty for none
     * @throws ApiException 400 where the target is not allowed
     */
    @Nullable
    URI check(@Nullable String target) {
        if (target == null || target.isEmpty()) {
            return null;
        }
        if (config.signIn().redirects().contains(target)) {
            return URI.create(target);
        }
        try {
            URI base = url.of("/");
            URI address = base.resolve(target);
            if (PATH.matcher(target).matches()
                    && Objects.equals(base.getScheme(), address.getScheme())
                    && Objects.equals(base.getRawAuthority(), address.getRawAuthority())) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw ApiException.badRequest(
                "invalid_redirect",
                "'redirect' must be a path of this server, or an address that signIn.redirects allows");
    }

    /** The URL with a fragment parameter, which browsers do not send to servers. */
    static URI with(URI address, String name, String value) {
        return URI.create(address + "#" + name + "=" + value);
    }
}
