package dev.parley.channels.teams;

import java.net.URI;
import java.util.Objects;
import java.util.Set;

/**
 * The addresses of Microsoft's services for a bot. Those of the public cloud and of the US government are known; below
 * any other API address all services are expected at their usual paths.
 *
 * @param api base of the connector; a service URL of an activity has its scheme, host and port
 * @param login base of Entra ID
 * @param metadata of the service that signs activities
 * @param issuer of its tokens, whose scope is {@code {issuer}/.default}
 * @param entra bases of the names of Entra ID, which a tenant follows
 * @see <a href="https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication">
 *     authentication</a>
 */
record TeamsCloud(URI api, URI login, URI metadata, String issuer, Entra entra) {
    static final URI PUBLIC = URI.create("https://smba.trafficmanager.net");

    private static final String METADATA = "/v1/.well-known/openidconfiguration";
    private static final String ISSUER = "https://api.botframework.com";
    private static final Entra ENTRA = new Entra("https://sts.windows.net/", "https://login.microsoftonline.com/");

    /** The two forms of the issuer of Entra ID, before the tenant. */
    record Entra(String first, String second) {}

    static TeamsCloud of(URI api) {
        String host = Objects.requireNonNullElse(api.getHost(), "");
        if (host.equals(PUBLIC.getHost()) || host.endsWith(".teams.microsoft.com")) {
            return new TeamsCloud(
                    api,
                    URI.create("https://login.microsoftonline.com"),
                    URI.create("https://login.botframework.com" + METADATA),
                    ISSUER,
                    ENTRA);
        }
        if (host.endsWith(".microsoft.us")) {
            return new TeamsCloud(
                    api,
                    URI.create("https://login.microsoftonline.us"),
                    URI.create("https://login.botframework.azure.us" + METADATA),
                    "https://api.botframework.us",
                    new Entra(ENTRA.first(), "https://login.microsoftonline.us/"));
        }
        return new TeamsCloud(api, api, URI.create(api + METADATA), ISSUER, ENTRA);
    }

    /** Where a bot of this tenant gets its token. */
    URI token(String tenant) {
        return URI.create(login + "/" + tenant + "/oauth2/v2.0/token");
    }

    /** The keys of Entra ID. */
    URI entraKeys() {
        return URI.create(login + "/common/discovery/v2.0/keys");
    }

    String scope() {
        return issuer + "/.default";
    }

    /** Who signs tokens of Entra ID for this tenant. */
    Set<String> entraIssuers(String tenant) {
        return Set.of(entra.first() + tenant + "/", entra.second() + tenant + "/v2.0");
    }

    /** The service URL of conversations that began with a message of the bot. */
    String serviceUrl() {
        return api.equals(PUBLIC) ? api + "/teams" : api.toString();
    }

    /** Whether a URL leads to the connector, to which the bot's token may be sent. */
    boolean isConnector(String url) {
        try {
            URI to = URI.create(url);
            return to.getUserInfo() == null
                    && api.getScheme().equalsIgnoreCase(to.getScheme())
                    && Objects.requireNonNullElse(api.getHost(), "").equalsIgnoreCase(to.getHost())
                    && port(api) == port(to);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }
}
