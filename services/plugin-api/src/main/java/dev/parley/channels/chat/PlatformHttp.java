package dev.parley.channels.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.json.ExactJson;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;

/**
 * HTTP and WebSocket client of one bot for its platform. A call blocks, is made once and follows no redirect; a call
 * without an answer reports whether it may have been carried out. {@link #close} aborts running calls.
 *
 * @param <E> exception for refusals of the platform
 */
public final class PlatformHttp<E extends Exception> implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Bytes per second. */
    private static final int MIN_RATE = 50_000;

    private static final ObjectMapper JSON = ExactJson.request();

    private final NoAnswer<E> noAnswer;
    private final OkHttpClient http;
    private final Set<Call> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Maps a call without an answer to an exception. */
    public interface NoAnswer<E extends Exception> {
        /** @param inDoubt whether the request may have been carried out */
        E of(IOException cause, boolean inDoubt);
    }

    /** Reads a response. */
    public interface Reader<T, E extends Exception> {
        T read(Response response) throws IOException, E;
    }

    public PlatformHttp(NoAnswer<E> noAnswer) {
        this(client -> client, noAnswer);
    }

    /** @param settings additional settings of the client, such as an address guard */
    public PlatformHttp(UnaryOperator<OkHttpClient.Builder> settings, NoAnswer<E> noAnswer) {
        this.noAnswer = noAnswer;
        var client = new OkHttpClient.Builder()
                .connectTimeout(CONNECT_TIMEOUT)
                .retryOnConnectionFailure(false) // a message might be sent twice
                .followRedirects(false) // the token is sent to no other host
                .protocols(List.of(Protocol.HTTP_1_1)) // one broken connection breaks one call
                .connectionPool(new ConnectionPool(32, 1, TimeUnit.MINUTES))
                .addNetworkInterceptor(chain -> {
                    AtomicBoolean sent = chain.request().tag(AtomicBoolean.class);
                    if (sent != null) {
                        sent.set(true);
                    }
                    return chain.proceed(chain.request());
                });
        this.http = settings.apply(client).build();
    }

    /**
     * Makes a call.
     *
     * @param timeout timeout of the answer
     * @throws InterruptedException also when this is closed
     */
    public <T> T run(Request request, Duration timeout, Reader<T, E> reader) throws E, InterruptedException {
        var sent = new AtomicBoolean();
        Call call = http.newBuilder()
                .readTimeout(timeout)
                .writeTimeout(timeout)
                .callTimeout(timeout.plus(CONNECT_TIMEOUT))
                .build()
                .newCall(once(request).tag(AtomicBoolean.class, sent).build());
        running.add(call);
        try (Response response = closed ? refuse() : call.execute()) {
            return reader.read(response);
        } catch (IOException e) {
            if (Thread.interrupted() || closed) {
                throw new InterruptedException("the bot is closed");
            }
            throw noAnswer.of(e, sent.get());
        } finally {
            running.remove(call);
        }
    }

    private static Request.Builder once(Request request) {
        return request.body() == null
                ? request.newBuilder()
                : request.newBuilder().method(request.method(), new OneShotBody(request.body()));
    }

    private static Response refuse() throws IOException {
        throw new IOException("closed");
    }

    /** The additional time for a body of this size. */
    public static Duration transfer(int bytes) {
        return Duration.ofSeconds(bytes / MIN_RATE);
    }

    /**
     * The JSON of a response; a missing node where it is none.
     *
     * @param limit maximum length in bytes; the rest is not read
     */
    public static JsonNode json(Response response, long limit) throws IOException {
        try {
            JsonNode json = JSON.readTree(response.peekBody(limit).string());
            return json == null ? JSON.missingNode() : json;
        } catch (JsonProcessingException e) {
            return JSON.missingNode();
        }
    }

    /** The bytes of a response; empty where they are more than {@code limit}. */
    public static Optional<byte[]> bytes(Response response, int limit) throws IOException {
        try (InputStream in = response.body().byteStream()) {
            byte[] bytes = in.readNBytes(limit + 1);
            return bytes.length > limit ? Optional.empty() : Optional.of(bytes);
        }
    }

    /**
     * Opens a WebSocket.
     *
     * @param ping interval of pings, after which an unanswered one ends it; zero for none
     */
    public WebSocket open(Request request, Duration ping, WebSocketListener listener) {
        return http.newBuilder().pingInterval(ping).build().newWebSocket(request, listener);
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(Call::cancel);
        http.connectionPool().evictAll();
        http.dispatcher().executorService().shutdown();
    }
}
