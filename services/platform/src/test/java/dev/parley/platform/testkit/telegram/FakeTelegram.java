package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Telegram's Bot API for tests, with its queues, checks, errors and limits, and the people on the other side. It
 * behaves as the real one where bots could notice a difference, and rejects what it does not support.
 */
public final class FakeTelegram implements AutoCloseable {
    /** Stands for every method. */
    public static final String ANY = "*";

    /** Stands for the download of a file. */
    public static final String DOWNLOAD = "file";

    private static final Duration HELD = Duration.ofMinutes(10);
    private static final Pattern METHOD = Pattern.compile("/bot([^/]+)/([^/]+)/?");
    private static final Pattern FILE = Pattern.compile("/file/bot([^/]+)/(.+)");
    private static final Set<String> PACED = Set.of(
            "sendMessage",
            "sendMessageDraft",
            "sendRichMessage",
            "sendPhoto",
            "sendDocument",
            "sendMediaGroup",
            "editMessageText",
            "editMessageReplyMarkup");

    private final InstantSource clock;
    private final Monitor monitor = new Monitor();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = Webhook.client();
    private final Map<String, Bot> bots = new HashMap<>();
    private final Set<String> revoked = new HashSet<>();
    private final Map<Long, User> users = new HashMap<>();
    private final Map<String, StoredFile> files = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<String> oddities = new ArrayList<>();
    private final Pacing pacing = new Pacing();
    private final Faults faults = new Faults();
    private final Methods methods = new Methods(this);
    private List<Duration> retries = List.of(
            Duration.ZERO, Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(50), Duration.ofMillis(100));
    private boolean httpsOnly;
    private boolean draftsKnown;
    private long numbers = 1_000;
    private volatile boolean closed;

    /** An HTTP response. */
    private record Reply(int status, String type, byte[] body, long retryAfter) {
        private static Reply json(int status, ObjectNode json, long retryAfter) {
            return new Reply(status, "application/json", json.toString().getBytes(StandardCharsets.UTF_8), retryAfter);
        }
    }

    /** The servers behind the front end are unavailable. */
    private static final class Outage extends RuntimeException {}

    /** The connection ends without an answer. */
    private static final class Cut extends RuntimeException {}

    /** Starts it on a free port of 127.0.0.1. */
    public FakeTelegram() throws IOException {
        this(InstantSource.system());
    }

