package dev.parley.channels.chat;

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
 * HTTP and WebSockets with a chat platform, for one bot. A call blocks, is made once, and follows no redirect; one without an answer says
 * whether it may have come true. {@link #close} breaks off what is under way.
 *
 * @param <E> what a refusal of the platform is thrown as
 */
public final class PlatformHttp<E extends Exception> implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** Bytes a second. */
    private static final int SLOWEST = 50_000;

    private final NoAnswer<E> noAnswer;
    private final OkHttpClient http;
    private final Set<Call> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** What a call without an answer is thrown as. */
    public interface NoAnswer<E extends Exception> {
        /** @param inDoubt whether the request may have been carried out */
        E of(IOException cause, boolean inDoubt);
    }

    /** Makes something of an answer. */
    public interface Reader<T, E extends Exception> {
        T read(Response response) throws IOException, E;
    }

    public PlatformHttp(NoAnswer<E> noAnswer) {
        this(client -> client, noAnswer);
    }

    /** @param settings what the client has besides, such as a guard of addresses */
    public PlatformHttp(UnaryOperator<OkHttpClient.Builder> settings, NoAnswer<E> noAnswer) {
        this.noAnswer = noAnswer;
        var client = new OkHttpClient.Builder()
                .connectTimeout(CONNECT)
                .retryOnConnectionFailure(false) // a message might be sent twice
                .followRedirects(false) // the token goes nowhere else
                .protocols(List.of(Protocol.HTTP_1_1)) // one broken connection breaks one call
                .connectionPool(new ConnectionPool(32, 1, TimeUnit.MINUTES))
                .addNetworkInterceptor(chain -> {
                    AtomicBoolean begun = chain.request().tag(AtomicBoolean.class);
                    if (begun != null) {
                        begun.set(true);
                    }
                    return chain.proceed(chain.request());
                });
        this.http = settings.apply(client).build();
    }

    /**
     * Makes a call.
     *
     * @param patience for the answer
     * @throws InterruptedException also when this is closed
     */
    public <T> T run(Request request, Duration patience, Reader<T, E> reader) throws E, InterruptedException {
        var begun = new AtomicBoolean();
        Call call = http.newBuilder()
                .readTimeout(patience)
                .writeTimeout(patience)
                .callTimeout(patience.plus(CONNECT))
                .build()
                .newCall(once(request).tag(AtomicBoolean.class, begun).build());
        running.add(call);
        try (Response response = closed ? refuse() : call.execute()) {
            return reader.read(response);
        } catch (IOException e) {
            if (Thread.interrupted() || closed) {
                throw new InterruptedException("the bot is closed");
            }
            throw noAnswer.of(e, begun.get());
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

    /** How long so many bytes may take on top of what a call may take anyway. */
    public static Duration transfer(int bytes) {
        return Duration.ofSeconds(bytes / SLOWEST);
    }

    /** The bytes of an answer; nothing where they are more than {@code most}. */
    public static Optional<byte[]> bytes(Response response, int most) throws IOException {
        try (InputStream in = response.body().byteStream()) {
            byte[] bytes = in.readNBytes(most + 1);
            return bytes.length > most ? Optional.empty() : Optional.of(bytes);
        }
    }

    /** Opens a WebSocket. @param ping how often it is pinged, and broken when the last one is unanswered; zero is never */
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
