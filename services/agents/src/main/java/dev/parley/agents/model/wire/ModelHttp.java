package dev.parley.agents.model.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Credentials;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okhttp3.sse.EventSource;
import okhttp3.sse.EventSourceListener;
import okhttp3.sse.EventSources;
import org.jspecify.annotations.Nullable;

/** The HTTP client of one provider. Calls block their virtual thread; cancelling a call closes its connection. */
public final class ModelHttp implements AutoCloseable {
    private static final MediaType JSON = MediaType.get("application/json");
    /** Maximum bytes of a response. */
    private static final long MAX_ANSWER = 32L << 20;

    private static final int MAX_ERROR = 64 << 10;
    private static final int IDLE_CONNECTIONS = 64;

    private final ProviderConfig endpoint;
    private final Set<Call> running = ConcurrentHashMap.newKeySet();
    private final OkHttpClient client;
    private final ScheduledThreadPoolExecutor clock;

    /** Opens no connection and starts no thread before the first call. */
    public ModelHttp(ProviderConfig endpoint) {
        this.endpoint = endpoint;
        this.client = client(endpoint);
        this.clock = new ScheduledThreadPoolExecutor(
                1,
                Thread.ofPlatform().name("timeouts-" + endpoint.name()).daemon().factory());
        clock.setRemoveOnCancelPolicy(true); // a call that has ended is not held by its timer
    }

    private static OkHttpClient client(ProviderConfig endpoint) {
        ProviderConfig.Timeouts timeouts = endpoint.timeouts();
        var builder = new OkHttpClient.Builder()
                .connectTimeout(timeouts.connect())
                .readTimeout(Duration.ZERO) // Watch enforces the first-token and idle timeouts
                .writeTimeout(timeouts.idle())
                .callTimeout(timeouts.total())
                .followRedirects(false) // the key is sent to no other host
                .protocols(List.of(Protocol.HTTP_1_1)) // one connection per call: closing one affects no other call
                .connectionPool(new ConnectionPool(IDLE_CONNECTIONS, 5, TimeUnit.MINUTES))
                .addNetworkInterceptor(ModelHttp::intercept);
        StaleConnectionRetry.addTo(builder); // the caller decides about other retries
        if (endpoint.proxy() != null) {
            useProxy(builder, endpoint.proxy());
        }
        return builder.build();
    }

    /** Notes that the request has a connection, and bounds its response. */
    private static Response intercept(Interceptor.Chain chain) throws IOException {
        AtomicBoolean connected = chain.request().tag(AtomicBoolean.class);
        if (connected != null) {
            connected.set(true);
        }
        return Outbound.limit(chain.proceed(chain.request()), MAX_ANSWER);
    }

    private static void useProxy(OkHttpClient.Builder builder, URI proxy) {
        // The proxy's name is resolved for each connection, not once.
        var address = InetSocketAddress.createUnresolved(proxy.getHost(), proxy.getPort());
        builder.proxy(new Proxy(Proxy.Type.HTTP, address));
        String login = proxy.getUserInfo();
        if (login != null) {
            String[] parts = login.split(":", 2);
            String credentials = Credentials.basic(parts[0], parts.length > 1 ? parts[1] : "");
            builder.proxyAuthenticator((_, refused) -> refused.request().header("Proxy-Authorization") != null
                    ? null
                    : refused.request()
                            .newBuilder()
                            .header("Proxy-Authorization", credentials)
                            .build());
        }
    }

    /**
     * Sends a request and forwards the response to {@code handler} until its last event; later errors are ignored.
     *
     * @param path appended to the base URL
     * @param headers headers in addition to those of the endpoint, such as the key
     * @throws ModelFailure when there is no response, or it breaks off
     * @throws InterruptedException when it was cancelled
     */
    public void post(
            String path, Map<String, String> headers, String body, Cancellation cancellation, ResponseHandler handler)
            throws ModelFailure, InterruptedException {
        post(path, headers, RequestBody.create(body, JSON), cancellation, handler);
    }

