package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.PlatformHttp;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.platform.json.ExactJson;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Client of Telegram's Bot API for one bot. Calls block; a call that broke off reports whether it may have been carried
 * out. The token is part of every URL, and of no message.
 *
 * @see <a href="https://core.telegram.org/bots/api#making-requests">its reference</a>
 */
final class BotApi implements AutoCloseable {
    /** Telegram may take eight seconds to answer that a bot is rate limited. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final int TOO_MANY = 429;
    private static final int MAX_ANSWER = 16 << 20;
    private static final MediaType JSON = MediaType.get("application/json");
    private static final ObjectMapper MAPPER = ExactJson.request();

    private final URI base;
    private final Supplier<String> token;
    private final ChatBackoff backoff;
    private final PlatformHttp<BotApiException> http = new PlatformHttp<>((cause, inDoubt) -> new BotApiException(
            BotApiException.NO_ANSWER, "no answer: " + redact(cause.toString()), inDoubt, null, null));

    /**
     * @param base for example {@code https://api.telegram.org}
     *
     * @param token resolved at each call
     * @param backoff rate-limited chats, shared by all clients of this bot
     */
    BotApi(URI base, Supplier<String> token, ChatBackoff backoff) {
        this.base = base;
        this.token = token;
        this.backoff = backoff;
    }

    /** An empty object for parameters. */
    static ObjectNode params() {
        return MAPPER.createObjectNode();
    }

    /** Parameters with the chat and topic. */
    static ObjectNode params(ConversationAddress to) {
        ObjectNode params = params().put("chat_id", Long.parseLong(to.chat()));
        if (to.topic() != null) {
            params.put("message_thread_id", Long.parseLong(to.topic()));
        }
        return params;
    }

    /**
     * Calls a method.
     *
     * @throws BotApiException for a refusal, or without an answer
     */
    JsonNode call(String method, ObjectNode params) throws BotApiException, InterruptedException {
        return call(method, params, TIMEOUT);
    }

    /** Calls a method with a timeout. */
    JsonNode call(String method, ObjectNode params, Duration timeout) throws BotApiException, InterruptedException {
        return rateLimited(method, params, () -> post(method, RequestBody.create(params.toString(), JSON), timeout));
    }

    private interface Attempt {
        JsonNode make() throws BotApiException, InterruptedException;
    }

    /** Skips calls to rate-limited chats, and records new limits. */
    private JsonNode rateLimited(String method, ObjectNode params, Attempt attempt)
            throws BotApiException, InterruptedException {
        boolean paced = !method.equals("sendChatAction") && (method.startsWith("send") || method.startsWith("edit"));
        if (!paced) {
            return attempt.make();
        }
        long chat = params.path("chat_id").asLong();
        Optional<Duration> remaining = backoff.remainingBackOff(chat);
        if (remaining.isPresent()) {
            throw new BotApiException(TOO_MANY, TOO_MANY + " the chat is rate limited", false, remaining.get(), null);
        }
        try {
            return attempt.make();
        } catch (BotApiException e) {
            if (e.code() == TOO_MANY && e.retryAfter() != null) {
                backoff.backOff(chat, e.retryAfter());
            }
            throw e;
        }
    }

    /** Calls a method with a file in the named field. */
    JsonNode upload(String method, ObjectNode params, String field, String name, String mimeType, byte[] bytes)
            throws BotApiException, InterruptedException {
        var form = new MultipartBody.Builder().setType(MultipartBody.FORM);
        var fields = new TreeMap<String, JsonNode>();
        params.properties().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        fields.forEach(
                (key, value) -> form.addFormDataPart(key, value.isTextual() ? value.asText() : value.toString()));
        form.addFormDataPart(field, name, RequestBody.create(bytes, MediaType.parse(mimeType)));
        return rateLimited(
                method, params, () -> post(method, form.build(), TIMEOUT.plus(PlatformHttp.transfer(bytes.length))));
    }

    private JsonNode post(String method, RequestBody body, Duration timeout)
            throws BotApiException, InterruptedException {
        var request = new Request.Builder()
                .url(base + "/bot" + token.get() + "/" + method)
                .post(body)
                .build();
        return http.run(request, timeout, this::result);
    }

    private JsonNode result(Response response) throws IOException, BotApiException {
        JsonNode answer = PlatformHttp.json(response, MAX_ANSWER);
        if (answer.path("ok").asBoolean() && answer.has("result")) {
            return answer.get("result");
        }
        int code = answer.path("error_code").asInt(response.code());
        String description = answer.path("description").asText("");
        JsonNode parameters = answer.path("parameters");
        long wait = parameters.path("retry_after").asLong(0);
        throw new BotApiException(
                code,
                code + " " + redact(description.isEmpty() ? "without a description" : description),
                code >= 500 || response.isSuccessful(), // a gateway's error, or an answer that broke off
                wait > 0 ? Duration.ofSeconds(wait) : null,
                parameters.has("migrate_to_chat_id")
                        ? parameters.get("migrate_to_chat_id").asText()
                        : null);
    }

    /**
     * The bytes of a file.
     *
     * @throws BotApiException where it is longer than {@code limit} bytes, or missing
     */
    byte[] download(String fileId, int limit) throws BotApiException, InterruptedException {
        String path = call("getFile", params().put("file_id", fileId))
                .path("file_path")
                .asText();
        var request = new Request.Builder()
                .url(base + "/file/bot" + token.get() + "/" + path)
                .build();
        return http.run(request, TIMEOUT, response -> {
            if (!response.isSuccessful()) {
                throw new BotApiException(
                        response.code(), "the file is missing: " + response.code(), false, null, null);
            }
            return PlatformHttp.bytes(response, limit)
                    .orElseThrow(() -> new BotApiException(400, "the file is too large", false, null, null));
        });
    }

    private String redact(String text) {
        return text.replace(token.get(), "…").replaceAll("bot\\d+:[\\w-]+", "bot…");
    }

    @Override
    public void close() {
        http.close();
    }
}
