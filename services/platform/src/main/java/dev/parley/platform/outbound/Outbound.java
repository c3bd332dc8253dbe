package dev.parley.platform.outbound;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.http.AddressGuard;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;

/**
 * HTTP client for tools, which enforces the hosts and keys that a scope may use ({@link #in}). Redirects are not followed. A request tagged with an
 * {@link AtomicBoolean} sets it as soon as the server may have received it.
 *
 * <p>{@link #begin} sends a {@code GET} or {@code HEAD} on an idle connection, and again on a new one if the server has
 * closed it. Any other request, and all of {@link #http}, have a new connection: whether a closed one has carried them
 * out would be unknown. {@link #repeating} treats all alike.
 */
public final class Outbound implements AutoCloseable {
    private static final Set<String> REPEATABLE = Set.of("GET", "HEAD");
    /** The client counts milliseconds in an {@code int}. */
    private static final Duration MAX_CALL = Duration.ofDays(20);

    private final ToolsConfig config;
    private final PowerGrants powers;
    private final Secrets secrets;
    private final ScopedNames names;
    private final OkHttpClient http;
    private final OkHttpClient pooled;

    /** @param secrets of tools */
    public Outbound(ToolsConfig config, PowerGrants powers, Secrets secrets) {
        this(config, powers, secrets, Dns.SYSTEM);
    }

    private Outbound(Outbound other, OkHttpClient http, OkHttpClient pooled) {
        config = other.config;
        powers = other.powers;
        secrets = other.secrets;
        names = other.names;
        this.http = http;
        this.pooled = pooled;
    }

    /** The client of another scope, over the same pool; no scope uses the connection of another. */
    private Outbound(Outbound other, CatalogueScope scope) {
        config = other.config;
        powers = other.powers;
        secrets = other.secrets;
        names = new ScopedNames(other.names.names(), other.powers, scope);
        http = guarded(other.http.newBuilder());
        pooled = guarded(other.pooled.newBuilder());
    }

    /** Resolves names to the addresses that a scope may reach. */
    private record ScopedNames(Dns names, PowerGrants powers, CatalogueScope scope) implements Dns {
        @Override
        public List<InetAddress> lookup(String host) throws UnknownHostException {
            return guard().open(host, names.lookup(host));
        }

        AddressGuard guard() {
            return new AddressGuard(host -> powers.allows(Power.privateHost(host.toLowerCase(Locale.ROOT)), scope));
        }
    }

    /**
     * The client for something that a host or project has published, or that runs there: it reaches the private hosts
     * and uses the secrets that are granted to it. A client without a scope reaches public hosts only, without secrets.
     */
    public Outbound in(CatalogueScope scope) {
        return new Outbound(this, scope);
    }

    private OkHttpClient guarded(OkHttpClient.Builder client) {
        client.interceptors().clear();
        client.networkInterceptors().clear();
        return client.dns(names)
                .addInterceptor(this::checkAddress)
                .addNetworkInterceptor(this::checkConnection)
                .build();
    }

    /** A client that treats each request like a {@code GET}, for servers that recognise a repeated request. */
    public Outbound repeating() {
        return new Outbound(this, pooled, pooled);
    }

    /** A client for other protocols, without a read timeout: only the timeout of the call applies. */
    public Outbound speaking(List<Protocol> protocols) {
        OkHttpClient client = http.newBuilder()
                .protocols(protocols)
                .readTimeout(Duration.ZERO)
                .build();
        return new Outbound(this, client, client);
    }

    /**
     * Whether the scope may reach a private host.
     *
     * @param host in lower case
     */
    public boolean isAllowed(String host) {
        return powers.allows(Power.privateHost(host), names.scope());
    }

    /** The client with the configuration of this process. */
    public static Outbound of(ParleyConfig config, Map<String, String> environment) {
        return new Outbound(config.tools(), config.powers(), Secrets.ofTools(config, environment));
    }

