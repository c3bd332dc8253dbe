package dev.parley.channels.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.PlatformHttp;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.RetryAfter;
import dev.parley.platform.json.ExactJson;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Client of the Cloud API for one phone number. Calls block; a call that broke off reports whether it may have been
 * carried out. The token is sent in a header, only to the API and to hosts of Meta that it names; it is part of no
 * message.
 *
 * @see <a href="https://developers.facebook.com/documentation/business-messaging/whatsapp">its documentation</a>
 */
final class WhatsAppApi implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MAX_WAIT = Duration.ofHours(1);
    private static final int TOO_MANY = 429;
    private static final int RATE_LIMIT = 130_429;
    private static final int MAX_ANSWER = 1 << 20;
    private static final MediaType JSON_TYPE = MediaType.get("application/json");
    /** Where the files of messages are. */
    private static final Set<String> MEDIA_HOSTS = Set.of("facebook.com", "fbsbx.com", "fbcdn.net", "whatsapp.net");

    private static final ObjectMapper JSON = ExactJson.request();

    private final HttpUrl base;
    private final String phoneNumber;
    private final Supplier<String> token;
    private final PlatformHttp<WhatsAppApiException> http =
            new PlatformHttp<>((cause, inDoubt) -> new WhatsAppApiException(
                    WhatsAppApiException.NO_ANSWER, "no answer: " + redact(cause.toString(), ""), inDoubt, null));

    WhatsAppApi(ConfiguredBot bot) {
        this.base = HttpUrl.get(bot.api().toString());
        this.phoneNumber = WhatsAppPlugin.setting(bot, WhatsAppPlugin.PHONE_NUMBER_ID);
        this.token = bot::token;
    }

    /** A message, or a notice about one. */
    static ObjectNode message() {
        return JSON.createObjectNode().put("messaging_product", "whatsapp");
    }

    /**
     * Sends a message, or marks one as read.
     *
     * @throws WhatsAppApiException for a refusal, or without an answer
     */
    JsonNode send(ObjectNode message) throws WhatsAppApiException, InterruptedException {
        RequestBody body = RequestBody.create(message.toString(), JSON_TYPE);
        return call("messages", new Request.Builder().url(ofNumber("messages")).post(body), TIMEOUT);
    }

    /**
     * Uploads a file, which nobody sees until a message refers to it.
     *
     * @return its id, valid for 30 days
     */
    String upload(String name, String mimeType, byte[] bytes) throws WhatsAppApiException, InterruptedException {
        var form = new MultipartBody.Builder()
                .setType(MultipartBody.FORM)
                .addFormDataPart("messaging_product", "whatsapp")
                .addFormDataPart("type", mimeType)
                .addFormDataPart("file", name, RequestBody.create(bytes, MediaType.parse(mimeType)))
                .build();
        Duration timeout = TIMEOUT.plus(PlatformHttp.transfer(bytes.length));
        return call("media", new Request.Builder().url(ofNumber("media")).post(form), timeout)
                .path("id")
                .asText();
    }

    private HttpUrl ofNumber(String edge) {
        return base.newBuilder()
                .addPathSegment(phoneNumber)
                .addPathSegment(edge)
                .build();
    }

    /**
     * Fields of the phone number.
     *
     * @param query further parameters
     */
    JsonNode number(String fields, Map<String, String> query) throws WhatsAppApiException, InterruptedException {
        HttpUrl.Builder url = base.newBuilder().addPathSegment(phoneNumber).addQueryParameter("fields", fields);
        query.forEach(url::addQueryParameter);
        return call("phone number", new Request.Builder().url(url.build()), TIMEOUT);
    }

    /** What the platform knows of the token: {@code scopes}, {@code expires_at}, {@code is_valid}. */
    JsonNode tokenInfo() throws WhatsAppApiException, InterruptedException {
        HttpUrl url = base.newBuilder()
                .addPathSegment("debug_token")
                .addQueryParameter("input_token", token.get())
                .build();
        return call("debug_token", new Request.Builder().url(url), TIMEOUT).path("data");
    }

    /**
     * The bytes of a file that a person sent: its URL, which is valid for five minutes, and the file.
     *
     * @throws WhatsAppApiException where it is longer than {@code limit} bytes, not at Meta, or missing
     */
    byte[] download(String id, int limit) throws WhatsAppApiException, InterruptedException {
        HttpUrl url = base.newBuilder()
                .addPathSegment(id)
                .addQueryParameter("phone_number_id", phoneNumber)
                .build();
        JsonNode file = call("media", new Request.Builder().url(url), TIMEOUT);
        if (file.path("file_size").asLong() > limit) {
            throw tooLarge();
        }
        var request = new Request.Builder()
                .url(requireTrusted(file.path("url").asText()))
                .header("Authorization", "Bearer " + token.get())
                .build();
        return http.run(request, TIMEOUT.plus(PlatformHttp.transfer(limit)), response -> {
            if (!response.isSuccessful()) {
                boolean passing = response.code() == TOO_MANY || response.code() >= 500;
                throw new WhatsAppApiException(100, "the file is missing: " + response.code(), passing, null);
            }
            return PlatformHttp.bytes(response, limit).orElseThrow(WhatsAppApi::tooLarge);
        });
    }

    private static WhatsAppApiException tooLarge() {
        return new WhatsAppApiException(100, "the file is too large", false, null);
    }

    /**
     * A URL of an answer that leads to Meta: https to one of its hosts, or the configured API. No other host gets a
     * request or the token.
     */
    private HttpUrl requireTrusted(String url) throws WhatsAppApiException {
        HttpUrl to = HttpUrl.parse(url);
        if (to != null && to.username().isEmpty() && isMeta(to)) {
            return to;
        }
        throw new WhatsAppApiException(100, "the URL of the file does not belong to Meta", false, null);
    }

    private boolean isMeta(HttpUrl to) {
        boolean isBase = to.host().equals(base.host())
                && to.port() == base.port()
                && to.scheme().equals(base.scheme());
        boolean isHosted = isMeta(base.host()) && to.isHttps() && to.port() == 443 && isMeta(to.host());
        return isBase || isHosted;
    }

    private static boolean isMeta(String host) {
        return MEDIA_HOSTS.stream().anyMatch(meta -> host.endsWith("." + meta));
    }

    private JsonNode call(String what, Request.Builder request, Duration timeout)
            throws WhatsAppApiException, InterruptedException {
        String secret = token.get();
        Request authorized = request.header("Authorization", "Bearer " + secret).build();
        return http.run(authorized, timeout, response -> result(what, response, secret));
    }

    private static JsonNode result(String what, Response response, String secret)
            throws IOException, WhatsAppApiException {
        JsonNode answer = PlatformHttp.json(response, MAX_ANSWER);
        JsonNode error = answer.path("error");
        if (response.isSuccessful() && answer.isObject() && error.isMissingNode()) {
            return answer;
        }
        boolean isExplained = error.path("code").isInt();
        int code = isExplained
                ? error.path("code").asInt()
                : response.code() == TOO_MANY ? RATE_LIMIT : WhatsAppApiException.NO_ANSWER;
        // A gateway's error, an answer that broke off, or a fault of which Meta does not know what it did.
        boolean isDoubtful =
                isExplained ? code == 1 && response.code() >= 500 : response.code() >= 500 || response.isSuccessful();
        throw new WhatsAppApiException(
                isExplained || isDoubtful || response.code() == TOO_MANY ? code : unexplained(response.code()),
                "%s: %d %s"
                        .formatted(
                                what,
                                response.code(),
                                isExplained ? explanation(error, secret) : "without an explanation"),
                isDoubtful,
                RetryAfter.read(response.header("Retry-After"), MAX_WAIT));
    }

    /** A refusal by something before the API. */
    private static int unexplained(int status) {
        return status == 401 ? 190 : 100;
    }

    /** Meta's error, in a webhook or an answer: its code, title and details. */
    static String explanation(JsonNode error, String secret) {
        String details = error.path("error_data").path("details").asText("");
        String message = error.path("message").asText(error.path("title").asText(""));
        String text = "(%d) %s%s"
                .formatted(
                        error.path("code").asInt(),
                        message.replaceFirst("^\\(#\\d+\\) ", ""),
                        details.isEmpty() || details.equals(message) ? "" : ": " + details);
        return redact(text, secret);
    }

    private static String redact(String text, String secret) {
        String redacted = secret.isEmpty() ? text : text.replace(secret, "…");
        return redacted.replaceAll("\\bEAA[A-Za-z0-9]{8,}", "…");
    }

    @Override
    public void close() {
        http.close();
    }
}