    /** Starts it with a clock for dates and limits. Waits use real time. */
    public FakeTelegram(InstantSource clock) throws IOException {
        this.clock = clock;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** The base URL, in place of {@code https://api.telegram.org}, without a slash at the end. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /**
     * Makes a bot.
     *
     * @param token as {@code 123:ABC}
     * @param username without {@code @}
     */
    public Bot bot(String token, String username) {
        return monitor.get(() -> bots.computeIfAbsent(token, t -> new Bot(this, t, username)));
    }

    /** Makes a person, who is unknown to bots until a chat is made. */
    public User user(long id, String name) {
        return user(new User(id, name, null, "en"));
    }

    /** Makes a person. */
    public User user(User user) {
        monitor.run(() -> users.put(user.id(), user));
        return user;
    }

    /** Stores a file, which bots may download and send by its id. */
    public StoredFile keep(String folder, String name, String type, byte[] bytes) {
        return monitor.get(() -> {
            long number = nextNumber();
            int dot = name.lastIndexOf('.');
            String path = folder + "/file_" + number + (dot < 0 ? "" : name.substring(dot));
            var file = new StoredFile("file-" + number, path, name, type, bytes.clone());
            files.put(file.id(), file);
            return file;
        });
    }

    // Settings and faults

    /** Sets the rate limits; initially there are none. */
    public void limits(Limits limits) {
        monitor.run(() -> pacing.limits = limits);
    }

    /** Sets the delays between attempts to push an update; the last one repeats. */
    public void webhookRetries(Duration... waits) {
        monitor.run(() -> retries = List.of(waits));
    }

    /** Sets whether webhooks need TLS and one of Telegram's ports; initially they do not. */
    public void httpsOnly(boolean required) {
        monitor.run(() -> httpsOnly = required);
    }

    /** Makes it a server of Bot API 10.5, with drafts and rich messages; initially it is an old one. */
    public void knowDrafts() {
        monitor.run(() -> draftsKnown = true);
    }

    /** The next calls fail without an effect. A {@code retry_after} also applies to the chat. */
    public void failNext(String method, int times, int status, String description, ObjectNode parameters) {
        monitor.run(() -> faults.fail(method, times, status, description, parameters));
    }

    /** The next calls fail without an effect. */
    public void failNext(String method, int times, int status, String description) {
        failNext(method, times, status, description, Json.object());
    }

    /** Answers everything, including waiting polls, with 502 and HTML from now on, as the front end does. */
    public void outage() {
        monitor.run(() -> faults.outage(Instant.MAX));
    }

    /** As {@link #outage()}, for a limited time. */
    public void outage(Duration time) {
        monitor.run(() -> faults.outage(now().plus(time)));
    }

    /** Ends an outage. */
    public void outageEnds() {
        monitor.run(() -> faults.outage(Instant.MIN));
    }

    /** Closes the connection of the next call before the call has an effect. */
    public void cutBefore(String method) {
        monitor.run(() -> faults.add(Faults.Kind.CUT_BEFORE, method, 1));
    }

    /** Carries out the next call that succeeds, and closes its connection without an answer. */
    public void cutAfter(String method) {
        monitor.run(() -> faults.add(Faults.Kind.CUT_AFTER, method, 1));
    }

    /**
     * Carries out but never answers the call with this number, counted from 1, of the next calls that succeed: its
     * connection stays open. Its status is 0 once it is carried out.
     */
    public void holdAfter(String method, int number) {
        monitor.run(() -> faults.add(Faults.Kind.HOLD_AFTER, method, number));
    }

    /** Delays calls of a method, whether or not the caller still waits; zero ends the delay. */
    public void slow(String method, Duration delay) {
        monitor.run(() -> faults.slow(method, delay));
    }

    /** Revokes the token. */
    public void revoke(String token) {
        monitor.run(() -> {
            revoked.add(token);
            Bot bot = bots.get(token);
            if (bot != null) {
                bot.queue.endPoll(ApiError.of(401, "Unauthorized"));
            }
        });
    }

    // Records

    /** All calls of known bots so far, in the order of their arrival. */
    public List<Call> calls() {
        return monitor.get(() -> List.copyOf(calls));
    }

    /** Calls to chats before their {@code retry_after} had passed. */
    public List<Violation> violations() {
        return monitor.get(pacing::violations);
    }

    /** Calls that Telegram would accept or ignore, but that are probably mistakes. */
    public List<String> oddities() {
        return monitor.get(() -> List.copyOf(oddities));
    }

    /**
     * Waits until the condition holds; it is checked after each change.
     *
     * @throws AssertionError if it does not hold in time
     */
    public void await(BooleanSupplier condition, Duration limit, Supplier<String> description) {
        if (!monitor.await(condition, limit)) {
            throw new AssertionError("not within " + limit + "; " + description.get());
        }
    }

    // Used by other classes of this package

    Monitor monitor() {
        return monitor;
    }

    Pacing pacing() {
        return pacing;
    }

    HttpClient client() {
        return client;
    }

    Limits limits() {
        return pacing.limits;
    }

    boolean knowsDrafts() {
        return draftsKnown;
    }

    boolean httpsOnly() {
        return httpsOnly;
    }

    boolean closed() {
        return closed;
    }

    boolean down() {
        return faults.down(now());
    }

    void checkUp() {
        if (down()) {
            throw new Outage();
        }
    }

    Instant now() {
        return clock.instant();
    }

    long nextNumber() {
        return monitor.get(() -> ++numbers);
    }

    long nextSuperId() {
        return -1_000_000_000_000L - nextNumber();
    }

    boolean knows(@Nullable Long userId) {
        return users.containsKey(userId);
    }

    @Nullable
    StoredFile file(String id) {
        return files.get(id.endsWith("-s") ? id.substring(0, id.length() - 2) : id);
    }

    void odd(String description) {
        monitor.run(() -> oddities.add(description));
    }

    void start(Runnable work) {
        if (!closed) {
            threads.execute(work);
        }
    }

    Duration webhookRetry(int attempt) {
        return monitor.get(() -> retries.get(Math.min(attempt, retries.size()) - 1));
    }

    // HTTP

    private void handle(HttpExchange exchange) {
        try {
            Reply reply = reply(exchange);
            exchange.getResponseHeaders().set("Content-Type", reply.type());
            if (reply.retryAfter() > 0) {
                exchange.getResponseHeaders().set("Retry-After", Long.toString(reply.retryAfter()));
            }
            exchange.sendResponseHeaders(reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
            exchange.getResponseBody().write(reply.body());
        } catch (Cut | IOException e) {
            // closed below, without an answer
        } finally {
            exchange.close();
        }
    }

    private Reply reply(HttpExchange exchange) throws IOException {
        try {
            return route(exchange, exchange.getRequestURI().getPath());
        } catch (ApiError e) {
            return Reply.json(e.status, e.json(), e.retryAfter());
        } catch (Outage e) {
            String page = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n"
                    + "<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n";
            return new Reply(502, "text/html", page.getBytes(StandardCharsets.UTF_8), 0);
        } catch (UnsupportedOperationException e) {
            return Reply.json(
                    501, ApiError.of(501, "Not Implemented: " + e.getMessage()).json(), 0);
        }
    }

    private Reply route(HttpExchange exchange, String path) throws IOException {
        monitor.run(this::checkUp);
        Matcher file = FILE.matcher(path);
        if (file.matches()) {
            return download(file.group(1), file.group(2));
        }
        Matcher method = METHOD.matcher(path);
        if (!method.matches()) {
            throw ApiError.of(404, "Not Found");
        }
        Bot bot = bot(method.group(1));
        Params params = Params.read(exchange);
        String name = methods.name(method.group(2));
        return call(bot, name == null ? method.group(2) : name, params);
    }

    private Bot bot(String token) {
        if (token.startsWith("0") || token.length() > 80 || !token.contains(":")) {
            throw ApiError.of(401, "Unauthorized: invalid token specified");
        }
        return monitor.get(() -> {
            Bot bot = bots.get(token);
            if (bot == null || revoked.contains(token)) {
                throw ApiError.of(401, "Unauthorized");
            }
            return bot;
        });
    }

    private Reply download(String token, String path) {
        Bot bot = bot(token);
        var content = new byte[1][];
        journalled(bot, DOWNLOAD, Json.object().put("file_path", path), () -> {
            before(bot, DOWNLOAD, null);
            content[0] = monitor.get(() -> files.values().stream()
                    .filter(file -> file.path().equals(path))
                    .findFirst()
                    .orElseThrow(() -> ApiError.of(404, "Not Found"))
                    .bytes());
            return new Methods.Answer(NullNode.instance, "");
        });
        return new Reply(200, "application/octet-stream", content[0], 0);
    }

    private Reply call(Bot bot, String method, Params params) {
        Methods.Answer answer = journalled(bot, method, params.journal(), () -> {
            before(bot, method, params);
            try {
                return monitor.get(() -> methods.call(bot, method, params));
            } catch (ApiError e) {
                park(bot, method, params, e);
                throw e;
            }
        });
        ObjectNode json = Json.object().put("ok", true);
        json.set("result", answer.result());
        if (!answer.description().isEmpty()) {
            json.put("description", answer.description());
        }
        return Reply.json(200, json, 0);
    }

    /** Applies the faults that occur before a call has an effect. */
    private void before(Bot bot, String method, @Nullable Params params) {
        monitor.run(() -> {
            if (faults.cut(Faults.Kind.CUT_BEFORE, method)) {
                throw new Cut();
            }
            if (params != null && PACED.contains(method)) {
                pacing.checkParked(bot, chatId(params), method, now());
            }
            try {
                faults.failIfTold(method);
            } catch (ApiError e) {
                if (params != null) {
                    park(bot, method, params, e);
                }
                throw e;
            }
        });
        Duration delay = monitor.get(() -> faults.delay(method));
        if (!delay.isZero()) {
            monitor.await(() -> closed, delay);
        }
    }

    private void park(Bot bot, String method, Params params, ApiError error) {
        if (error.retryAfter() > 0 && PACED.contains(method)) {
            monitor.run(() -> pacing.park(bot, chatId(params), now(), error.retryAfter()));
        }
    }

    private static long chatId(Params params) {
        String id = params.text("chat_id");
        return id.matches("-?\\d{1,18}") ? Long.parseLong(id) : 0;
    }

    private Methods.Answer journalled(Bot bot, String method, ObjectNode params, Supplier<Methods.Answer> work) {
        int index = monitor.get(() -> {
            calls.add(new Call(bot, method, params, now(), -1, "", NullNode.instance));
            return calls.size() - 1;
        });
        Call call = calls().get(index);
        Call completed = call.ended(500, "", NullNode.instance);
        try {
            Methods.Answer answer = work.get();
            boolean cut = monitor.get(() -> faults.cut(Faults.Kind.CUT_AFTER, method));
            completed = call.ended(cut ? 0 : 200, cut ? "cut after" : answer.description(), answer.result());
            if (cut) {
                throw new Cut();
            }
            if (monitor.get(() -> faults.hold(method))) {
                completed = call.ended(0, "held", answer.result());
                Call heldCall = completed;
                monitor.run(() -> calls.set(index, heldCall));
                monitor.await(() -> closed, HELD);
                throw new Cut();
            }
            return answer;
        } catch (ApiError e) {
            completed = call.ended(e.status, e.description, NullNode.instance);
            throw e;
        } catch (Outage e) {
            completed = call.ended(502, "Bad Gateway", NullNode.instance);
            throw e;
        } catch (Cut e) {
            completed = completed.status() == 0 ? completed : call.ended(0, "cut before", NullNode.instance);
            throw e;
        } finally {
            Call last = completed;
            monitor.run(() -> calls.set(index, last));
        }
    }

    @Override
    public void close() {
        monitor.run(() -> closed = true);
        server.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }
}