    /** @param names resolves names */
    public Outbound(ToolsConfig config, PowerGrants powers, Secrets secrets, Dns names) {
        this.config = config;
        this.powers = powers;
        this.secrets = secrets;
        this.names = new ScopedNames(names, powers, CatalogueScope.INSTALLATION);
        this.http = guarded(new OkHttpClient.Builder()
                .connectTimeout(Duration.ofSeconds(10))
                .readTimeout(Duration.ofSeconds(30))
                .writeTimeout(Duration.ofSeconds(30))
                .retryOnConnectionFailure(false) // the caller decides about retries
                .followRedirects(false) // a redirect could send a key anywhere
                .followSslRedirects(false)
                .proxy(Proxy.NO_PROXY) // a proxy would resolve names itself
                .protocols(List.of(Protocol.HTTP_1_1)) // one connection per call, so that none fails with another one
                .connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS)));
        this.pooled = pooled(http);
    }

    private static OkHttpClient pooled(OkHttpClient http) {
        return http.newBuilder()
                .retryOnConnectionFailure(true)
                .connectionPool(new ConnectionPool(32, 1, TimeUnit.MINUTES))
                .build();
    }

    /**
     * The client of requests that must not be repeated, or of all after {@link #repeating}; derive from it with
     * {@code newBuilder()} for other timeouts.
     */
    public OkHttpClient http() {
        return http;
    }

    /** A request that is cancelled with its call, and at its deadline. */
    public Call begin(Request request, Cancellation cancellation) {
        Call call = (REPEATABLE.contains(request.method()) ? pooled : http)
                .newBuilder()
                .callTimeout(cancellation.deadline().left(MAX_CALL))
                .build()
                .newCall(request);
        cancellation.onCancel(call::cancel);
        return call;
    }

    /**
     * The reason why a request has failed, for a model or a definition.
     *
     * @throws InterruptedException if the call was cancelled
     */
    public static String describeFailure(IOException failure, HttpUrl url, Cancellation cancellation)
            throws InterruptedException {
        if (cancellation.requested() || Thread.interrupted()) {
            throw new InterruptedException("cancelled");
        }
        return failure instanceof UnknownHostException
                ? failure.getMessage()
                        + "; the operator can allow a host to this project (tools.allowedHosts in parley.yml)"
                : "no answer from %s: %s"
                        .formatted(url.host(), failure.getClass().getSimpleName());
    }

    /** Checks literal addresses, which are not resolved. */
    private Response checkAddress(Interceptor.Chain chain) throws IOException {
        String host = chain.request().url().host();
        if (host.matches("[\\d.]+|.*:.*")) {
            names.guard().open(host, List.of(InetAddress.getAllByName(host)));
        }
        return chain.proceed(chain.request());
    }

    /** Checks the connected address before the request is sent. */
    private Response checkConnection(Interceptor.Chain chain) throws IOException {
        Connection connection = chain.connection();
        if (connection == null) {
            throw new IOException("no connection");
        }
        InetAddress address = connection.route().socketAddress().getAddress();
        names.guard().open(chain.request().url().host(), List.of(address));
        AtomicBoolean started = chain.request().tag(AtomicBoolean.class);
        if (started != null) {
            started.set(true);
        }
        return chain.proceed(chain.request());
    }

    /** Limits a response: reading more bytes throws a {@link TooLongException}. */
    public static Response limit(Response response, long limit) {
        ResponseBody body = response.body();
        BufferedSource source = Okio.buffer(new ForwardingSource(body.source()) {
            private long seen;

            @Override
            public long read(Buffer sink, long byteCount) throws IOException {
                long read = super.read(sink, byteCount);
                seen += Math.max(read, 0);
                if (seen > limit) {
                    throw new TooLongException(limit);
                }
                return read;
            }
        });
        return response.newBuilder()
                .body(ResponseBody.create(source, body.contentType(), body.contentLength()))
                .build();
    }

    /** A response exceeds the limit. */
    public static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1;

        TooLongException(long limit) {
            super("the answer is longer than " + (limit >> 20) + " MiB");
        }
    }

    /**
     * Parses a URL of a definition.
     *
     * @throws IllegalArgumentException describing the problem of the field
     */
    public static HttpUrl url(String field, String text) {
        HttpUrl url = HttpUrl.parse(text);
        if (url == null || !url.username().isEmpty() || !url.password().isEmpty() || url.fragment() != null) {
            throw new IllegalArgumentException(
                    field + " is a URL such as https://api.example.com/v1, without user, password and fragment");
        }
        return url;
    }

    /**
     * Resolves a reference to a key for a host.
     *
     * @throws KeyRefusedException if the operator does not allow it for this host, or it is missing
     */
    public String secret(String reference, HttpUrl url) throws KeyRefusedException {
        Optional<String> refusal = powers.refusal(Power.secret(reference), names.scope());
        if (refusal.isPresent()) {
            throw new KeyRefusedException(refusal.get());
        }
        Set<String> hosts = config.secrets().getOrDefault(reference, Set.of());
        if (!hosts.contains(url.host())) {
            throw new KeyRefusedException("the key %s is not for %s; the operator allows %s"
                    .formatted(reference, url.host(), String.join(", ", new TreeSet<>(hosts))));
        }
        if (!url.isHttps() && !isAllowed(url.host())) {
            throw new KeyRefusedException("the key %s is sent by https only".formatted(reference));
        }
        try {
            return secrets.get(reference);
        } catch (Secrets.MissingException e) {
            throw new KeyRefusedException(String.valueOf(e.getMessage()), e);
        }
    }

    /** A key must not be used. */
    public static final class KeyRefusedException extends Exception {
        private static final long serialVersionUID = 1;

        KeyRefusedException(String reason) {
            super(reason);
        }

        KeyRefusedException(String reason, Throwable cause) {
            super(reason, cause);
        }

        /** The reason, without the key. */
        public String why() {
            return String.valueOf(getMessage());
        }
    }

    @Override
    public void close() {
        http.connectionPool().evictAll();
        pooled.connectionPool().evictAll();
    }
}
