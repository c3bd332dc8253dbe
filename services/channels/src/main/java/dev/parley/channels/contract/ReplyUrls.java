package dev.parley.channels.contract;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.http.AddressGuard;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import okhttp3.Dns;
import okhttp3.HttpUrl;

/**
 * Validation of URLs that projects configure: public https hosts, and hosts that the operator allows ({@code
 * tools.allowedHosts}). The address is checked again with each connection.
 */
@Singleton
@Requires(beans = ParleyConfig.class)
public final class ReplyUrls {
    private static final int MAX_LENGTH = 2_000;

    private final PowerGrants powers;
    private final Dns names;

    @Inject
    ReplyUrls(ParleyConfig config) {
        this(config.powers(), Dns.SYSTEM);
    }

    /** @param powers which hosts may be private, or without TLS, for which project */
    public ReplyUrls(PowerGrants powers, Dns names) {
        this.powers = powers;
        this.names = names;
    }

    /**
     * Checks the URL of a project.
     *
     * @throws ApiException 400 for a malformed URL, or one in a private network
     */
    public void check(UUID host, UUID project, String text) {
        HttpUrl url = parse(text);
        AddressGuard guard = guard(powers, new CatalogueScope(host, project));
        if (!url.isHttps() && !guard.allowed().test(url.host())) {
            throw invalid("begins with https://");
        }
        requirePublic(guard, url.host());
    }

    /** The guard of connections to URLs of a project. */
    public static AddressGuard guard(PowerGrants powers, CatalogueScope scope) {
        return new AddressGuard(host -> powers.allows(Power.privateHost(host.toLowerCase(Locale.ROOT)), scope));
    }

    /**
     * Parses a URL that an operator may set; private addresses are allowed.
     *
     * @throws ApiException 400
     */
    public static HttpUrl parse(String text) {
        HttpUrl url = text.length() > MAX_LENGTH ? null : HttpUrl.parse(text);
        if (url == null
                || !url.username().isEmpty()
                || !url.password().isEmpty()
                || url.fragment() != null
                || !isUri(text)) {
            throw invalid("is a URL such as https://example.com/replies, without user, password and fragment");
        }
        return url;
    }

    private static boolean isUri(String text) {
        try {
            return URI.create(text).getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void requirePublic(AddressGuard guard, String host) {
        try {
            boolean isLiteral = host.matches("[\\d.]+|.*:.*");
            guard.open(host, isLiteral ? List.of(InetAddress.getByName(host)) : names.lookup(host));
        } catch (AddressGuard.PrivateAddressException e) {
            throw invalid(
                    "leads into a private network; the operator can allow a host to this project (tools.allowedHosts)");
        } catch (UnknownHostException e) {
            throw invalid("has a host that cannot be found: " + host);
        }
    }

    private static ApiException invalid(String problem) {
        return ApiException.badRequest("invalid_url", "The field 'url' " + problem);
    }
}
