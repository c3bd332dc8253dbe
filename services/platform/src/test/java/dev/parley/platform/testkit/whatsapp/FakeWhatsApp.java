package dev.parley.platform.testkit.whatsapp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.testkit.WebSocketDouble;
import dev.parley.platform.testkit.WebSocketDouble.Request;
import dev.parley.platform.testkit.WebSocketDouble.Response;
import dev.parley.platform.testkit.whatsapp.WhatsAppPerson.Sent;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A WhatsApp with one phone number of a business. It accepts what the Cloud API accepts, rejects what it rejects, and
 * posts webhooks, again each second until they are acknowledged.
 *
 * @see <a href="https://developers.facebook.com/documentation/business-messaging/whatsapp">its documentation</a>
 */
public final class FakeWhatsApp implements AutoCloseable {
    /** The phone number, and its id. */
    public static final String NUMBER = "15550783881";

    public static final String NUMBER_ID = "106540352242922";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VERSION = "/v24.0/";
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofHours(24);
    /** Messages that one person gets at once, and the seconds after which there may be another. */
    private static final int BURST = 45;

    private static final int PAIR_SECONDS = 6;

    private final WebSocketDouble server;
    private final String token;
    private final String appSecret;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final List<WhatsAppMessage> messages = new ArrayList<>();
    private final List<JsonNode> notices = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<String, byte[]> media = new HashMap<>();
    private final Map<String, Instant> wrote = new HashMap<>();
    private final Map<String, Deque<Long>> sent = new HashMap<>();
    /** The last message of each person on its way: the next one follows. */
    private final Map<String, CompletableFuture<HttpResponse<Void>>> posts = new HashMap<>();

    private final Map<String, Integer> attempts = new HashMap<>();
    private final Set<String> acknowledged = new HashSet<>();
    private final Set<String> closed = new HashSet<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final Deque<Integer> failures = new ArrayDeque<>();
    private @Nullable URI webhook;
    private boolean silent;
    private int number;

    private record Fault(
            int status, int code, String message, @Nullable String retryAfter, boolean cut) {}

    public FakeWhatsApp(String token, String appSecret) throws IOException {
        this.token = token;
        this.appSecret = appSecret;
        this.server = new WebSocketDouble(this::answer, _ -> {});
    }

    /** The URL of its API. */
    public URI api() {
        return URI.create(server.url() + VERSION.substring(0, VERSION.length() - 1));
    }

    static ObjectNode json() {
        return JSON.createObjectNode();
    }

    // ---- people

    /** A new person. */
    public synchronized WhatsAppPerson person(String name) {
        int id = 1_000 + ++number;
        return new WhatsAppPerson(this, "US.1349120865530274" + id, "1650555" + id, name);
    }

    /** Stores a file that a person has uploaded; returns its id. */
    synchronized String store(byte[] bytes) {
        String id = Integer.toString(900_000 + ++number);
        media.put(id, bytes);
        return id;
    }

    synchronized String nextId() {
        return "wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTdC" + ++number + "==";
    }

    synchronized List<WhatsAppMessage> messages(String person) {
        return messages.stream()
                .filter(message -> message.person().equals(person))
                .toList();
    }

    synchronized void close(String person) {
        closed.add(person);
    }

    synchronized void silence(String person) {
        wrote.put(person, Instant.now().minus(WINDOW));
    }

    /** Messages marked as read, with or without a typing indicator. */
    public synchronized List<JsonNode> notices() {
        return List.copyOf(notices);
    }

    /** Violations of WhatsApp's rules by the business, which its API does not report. */
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    // ---- webhooks

    /** Sets the address of webhooks. */
    public synchronized void postsTo(URI address) {
        webhook = address;
    }

    /** Whether reports about messages are withheld. */
    public synchronized void isSilent(boolean withheld) {
        silent = withheld;
    }

    /** How often a message was brought. */
    public synchronized int attempts(String id) {
        return attempts.getOrDefault(id, 0);
    }

    /** Whether a message was acknowledged. */
    public synchronized boolean isAcknowledged(String id) {
        return acknowledged.contains(id);
    }

    Sent bring(WhatsAppPerson person, ObjectNode message) {
        ObjectNode value = value();
        ObjectNode contact = value.putArray("contacts").addObject().put("wa_id", person.phone());
        contact.put("user_id", person.id()).putObject("profile").put("name", person.name());
        value.putArray("messages").add(message);
        synchronized (this) {
            wrote.put(person.id(), Instant.now());
        }
        var brought = new Sent(message.path("id").asText(), notification(value));
        synchronized (this) {
            posts.put(
                    person.id(),
                    posts.getOrDefault(person.id(), CompletableFuture.completedFuture(null))
                            .handle((_, _) -> brought)
                            .thenCompose(
                                    sent -> post(sent.id(), sent.notification().toString())));
        }
        return brought;
    }