    /** Sends a form with a file, like {@link #post(String, Map, String, Cancellation, ResponseHandler)}. */
    public void post(
            String path,
            Map<String, String> headers,
            Map<String, String> fields,
            Upload file,
            Cancellation cancellation,
            ResponseHandler handler)
            throws ModelFailure, InterruptedException {
        var form = new MultipartBody.Builder().setType(MultipartBody.FORM);
        new TreeMap<>(fields).forEach(form::addFormDataPart);
        RequestBody bytes = RequestBody.create(file.bytes().toFile(), MediaType.parse(file.mimeType()));
        post(
                path,
                headers,
                form.addFormDataPart(file.field(), file.name(), bytes).build(),
                cancellation,
                handler);
    }

    /** A file of a form. */
    public record Upload(String field, String name, String mimeType, Path bytes) {}

    private void post(
            String path,
            Map<String, String> headers,
            RequestBody body,
            Cancellation cancellation,
            ResponseHandler handler)
            throws ModelFailure, InterruptedException {
        var connected = new AtomicBoolean();
        Call call = client.newCall(request(path, headers, body, connected));
        running.add(call);
        cancellation.onCancel(call::cancel);
        var watch = new Watch(call);
        try (watch;
                Response response = call.execute()) {
            watch.onReceived(false);
            read(response, watch, handler);
        } catch (IOException e) {
            if (cancellation.requested()) {
                Thread.interrupted(); // cleared, so that the caller can still wait for its last records
                throw new InterruptedException("cancelled");
            }
            throw failure(e, watch, connected.get());
        } finally {
            running.remove(call);
        }
    }

    /** @param connected is set as soon as the request has a connection */
    private Request request(String path, Map<String, String> headers, RequestBody body, AtomicBoolean connected) {
        Request.Builder request = new Request.Builder()
                .url(endpoint.baseUrl() + path)
                .header("Accept", "text/event-stream, application/json")
                .header("Accept-Encoding", "identity") // compressing proxies often buffer streams
                .header("User-Agent", "parley");
        endpoint.headers().forEach(request::header);
        headers.forEach(request::header);
        return request.tag(AtomicBoolean.class, connected).post(body).build();
    }

    private static void read(Response response, Watch watch, ResponseHandler handler) throws IOException, ModelFailure {
        if (!response.isSuccessful()) {
            throw ProviderErrors.failure(response.code(), response.headers()::get, start(response));
        }
        ResponseBody body = response.body();
        MediaType type = body.contentType();
        String kind = type == null ? "" : type.type() + "/" + type.subtype();
        switch (kind) {
            case "text/event-stream" -> stream(response, watch, handler);
            case "application/json" -> handler.onBody(body.string());
            default ->
                throw new ModelFailure(
                        ErrorCategory.SERVER,
                        "the provider answered with '%s' instead of events: %s"
                                .formatted(kind, ProviderErrors.brief(start(response))));
        }
    }

    private static void stream(Response response, Watch watch, ResponseHandler handler) throws IOException {
        EventStreamEnd end = EventStreamEnd.of(response);
        var listener = new Listener(watch, handler, end);
        EventSources.processResponse(end.response(), listener);
        listener.rethrow();
    }

    /** Forwards events until the last one, and keeps the first failure. */
    private static final class Listener extends EventSourceListener {
        private final Watch watch;
        private final ResponseHandler handler;
        private final EventStreamEnd end;
        private boolean over;
        private @Nullable Exception failure;

        Listener(Watch watch, ResponseHandler handler, EventStreamEnd end) {
            this.watch = watch;
            this.handler = handler;
            this.end = end;
        }

        @Override
        public void onEvent(EventSource source, @Nullable String id, @Nullable String type, String data) {
            if (over) {
                return;
            }
            try {
                ResponseHandler.Progress progress = handler.onEvent(data);
                watch.onReceived(progress != ResponseHandler.Progress.NO_TOKEN);
                over = progress == ResponseHandler.Progress.END;
            } catch (JsonProcessingException e) {
                over = true;
                failure = end.isReached() ? null : e; // the stream broke off within its last event
            } catch (IOException | RuntimeException e) {
                over = true;
                failure = e;
            }
            if (over) {
                source.cancel(); // stops reading
            }
        }

