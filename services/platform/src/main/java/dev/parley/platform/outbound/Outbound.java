package dev.parley.platform.outbound;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.Secrets;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.http.AddressGuard;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * HTTP client for tools, which enforces allowed hosts and keys. Redirects are not followed. A request tagged with an
 * {@link AtomicBoolean} sets it as soon as the server may have received it.
 *
 * <p>{@link #begin} sends a {@code GET} or {@code HEAD} on an idle connection, and again on a new one if the server has
 * closed it. Any other request, and all of {@link #http}, have a new connection: whether a closed one has carried them
 * out would be unknown. {@link #repeating} treats all alike.
 */
public final class Outbound implements AutoCloseable {
    private static final Set<String> REPEATABLE = Set.of("GET", "HEAD");

    private final ToolsConfig config;
    private final Secrets secrets;
    private final AddressGuard guard;
    private final OkHttpClient http;
    private final OkHttpClient pooled;

    /** @param secrets of tools */
    public Outbound(ToolsConfig config, Secrets secrets) {
        this(config, secrets, Dns.SYSTEM);
    }

    private Outbound(Outbound other, OkHttpClient http) {
        config = other.config;
        secrets = other.secrets;
        guard = other.guard;
        this.http = http;
        pooled = http;
    }

    /** A client that treats each request like a {@code GET}, for servers that recognise a repeated request. */
    public Outbound repeating() {
        return new Outbound(this, pooled);
    }

    /** A client for other protocols, without a read timeout: only the timeout of the call applies. */
    public Outbound speaking(List<Protocol> protocols) {
        return new Outbound(
                this,
                http.newBuilder()
                        .protocols(protocols)
                        .readTimeout(Duration.ZERO)
                        .build());
    }

    /**
     * Whether the operator allows a private host.
     *
     * @param host in lower case
     */
    public boolean isAllowed(String host) {
        return config.allowedHosts().contains(host);
    }

    /** The client with the configuration of this process. */
    public static Outbound of(ParleyConfig config, Map<String, String> environment) {
        return new Outbound(config.tools(), Secrets.ofTools(config, environment));
    }

    /** @param names resolves names */
    public Outbound(ToolsConfig config, Secrets secrets, Dns names) {
        this.config = config;
        this.secrets = secrets;
        this.guard = new AddressGuard(host -> config.allowedHosts().contains(host.toLowerCase(Locale.ROOT)));
        this.http = new OkHttpClient.Builder()
                .connectTimeout(Duration.ofSeconds(10))
                .readTimeout(Duration.ofSeconds(30))
                .writeTimeout(Duration.ofSeconds(30))
                .retryOnConnectionFailure(false) // the caller decides about retries
                .followRedirects(false) // a redirect could send a key anywhere
                .followSslRedirects(false)
                .proxy(Proxy.NO_PROXY) // a proxy would resolve names itself
                .dns(host -> guard.open(host, names.lookup(host)))
                .protocols(List.of(Protocol.HTTP_1_1)) // one connection per call, so that none fails with another one
                .connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS))
                .addInterceptor(this::checkAddress)
                .addNetworkInterceptor(this::checkConnection)
                .build();
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

    /** A request that is cancelled with its call, and at the deadline. */
    public Call begin(Request request, Instant deadline, Cancellation cancellation) {
        Duration remaining = Duration.between(Instant.now(), deadline);
        Call call = (REPEATABLE.contains(request.method()) ? pooled : http)
                .newBuilder()
                .callTimeout(remaining.isPositive() ? remaining : Duration.ofMillis(1))
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
                ? failure.getMessage() + "; the operator can allow a host (tools.allowedHosts in parley.yml)"
                : "no answer from %s: %s"
                        .formatted(url.host(), failure.getClass().getSimpleName());
    }

    /** Checks literal addresses, which are not resolved. */
    private Response checkAddress(Interceptor.Chain chain) throws IOException {
        String host = chain.request().url().host();
        if (host.matches("[\\d.]+|.*:.*")) {
            guard.open(host, List.of(InetAddress.getAllByName(host)));
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
        guard.open(chain.request().url().host(), List.of(address));
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

    /** Whether local programs may be started. */
    public boolean stdio() {
        return config.stdio();
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
        Set<String> hosts = config.secrets().get(reference);
        if (hosts == null) {
            throw new KeyRefusedException("the key %s is not one that the operator allows (tools.secrets in parley.yml)"
                    .formatted(reference));
        }
        if (!hosts.contains(url.host())) {
            throw new KeyRefusedException("the key %s is not for %s; the operator allows %s"
                    .formatted(reference, url.host(), String.join(", ", new TreeSet<>(hosts))));
        }
        if (!url.isHttps() && !config.allowedHosts().contains(url.host())) {
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
