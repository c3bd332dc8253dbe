package dev.parley.channels.telegram;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.OneShotBody;
import dev.parley.channels.contract.ConversationAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Telegram's Bot API for one bot. Calls block; an answer that is late may still come true, so a call that broke off says
 * whether it is in doubt. The token is in every URL and in no message.
 *
 * @see <a href="https://core.telegram.org/bots/api#making-requests">its reference</a>
 */
final class BotApi implements AutoCloseable {
    /** Telegram itself waits for up to eight seconds before it says that a bot is too fast. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int TOO_MANY = 429;

    /** Bytes a second. */
    private static final int SLOWEST = 50_000;

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int MOST = 16 << 20;
    private static final MediaType JSON = MediaType.get("application/json");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final URI base;
    private final Supplier<String> token;
    private final ChatBackoff backoff;
    private final OkHttpClient http;
    private final Set<Call> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param base for example {@code https://api.telegram.org}
     * @param token is asked for at each call
     * @param backoff chats that are left alone, for all who call as this bot
     */
    BotApi(URI base, Supplier<String> token, ChatBackoff backoff) {
        this.base = base;
        this.token = token;
        this.backoff = backoff;
        this.http = new OkHttpClient.Builder()
                .connectTimeout(CONNECT)
                .retryOnConnectionFailure(false) // a message might be sent twice
                .followRedirects(false) // the token goes nowhere else
                .protocols(List.of(Protocol.HTTP_1_1)) // one broken connection breaks one call
                .connectionPool(new ConnectionPool(32, 1, TimeUnit.MINUTES))
                .dispatcher(new Dispatcher())
                .addNetworkInterceptor(chain -> {
                    AtomicBoolean begun = chain.request().tag(AtomicBoolean.class);
                    if (begun != null) {
                        begun.set(true);
                    }
                    return chain.proceed(chain.request());
                })
                .build();
    }

    /** An empty object for parameters. */
    static ObjectNode params() {
        return MAPPER.createObjectNode();
    }

    /** Parameters that name a place; chats have numbers. */
    static ObjectNode params(ConversationAddress to) {
        ObjectNode params = params().put("chat_id", Long.parseLong(to.chat()));
        if (to.topic() != null) {
            params.put("message_thread_id", Long.parseLong(to.topic()));
        }
        return params;
    }

    /** Calls a method. @throws BotApiException when Telegram refuses, or does not answer */
    JsonNode call(String method, ObjectNode params) throws BotApiException, InterruptedException {
        return call(method, params, PATIENCE);
    }

    /** Calls a method that may take this long. */
    JsonNode call(String method, ObjectNode params, Duration patience) throws BotApiException, InterruptedException {
        return heeding(
                method,
                params,
                () -> post(method, new OneShotBody(RequestBody.create(params.toString(), JSON)), patience));
    }

    private interface Attempt {
        JsonNode make() throws BotApiException, InterruptedException;
    }

    /** Does not bother a chat that wants to be left alone, and remembers which do. */
    private JsonNode heeding(String method, ObjectNode params, Attempt attempt)
            throws BotApiException, InterruptedException {
        boolean paced = !method.equals("sendChatAction") && (method.startsWith("send") || method.startsWith("edit"));
        if (!paced) {
            return attempt.make();
        }
        long chat = params.path("chat_id").asLong();
        Optional<Duration> left = backoff.left(chat);
        if (left.isPresent()) {
            throw new BotApiException(TOO_MANY, TOO_MANY + " the chat is to be left alone", false, left.get(), null);
        }
        try {
            return attempt.make();
        } catch (BotApiException e) {
            if (e.code() == TOO_MANY && e.retryAfter() != null) {
                backoff.rest(chat, e.retryAfter());
            }
            throw e;
        }
    }

    /** Calls a method with a file in the field with this name. */
    JsonNode upload(String method, ObjectNode params, String field, String name, String mimeType, byte[] bytes)
            throws BotApiException, InterruptedException {
        var form = new MultipartBody.Builder().setType(MultipartBody.FORM);
        var fields = new TreeMap<String, JsonNode>();
        params.properties().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        fields.forEach(
                (key, value) -> form.addFormDataPart(key, value.isTextual() ? value.asText() : value.toString()));
        form.addFormDataPart(field, name, RequestBody.create(bytes, MediaType.parse(mimeType)));
        return heeding(
                method,
                params,
                () -> post(method, new OneShotBody(form.build()), PATIENCE.plusSeconds(bytes.length / SLOWEST)));
    }

    private JsonNode post(String method, RequestBody body, Duration patience)
            throws BotApiException, InterruptedException {
        Request.Builder request = new Request.Builder().url(base + "/bot" + token.get() + "/" + method);
        return run(request.post(body), patience, response -> result(response));
    }

    private interface Reader<T> {
        T read(Response response) throws IOException, BotApiException;
    }

    private <T> T run(Request.Builder request, Duration patience, Reader<T> reader)
            throws BotApiException, InterruptedException {
        var begun = new AtomicBoolean();
        Call call = http.newBuilder()
                .readTimeout(patience)
                .writeTimeout(patience)
                .callTimeout(patience.plus(CONNECT))
                .build()
                .newCall(request.tag(AtomicBoolean.class, begun).build());
        running.add(call);
        try (Response response = closed ? refuse() : call.execute()) {
            return reader.read(response);
        } catch (IOException e) {
            if (Thread.interrupted() || closed) {
                throw new InterruptedException("the bot is closed");
            }
            throw new BotApiException(
                    BotApiException.NO_ANSWER, "no answer: " + hidden(e.toString()), begun.get(), null, null);
        } finally {
            running.remove(call);
        }
    }

    private static Response refuse() throws IOException {
        throw new IOException("closed");
    }

    private JsonNode result(Response response) throws IOException, BotApiException {
        String body = text(response);
        JsonNode answer;
        try {
            answer = MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            answer = MAPPER.nullNode();
        }
        if (answer != null && answer.path("ok").asBoolean() && answer.has("result")) {
            return answer.get("result");
        }
        int code = answer == null ? response.code() : answer.path("error_code").asInt(response.code());
        String said = answer == null ? "" : answer.path("description").asText("");
        JsonNode parameters = answer == null ? MAPPER.nullNode() : answer.path("parameters");
        long wait = parameters.path("retry_after").asLong(0);
        throw new BotApiException(
                code,
                code + " " + hidden(said.isEmpty() ? "without a description" : said),
                code >= 500 || response.isSuccessful(), // a gateway's error, or an answer that broke off
                wait > 0 ? Duration.ofSeconds(wait) : null,
                parameters.has("migrate_to_chat_id")
                        ? parameters.get("migrate_to_chat_id").asText()
                        : null);
    }

    private static String text(Response response) throws IOException {
        return response.peekBody(MOST).string();
    }

    /**
     * The bytes of a file.
     *
     * @throws BotApiException when it is longer than {@code most} bytes, or not there
     */
    byte[] download(String fileId, int most) throws BotApiException, InterruptedException {
        String path = call("getFile", params().put("file_id", fileId))
                .path("file_path")
                .asText();
        var request = new Request.Builder()
                .url(base + "/file/bot" + token.get() + "/" + path)
                .get();
        return run(request, PATIENCE, response -> {
            if (!response.isSuccessful()) {
                throw new BotApiException(
                        response.code(), "the file is not there: " + response.code(), false, null, null);
            }
            try (InputStream in = response.body().byteStream()) {
                byte[] bytes = in.readNBytes(most + 1);
                if (bytes.length > most) {
                    throw new BotApiException(400, "the file is too big", false, null, null);
                }
                return bytes;
            }
        });
    }

    private String hidden(String text) {
        return text.replace(token.get(), "…").replaceAll("bot\\d+:[\\w-]+", "bot…");
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(Call::cancel);
        http.connectionPool().evictAll();
    }
}