        @Override
        public void onFailure(EventSource source, @Nullable Throwable t, @Nullable Response response) {
            if (!over) {
                over = true;
                // A stream cut off within a line is not reported as an IOException here.
                failure = t instanceof IOException e ? e : new IOException(String.valueOf(t), t);
            }
        }

        void rethrow() throws IOException {
            if (failure instanceof IOException e) {
                throw e;
            }
            if (failure instanceof RuntimeException mistake) {
                throw mistake;
            }
        }
    }

    /** The beginning of the body of an error. */
    private static String start(Response response) throws IOException {
        return response.peekBody(MAX_ERROR).string();
    }

    private ModelFailure failure(IOException e, Watch watch, boolean connected) {
        String lateReason = watch.lateReason();
        // A parser's exception quotes the answer.
        return lateReason == null
                ? failure(e, connected)
                : timeout(lateReason, e instanceof JsonProcessingException ? null : e);
    }

    private ModelFailure failure(IOException e, boolean connected) {
        ProviderConfig.Timeouts timeouts = endpoint.timeouts();
        return switch (e) {
            case SocketTimeoutException _
            when connected ->
                timeout("%s stopped reading the request for %s".formatted(endpoint.baseUrl(), timeouts.idle()), e);
            case SocketTimeoutException _ ->
                timeout("no connection to %s within %s".formatted(endpoint.baseUrl(), timeouts.connect()), e);
            case InterruptedIOException _ -> timeout("the answer took longer than " + timeouts.total(), e);
            case JsonProcessingException m -> // its message quotes the input, so it is not the cause
                new ModelFailure(
                        ErrorCategory.SERVER,
                        "the provider sent invalid JSON: "
                                + ProviderErrors.brief(String.valueOf(m.getOriginalMessage())));
            case Outbound.TooLongException _ ->
                new ModelFailure(
                        ErrorCategory.SERVER, "the provider's answer is longer than " + (MAX_ANSWER >> 20) + " MiB", e);
            default ->
                new ModelFailure(
                        ErrorCategory.NETWORK, "the connection to %s failed: %s".formatted(endpoint.baseUrl(), e), e);
        };
    }

    private static ModelFailure timeout(String detail, @Nullable IOException cause) {
        return new ModelFailure(ErrorCategory.TIMEOUT, detail, cause);
    }

    /** Cancels a call after the first-token or idle timeout. */
    private final class Watch implements AutoCloseable {
        private final Call call;
        private long receivedAt = System.nanoTime();
        private boolean began;
        private boolean closed;
        private @Nullable Future<?> next;
        private @Nullable String late;

        Watch(Call call) {
            this.call = call;
            check();
        }

        /** Data arrived; {@code hasToken} once it contains a token. */
        synchronized void onReceived(boolean hasToken) {
            began |= hasToken;
            if (began) {
                receivedAt = System.nanoTime();
            }
        }

        private synchronized void check() {
            if (closed) {
                return;
            }
            Duration timeout =
                    began ? endpoint.timeouts().idle() : endpoint.timeouts().firstToken();
            long remaining = receivedAt + timeout.toNanos() - System.nanoTime();
            if (remaining <= 0) {
                late = (began ? "no further data within " : "no data within ") + timeout.toMillis() + " ms";
                call.cancel();
            } else {
                // The idle timeout may be shorter than the rest of the first-token timeout, and may start at any
                // moment.
                long pause = began
                        ? remaining
                        : Math.min(remaining, endpoint.timeouts().idle().toNanos());
                next = clock.schedule(this::check, pause, TimeUnit.NANOSECONDS);
            }
        }

        synchronized @Nullable String lateReason() {
            return late;
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (next != null) {
                next.cancel(false);
            }
        }
    }

    /** Cancels running calls and closes the connections. */
    @Override
    public void close() {
        clock.shutdownNow();
        running.forEach(Call::cancel); // the dispatcher forgets a call as soon as its answer begins
        client.connectionPool().evictAll();
    }
}
