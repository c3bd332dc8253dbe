package dev.parley.platform.bearer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetRetrievalException;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import dev.parley.platform.config.TokenIssuerConfig;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.outbound.Outbound;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the keys of an issuer from the configured URL or that in its metadata
 * ({@code /.well-known/openid-configuration}). Limits are 5 s and 256 KiB; redirects are not followed, and private
 * addresses must be configured.
 */
final class IssuerKeys implements JWKSetSource<SecurityContext> {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final long MAX_BYTES = 256 << 10;
    private static final int MAX_KEYS = 100;
    private static final long FRESH = Duration.ofHours(1).toNanos();
    private static final ObjectMapper JSON = JsonMappers.request();

    private final TokenIssuerConfig config;
    private final Outbound outbound;
    private final OkHttpClient http;
    private volatile @Nullable Metadata metadata;
    private volatile boolean known;

    /**
     * The metadata of the issuer.
     *
     * @param at in nanoseconds of this process
     */
    private record Metadata(HttpUrl keys, long at) {}

    IssuerKeys(TokenIssuerConfig config, Outbound outbound) {
        this.config = config;
        this.outbound = outbound;
        this.http = outbound.http()
                .newBuilder()
                .connectTimeout(CONNECT)
                .callTimeout(CALL)
                .build();
    }

    /** Whether keys were fetched before. */
    boolean hasKeys() {
        return known;
    }

    @Override
    public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long now, @Nullable SecurityContext context)
            throws KeySourceException {
        try {
            JWKSet keys = JWKSet.parse(get(keysUrl()));
            if (keys.size() > MAX_KEYS) {
                throw new IOException("the issuer has more than " + MAX_KEYS + " keys");
            }
            known = true;
            return keys;
        } catch (IOException | ParseException | IllegalArgumentException e) {
            throw new JWKSetRetrievalException("the keys of " + config.issuer() + ": " + e.getMessage(), e);
        }
    }

    /** URL of the keys. Stale metadata is used while the issuer does not answer. */
    private HttpUrl keysUrl() throws IOException {
        URI configured = config.jwks();
        if (configured != null) {
            return url(configured.toString());
        }
        Metadata before = this.metadata;
        if (before != null && System.nanoTime() - before.at() < FRESH) {
            return before.keys();
        }
        try {
            HttpUrl keys = discover();
            this.metadata = new Metadata(keys, System.nanoTime());
            return keys;
        } catch (IOException e) {
            if (before == null) {
                throw e;
            }
            return before.keys();
        }
    }

    private HttpUrl discover() throws IOException {
        String base = config.issuer().replaceAll("/+$", "");
        JsonNode metadata = JSON.readTree(get(url(base + "/.well-known/openid-configuration")));
        String name = metadata.path("issuer").asText("");
        if (!name.equals(config.issuer())) {
            throw new IOException("the issuer calls itself by another name than " + config.issuer());
        }
        HttpUrl keys = url(metadata.path("jwks_uri").asText(""));
        if (!keys.isHttps() && !config.issuer().startsWith("http:")) {
            throw new IOException("the address of its keys is not secure");
        }
        return keys;
    }

    private static HttpUrl url(String text) throws IOException {
        HttpUrl url = HttpUrl.parse(text);
        if (url == null || !url.username().isEmpty() || !url.password().isEmpty()) {
            throw new IOException("no address to ask for keys");
        }
        return url;
    }

    private String get(HttpUrl url) throws IOException {
        Request request = new Request.Builder()
                .url(url)
                .header("Accept", "application/json")
                .header("User-Agent", "parley")
                .build();
        try (Response response = http.newCall(request).execute()) {
            if (response.code() != 200) {
                throw new IOException(url.host() + " answered " + response.code());
            }
            if (response.body().source().request(MAX_BYTES + 1)) {
                throw new IOException(url.host() + " answers more than " + MAX_BYTES + " bytes");
            }
            return response.body().string();
        }
    }

    @Override
    public void close() {
        outbound.close();
    }
}
