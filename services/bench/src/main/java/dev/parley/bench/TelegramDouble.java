package dev.parley.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A test double of Telegram's Bot API for one bot with private chats, with Telegram's rate limits. */
final class TelegramDouble implements AutoCloseable {
    static final String TOKEN = "1:a-bot-of-a-benchmark-and-no-secret";

    /** Chats from this id on have no drafts. */
    static final long WITHOUT_DRAFTS = 9_500_000;

    private static final ObjectMapper JSON = JsonMappers.stored();
    private static final int MAX_UPDATES = 100;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final TelegramLimits limits;
    private final Duration latency;
    private final AtomicLong numbers = new AtomicLong();
    private final CountDownLatch polled = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Deque<ObjectNode> updates = new ArrayDeque<>();
    private volatile Listener listener = new Listener() {};

    /** Is notified of the calls of the bot. Times are those of {@link System#nanoTime()}. */
    interface Listener {
        /** A method was called, for a chat or none (empty). */
        default void onCall(String method, String chat) {}

        /**
         * A call was refused.
         *
         * @param again whether the bot ignored a previous wait
         */
        default void onRefused(String method, boolean again) {}

        /** A frame of a draft is visible from now on; its text is empty before the first words. */
        default void onDraft(String chat, String text, long nanos) {}

        /** A text is visible from now on. */
        default void onVisible(String text, boolean isNew, long nanos) {}
    }

    /** @param latency of each call; a random part of it is before the arrival of the call */
    TelegramDouble(TelegramLimits limits, Duration latency) throws IOException {
        this.limits = limits;
        this.latency = latency;
        System.setProperty("sun.net.httpserver.nodelay", "true");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4_096);
        server.createContext("/bot" + TOKEN + "/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void listener(Listener next) {
        listener = next;
    }

    /** Waits until the bot asks for updates. */
    boolean awaitPoll(Duration limit) throws InterruptedException {
        return polled.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Delivers a message of a person to the bot. */
    void message(long person, String text) {
        ObjectNode update = JSON.createObjectNode().put("update_id", numbers.incrementAndGet());
        ObjectNode message = update.putObject("message").put("message_id", numbers.incrementAndGet());
        message.put("date", System.currentTimeMillis() / 1_000).put("text", text);
        message.putObject("chat").put("id", person).put("type", "private").put("first_name", "P" + person);
        message.putObject("from").put("id", person).put("is_bot", false).put("first_name", "P" + person);
        lock.lock();
        try {
            updates.addLast(update);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String method = path.substring(path.lastIndexOf('/') + 1);
            JsonNode params = JSON.readTree(exchange.getRequestBody().readAllBytes());
            listener.onCall(method, params.path("chat_id").asText());
            long before = latency.isZero() ? 0 : ThreadLocalRandom.current().nextLong(latency.toNanos());
            TimeUnit.NANOSECONDS.sleep(before);
            ObjectNode answer = call(method, params);
            TimeUnit.NANOSECONDS.sleep(latency.toNanos() - before);
            byte[] body = JSON.writeValueAsBytes(answer);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.path("error_code").asInt(200), body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ObjectNode call(String method, JsonNode params) throws InterruptedException {
        ObjectNode answer = JSON.createObjectNode().put("ok", true);
        switch (method) {
            case "getMe" ->
                answer.putObject("result")
                        .put("id", 1)
                        .put("is_bot", true)
                        .put("first_name", "Bench")
                        .put("username", "bench_bot");
            case "getUpdates" -> answer.putArray("result").addAll(poll(params));
            case "sendMessageDraft" -> draft(params, answer);
            case "sendMessage", "editMessageText" -> show(method, params, answer);
            case "sendChatAction", "setMyCommands", "deleteMyCommands", "setChatMenuButton", "deleteWebhook" ->
                answer.put("result", true);
            default -> error(answer, 404, "Not Found: method not found");
        }
        return answer;
    }

    private static ObjectNode error(ObjectNode answer, int code, String description) {
        return answer.put("ok", false).put("error_code", code).put("description", description);
    }

    private Deque<ObjectNode> poll(JsonNode params) throws InterruptedException {
        long remaining = TimeUnit.SECONDS.toNanos(params.path("timeout").asLong());
        long offset = params.path("offset").asLong();
        lock.lockInterruptibly();
        try {
            updates.removeIf(update -> update.path("update_id").asLong() < offset);
            polled.countDown();
            while (updates.isEmpty() && remaining > 0) {
                remaining = arrived.awaitNanos(remaining);
            }
            var batch = new ArrayDeque<ObjectNode>();
            updates.stream().limit(MAX_UPDATES).forEach(batch::add);
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void draft(JsonNode params, ObjectNode answer) {
        long now = System.nanoTime();
        if (params.path("chat_id").asLong() >= WITHOUT_DRAFTS) {
            error(answer, 400, "Bad Request: TEXTDRAFT_PEER_INVALID");
        } else if (isTaken("sendMessageDraft", params, false, now, answer)) {
            listener.onDraft(
                    params.path("chat_id").asText(), params.path("text").asText(), now);
            answer.put("result", true);
        }
    }

    private boolean isTaken(String method, JsonNode params, boolean isNew, long now, ObjectNode answer) {
        TelegramLimits.Verdict verdict = limits.take(params.path("chat_id").asText(), isNew, now);
        if (verdict.seconds() > 0) {
            listener.onRefused(method, verdict.again());
            error(answer, 429, "Too Many Requests: retry after " + verdict.seconds())
                    .putObject("parameters")
                    .put("retry_after", verdict.seconds());
        }
        return verdict.seconds() == 0;
    }

    private void show(String method, JsonNode params, ObjectNode answer) {
        boolean isNew = method.equals("sendMessage");
        long now = System.nanoTime();
        String chat = params.path("chat_id").asText();
        if (!isTaken(method, params, isNew, now, answer)) {
            return;
        }
        listener.onVisible(params.path("text").asText(), isNew, now);
        ObjectNode message = answer.putObject("result");
        message.put(
                "message_id",
                isNew ? numbers.incrementAndGet() : params.path("message_id").asLong());
        message.putObject("chat").put("id", Long.parseLong(chat)).put("type", "private");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
