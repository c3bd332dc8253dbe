package dev.parley.tools.mcp;

import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.outbound.Outbound.KeyRefusedException;
import dev.parley.platform.outbound.Outbound.TooLongException;
import dev.parley.platform.outbound.TextDecoder;
import dev.parley.tools.mcp.McpServerAddress.Web;
import io.modelcontextprotocol.spec.HttpHeaders;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.sse.EventSource;
import okhttp3.sse.EventSourceListener;
import okhttp3.sse.EventSources;
import org.jspecify.annotations.Nullable;

/**
 * MCP over streamable HTTP: each message is a POST request, answered by a message or an event stream; one GET stream
 * carries notifications.
 */
final class HttpTransport implements McpTransport {
    private static final MediaType JSON = MediaType.get("application/json");
    /** Timeout of a request. */
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(30);

    private final Web server;
    private final Outbound outbound;
    private final OkHttpClient http;
    private final Map<Object, Call> running = new ConcurrentHashMap<>();
    private final Set<Call> streams = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean listens = new AtomicBoolean();
    private volatile @Nullable String session;
    private volatile @Nullable Listener listener;
    private volatile boolean closed;

    HttpTransport(Web server, Outbound outbound) {
        this.server = server;
        this.outbound = outbound;
        this.http = outbound.http()
                .newBuilder()
                .readTimeout(Duration.ZERO) // a tool may take long; its call has a deadline
                .callTimeout(CALL_TIMEOUT)
                .build();
    }

    @Override
    public void open(Listener incoming) {
        listener = incoming;
    }

    @Override
    public boolean answersAtOnce() {
        return true;
    }

    @Override
    public void send(Outgoing message) throws IOException {
        var sent = new AtomicBoolean();
        Request request = request(message.version())
                .header(HttpHeaders.ACCEPT, "application/json, text/event-stream")
                .tag(AtomicBoolean.class, sent)
                .post(RequestBody.create(message.json(), JSON))
                .build();
        try {
            exchange(request, message);
        } catch (TransportException e) {
            throw e;
        } catch (IOException e) {
            throw failure(e, sent.get());
        }
        if (message.id() == null
                && listens.compareAndSet(false, true)) { // the first notification ends the initialisation
            Thread.ofVirtual().name("mcp-stream").start(() -> listen(message.version()));
        }
    }

    /** Sends the request and reads the response; meanwhile it can be aborted. */
    private void exchange(Request request, Outgoing message) throws IOException {
        Object key = message.id() == null ? request : message.id();
        Call call = http.newCall(request);
        running.put(key, call);
        if (closed) {
            call.cancel();
        }
        try (Response response = call.execute()) {
            read(response, message);
        } finally {
            running.remove(key);
        }
    }

    private TransportException failure(IOException e, boolean sent) {
        if (e instanceof UnknownHostException) {
            return new UnsentException(
                    e.getMessage()
                            + "; the operator can allow a host to this project (tools.allowedHosts in parley.yml)",
                    e);
        }
        String reason = e instanceof TooLongException
                ? String.valueOf(e.getMessage())
                : "no answer from %s: %s".formatted(server.label(), e.getClass().getSimpleName());
        @Nullable IOException cause = e instanceof ProtocolException ? null : e; // it quotes the server
        return sent ? new TransportException(reason, cause) : new UnsentException(reason, cause);
    }

    private Request.Builder request(@Nullable String version) throws TransportException {
        var request = new Request.Builder().url(server.url()).header("User-Agent", "parley");
        server.headers().forEach(request::header);
        if (server.auth().isPresent()) {
            try {
                server.auth().get().addTo(request, server.url(), outbound);
            } catch (KeyRefusedException e) {
                throw new UnsentException(e.why(), e);
            }
        }
        Optional.ofNullable(session).ifPresent(id -> request.header(HttpHeaders.MCP_SESSION_ID, id));
        Optional.ofNullable(version).ifPresent(value -> request.header(HttpHeaders.PROTOCOL_VERSION, value));
        return request;
    }

    private void read(Response response, Outgoing message) throws IOException {
        if (response.code() == 404 && session != null) {
            throw new SessionLostException();
        }
        if (!response.isSuccessful()) {
            throw new TransportException("%s answers HTTP %d".formatted(server.label(), response.code()));
        }
        keepSession(response);
        if (message.id() == null) {
            return;
        }
        Response bounded = Outbound.limit(response, MAX_BYTES);
        MediaType type = response.body().contentType();
        String mediaType = type == null ? "" : type.type() + "/" + type.subtype();
        switch (mediaType) {
            case "application/json" ->
                receive(TextDecoder.decode(
                        bounded.body().bytes(), Objects.requireNonNull(type).parameter("charset")));
            case "text/event-stream" -> readEvents(bounded);
            default -> throw new TransportException("%s answers with '%s'".formatted(server.label(), mediaType));
        }
    }

    private void keepSession(Response response) {
        String newSession = response.header(HttpHeaders.MCP_SESSION_ID);
        if (newSession != null && session == null) {
            session = newSession;
        }
    }

    private void receive(String json) throws IOException {
        Listener current = listener;
        if (current != null && !json.isBlank()) {
            current.onMessage(json);
        }
    }

    private void readEvents(Response response) throws IOException {
        var events = new EventReceiver();
        EventSources.processResponse(response, events);
        if (events.failure != null) {
            throw events.failure;
        }
    }

    /** Receives messages from a stream, and keeps the first failure. */
    private final class EventReceiver extends EventSourceListener {
        private @Nullable IOException failure;

        @Override
        public void onEvent(EventSource source, @Nullable String id, @Nullable String type, String data) {
            try {
                receive(data);
            } catch (IOException e) {
                failure = e;
                source.cancel();
            }
        }

        @Override
        public void onFailure(EventSource source, @Nullable Throwable t, @Nullable Response refused) {
            if (failure == null) {
                failure = t instanceof IOException e ? e : new IOException(t);
            }
        }
    }

    /** Reads the server's notifications, which are optional; a stream that ends is not reopened. */
    private void listen(@Nullable String version) {
        try {
            Request request = request(version)
                    .header(HttpHeaders.ACCEPT, "text/event-stream")
                    .build();
            Call call = http.newBuilder().callTimeout(Duration.ZERO).build().newCall(request);
            streams.add(call);
            if (closed) {
                call.cancel();
            }
            try (Response response = call.execute()) {
                MediaType type = response.body().contentType();
                if (response.isSuccessful() && type != null && type.subtype().equals("event-stream")) {
                    readEvents(Outbound.limit(response, MAX_BYTES));
                }
            } finally {
                streams.remove(call);
            }
        } catch (IOException e) {
            // the server works without notifications
        }
    }

    @Override
    public void abort(Object id) {
        Call call = running.get(id);
        if (call != null) {
            call.cancel();
        }
    }

    @Override
    public void close() {
        closed = true;
        running.values().forEach(Call::cancel);
        streams.forEach(Call::cancel);
    }
}