    /** What a person writes under a new id is brought after what was written under the old one. */
    synchronized void follows(WhatsAppPerson moved, WhatsAppPerson before) {
        var last = posts.get(before.id());
        if (last != null) {
            posts.put(moved.id(), last);
        }
    }

    /** Brings a message, perhaps again. */
    public void bring(Sent message) {
        var _ = post(message.id(), message.notification().toString());
    }

    private static ObjectNode value() {
        ObjectNode value = json().put("messaging_product", "whatsapp");
        value.putObject("metadata").put("display_phone_number", NUMBER).put("phone_number_id", NUMBER_ID);
        return value;
    }

    private static ObjectNode notification(ObjectNode value) {
        ObjectNode notification = json().put("object", "whatsapp_business_account");
        notification
                .putArray("entry")
                .addObject()
                .put("id", "102290129340398")
                .putArray("changes")
                .addObject()
                .put("field", "messages")
                .set("value", value);
        return notification;
    }

    private synchronized CompletableFuture<HttpResponse<Void>> post(String id, String body) {
        if (webhook == null) { // whoever tests the bot without HTTP hands the notification over
            return CompletableFuture.completedFuture(null);
        }
        attempts.merge(id, 1, Integer::sum);
        HttpRequest request = HttpRequest.newBuilder(webhook)
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .header("X-Hub-Signature-256", signature(appSecret, body))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .whenComplete((response, _) -> answered(id, body, response));
    }

