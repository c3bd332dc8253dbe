package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Pushes a bot's updates: sequentially within a chat, concurrently across chats. */
final class Webhook {
    private static final String SECRET = "[A-Za-z0-9_-]*";
    private static final Set<Integer> PORTS = Set.of(-1, 80, 88, 443, 8443);

    /** The registered URL, with its settings and running lanes. */
    private static final class Target {
        private final URI url;
        private final String secret;
        private final int connections;
        private final Semaphore free;
        private final Set<String> lanes = new HashSet<>();

        private Target(URI url, String secret, int connections) {
            this.url = url;
            this.secret = secret;
            this.connections = connections;
            free = new Semaphore(connections);
        }

        private boolean same(Target other) {
            return url.equals(other.url) && secret.equals(other.secret) && connections == other.connections;
        }
    }

    private final FakeTelegram fake;
    private final UpdateQueue queue;
    private final List<Delivery> deliveries = new ArrayList<>();
    private volatile @Nullable Target target;
    private Instant setAt = Instant.MIN;
    private @Nullable Instant failedAt;
    private String failure = "";

    Webhook(FakeTelegram fake, UpdateQueue queue) {
        this.fake = fake;
        this.queue = queue;
    }

    boolean active() {
        return target != null;
    }

    List<Delivery> deliveries() {
        return List.copyOf(deliveries);
    }

    /** @return Telegram's description of the result */
    String set(Params params) {
        String url = params.text("url");
        if (url.isEmpty()) {
            return delete(params);
        }
        Target newTarget = check(params, url);
        Instant now = fake.now();
        if (!fake.limits().equals(Limits.NONE) && now.isBefore(setAt.plusSeconds(1))) {
            throw ApiError.tooMany(1);
        }
        setAt = now;
        queue.endPoll(ApiError.conflict("terminated by setWebhook request"));
        queue.allow(params.tree("allowed_updates"));
        if (params.flag("drop_pending_updates")) {
            queue.drop();
        }
        Target before = target;
        if (before != null && before.same(newTarget)) {
            return "Webhook is already set";
        }
        failedAt = null;
        target = newTarget;
        pump();
        return "Webhook was set";
    }

    private Target check(Params params, String url) {
        String secret = params.text("secret_token");
        if (secret.length() > 256) {
            throw ApiError.bad("secret token is too long");
        }
        if (!secret.matches(SECRET)) {
            throw ApiError.bad("secret token contains unallowed characters");
        }
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw ApiError.bad("invalid webhook URL specified");
        }
        if (uri.getHost() == null || !Set.of("http", "https").contains(uri.getScheme())) {
            throw ApiError.bad("invalid webhook URL specified");
        }
        if (fake.httpsOnly() && !uri.getScheme().equals("https")) {
            throw ApiError.bad("bad webhook: An HTTPS URL must be provided for webhook");
        }
        if (fake.httpsOnly() && !PORTS.contains(uri.getPort())) {
            throw ApiError.bad("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443");
        }
        int connections = (int) params.integer("max_connections");
        return new Target(uri, secret, connections == 0 ? 40 : Math.clamp(connections, 1, 100));
    }

    /** @return Telegram's description of the result */
    String delete(Params params) {
        if (params.flag("drop_pending_updates")) {
            queue.drop();
        }
        boolean existed = target != null;
        target = null;
        return existed ? "Webhook was deleted" : "Webhook is already deleted";
    }

    ObjectNode info() {
        Target now = target;
        ObjectNode json = Json.object()
                .put("url", now == null ? "" : now.url.toString())
                .put("has_custom_certificate", false)
                .put("pending_update_count", queue.pending().size());
        if (now != null) {
            json.put("max_connections", now.connections).put("ip_address", "127.0.0.1");
        }
        if (failedAt != null) {
            json.put("last_error_date", failedAt.getEpochSecond()).put("last_error_message", failure);
        }
        Set<String> allowed = queue.allowed();
        if (allowed != null) {
            allowed.forEach(json.putArray("allowed_updates")::add);
        }
        return json;
    }

    /** Starts the lanes that the pending updates need. Used under the lock. */
    void pump() {
        Target to = target;
        if (to != null) {
            for (UpdateQueue.Entry entry : queue.pending()) {
                String lane = entry.update.lane();
                if (to.lanes.add(lane)) {
                    fake.start(() -> lane(to, lane));
                }
            }
        }
    }

    private void lane(Target to, String lane) {
        while (true) {
            UpdateQueue.@Nullable Entry head = fake.monitor().get(() -> {
                var first = current(to) ? queue.first(lane) : null;
                if (first == null) {
                    to.lanes.remove(lane);
                }
                return first;
            });
            if (head == null) {
                return;
            }
            deliver(to, head);
        }
    }

    private boolean current(Target to) {
        return target == to && !fake.closed();
    }

    private void deliver(Target to, UpdateQueue.Entry entry) {
        for (int attempt = 1; current(to); attempt++) {
            Duration wait = attempt(to, entry, attempt);
            if (wait == null) {
                fake.monitor().run(() -> queue.remove(entry));
                return;
            }
            fake.monitor().await(() -> !current(to), wait);
        }
    }

    /** @return null if it was accepted, otherwise the time to wait */
    private @Nullable Duration attempt(Target to, UpdateQueue.Entry entry, int attempt) {
        var request = HttpRequest.newBuilder(to.url)
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(entry.update.json().toString()));
        if (!to.secret.isEmpty()) {
            request.header("X-Telegram-Bot-Api-Secret-Token", to.secret);
        }
        Instant time = fake.now();
        int status = 0;
        String error = "";
        Duration wait = fake.webhookRetry(attempt);
        try {
            to.free.acquire();
            HttpResponse<String> response = fake.client().send(request.build(), BodyHandlers.ofString());
            status = response.statusCode();
            error = "Wrong response from the webhook: " + status;
            if (response.body().contains("\"method\"")) {
                fake.odd("a method in the answer to a pushed update, which is not done here");
            }
            wait = response.headers()
                    .firstValue("Retry-After")
                    .filter(value -> value.matches("\\d{1,9}"))
                    .map(value -> Duration.ofSeconds(Math.min(3_600, Integer.parseInt(value))))
                    .orElse(wait);
        } catch (IOException e) {
            error = e instanceof java.net.ConnectException ? "Connection refused" : "Webhook connection closed";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            to.free.release();
        }
        note(new Delivery(entry.update, attempt, status, time), error);
        return status / 100 == 2 ? null : wait;
    }

    private void note(Delivery delivery, String error) {
        fake.monitor().run(() -> {
            deliveries.add(delivery);
            if (!delivery.taken()) {
                failedAt = fake.now();
                failure = error;
            }
        });
    }

    /** A client for pushing. Redirects are failures. */
    static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }
}