    private synchronized void answered(String id, String body, @Nullable HttpResponse<Void> response) {
        if (response != null && response.statusCode() == 200) {
            acknowledged.add(id);
        } else if (!clock.isShutdown()) {
            Runnable again = () -> {
                var _ = post(id, body);
            };
            var _ = clock.schedule(again, AGAIN.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** The signature of a webhook. */
    public static String signature(String secret, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void report(WhatsAppMessage message, String state, @Nullable Integer error) {
        ObjectNode value = value();
        ObjectNode status = value.putArray("statuses")
                .addObject()
                .put("id", message.id())
                .put("status", state)
                .put("timestamp", Long.toString(Instant.now().getEpochSecond()))
                .put("recipient_user_id", message.person());
        JsonNode data = message.content().path("biz_opaque_callback_data");
        if (data.isTextual()) {
            status.set("biz_opaque_callback_data", data);
        }
        if (error != null) {
            status.putArray("errors")
                    .addObject()
                    .put("code", error)
                    .put("title", "Error " + error)
                    .putObject("error_data")
                    .put("details", "details of " + error);
        }
        var _ = post(message.id() + " " + state, notification(value).toString());
    }

    // ---- faults

    /**
     * The next messages fail with this error.
     *
     * @param code 0 for an answer that has none, as of a gateway
     * @param retryAfter seconds, or null
     */
    public synchronized void failNext(int times, int status, int code, String message, @Nullable String retryAfter) {
        for (int i = 0; i < times; i++) {
            faults.add(new Fault(status, code, message, retryAfter, false));
        }
    }

    /** The next message is accepted, but the answer is lost. */
    public synchronized void cutAfter() {
        faults.add(new Fault(0, 0, "", null, true));
    }

    /** The next message is accepted, and reported as failed afterwards. */
    public synchronized void failsLater(int code) {
        failures.add(code);
    }

    // ---- the API

    private synchronized @Nullable Response answer(Request request) {
        if (!request.header("Authorization").equals("Bearer " + token)) {
            return error(401, 190, "Invalid OAuth access token - Cannot parse access token");
        }
        String[] parts = request.path().split("\\?", 2);
        if (parts[0].startsWith("/files/")) {
            byte[] bytes = media.get(parts[0].substring("/files/".length()));
            return bytes == null
                    ? error(404, 100, "no file")
                    : new Response(200, Map.of("Content-Type", "application/octet-stream"), bytes);
        }
        Map<String, String> query = parts.length < 2 ? Map.of() : query(parts[1]);
        String path = parts[0].startsWith(VERSION) ? parts[0].substring(VERSION.length()) : "";
        return switch (path) {
            case NUMBER_ID + "/messages" -> posted(request);
            case NUMBER_ID + "/media" -> uploaded(request);
            case NUMBER_ID -> phoneNumber(query);
            case "debug_token" ->
                Response.json(
                        200,
                        "{\"data\":{\"is_valid\":true,\"expires_at\":0,\"scopes\":[\"whatsapp_business_messaging\"]}}");
            default -> file(path);
        };
    }

    private static Map<String, String> query(String text) {
        var query = new HashMap<String, String>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            query.put(pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return query;
    }

    private Response phoneNumber(Map<String, String> query) {
        String proof = query.get("appsecret_proof");
        if (proof != null && !proof.equals(signature(appSecret, token).substring("sha256=".length()))) {
            return error(400, 100, "Invalid appsecret_proof provided in the API argument");
        }
        ObjectNode answer = json().put("id", NUMBER_ID)
                .put("display_phone_number", "+1 555-078-3881")
                .put("verified_name", "Acme")
                .put("quality_rating", "GREEN")
                .put("status", "CONNECTED");
        ObjectNode configuration = answer.putObject("webhook_configuration");
        if (webhook != null) {
            configuration.put("application", webhook.toString());
        }
        return Response.json(200, answer.toString());
    }

    private Response file(String id) {
        byte[] bytes = media.get(id);
        return bytes == null
                ? error(400, 100, "Object with ID '" + id + "' does not exist")
                : Response.json(
                        200,
                        json().put("url", server.url() + "/files/" + id)
                                .put("file_size", bytes.length)
                                .put("id", id)
                                .toString());
    }

    /** The last part of the form is the file. */
    private Response uploaded(Request request) {
        String form = new String(request.body(), StandardCharsets.ISO_8859_1);
        String boundary = form.substring(0, form.indexOf("\r\n"));
        int start = form.indexOf("\r\n\r\n", form.indexOf("name=\"file\"")) + 4;
        int end = form.indexOf("\r\n" + boundary, start);
        String id = store(form.substring(start, end).getBytes(StandardCharsets.ISO_8859_1));
        return Response.json(200, json().put("id", id).toString());
    }

    private @Nullable Response posted(Request request) {
        JsonNode message;
        try {
            message = JSON.readTree(request.text());
        } catch (JsonProcessingException e) {
            return error(400, 100, "not JSON");
        }
        if (message.path("status").asText().equals("read")) {
            notices.add(message);
            return Response.json(200, "{\"success\":true}");
        }
        Fault fault = faults.poll();
        if (fault != null && !fault.cut()) {
            Response response = fault.code() == 0
                    ? new Response(fault.status(), Map.of(), fault.message().getBytes(StandardCharsets.UTF_8))
                    : error(fault.status(), fault.code(), fault.message());
            return fault.retryAfter() == null
                    ? response
                    : new Response(response.status(), Map.of("Retry-After", fault.retryAfter()), response.body());
        }
        Response response = carryOut(message);
        return fault == null ? response : null;
    }

    private Response carryOut(JsonNode message) {
        String person = message.path("recipient").asText();
        String id = nextId();
        String done = "{\"messaging_product\":\"whatsapp\",\"messages\":[{\"id\":\"" + id + "\"}]}";
        if (message.has("to")) {
            violations.add("sent to a phone number: " + message.path("to").asText());
            return Response.json(200, done); // a user id there is accepted and dropped
        }
        if (closed.contains(person)) {
            return error(400, 131_026, "Message undeliverable");
        }
        boolean isOpen = wrote.containsKey(person)
                && Duration.between(wrote.get(person), Instant.now()).compareTo(WINDOW) < 0;
        if (!isOpen && !message.path("type").asText().equals("template")) {
            return error(400, 131_047, "Re-engagement message");
        }
        if (isTooFast(person)) {
            return error(429, 131_056, "Pair rate limit hit");
        }
        String problem = WhatsAppLimits.problem(message);
        if (problem != null) {
            return error(400, 131_009, "Parameter value is not valid: " + problem);
        }
        JsonNode file = message.path(message.path("type").asText()).path("id");
        if (file.isTextual() && !media.containsKey(file.asText())) {
            return error(400, 131_053, "Media upload error");
        }
        var accepted = new WhatsAppMessage(id, person, message, file.isTextual() ? media.get(file.asText()) : null);
        Integer failure = failures.poll();
        if (failure == null) {
            messages.add(accepted);
        }
        if (webhook != null && !silent) {
            report(accepted, "sent", null);
            report(accepted, failure == null ? "delivered" : "failed", failure);
        }
        return Response.json(200, done);
    }

    private boolean isTooFast(String person) {
        Deque<Long> before = sent.computeIfAbsent(person, _ -> new ArrayDeque<>());
        long now = System.nanoTime();
        before.removeIf(earlier -> now - earlier > TimeUnit.SECONDS.toNanos((long) BURST * PAIR_SECONDS));
        before.add(now);
        return before.size() > BURST;
    }

    private static Response error(int status, int code, String message) {
        ObjectNode error = json();
        error.putObject("error")
                .put("message", "(#" + code + ") " + message)
                .put("type", "OAuthException")
                .put("code", code)
                .put("fbtrace_id", "Az8or2yhqkZfEZ-_4Qn_Bam");
        return Response.json(status, error.toString());
    }

    @Override
    public void close() {
        clock.shutdownNow();
        http.shutdownNow();
        server.close();
    }
}
