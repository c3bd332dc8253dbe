package dev.parley.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks processes again and again whether they are ready, as a load balancer does, and notes when they are not. */
final class ReadinessWatch implements AutoCloseable {
    private static final Duration EACH = Duration.ofMillis(250);

    private final Map<String, Api> processes = new ConcurrentHashMap<>();
    private final List<String> unready = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger moving = new AtomicInteger();
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    ReadinessWatch() {
        clock.scheduleAtFixedRate(
                () -> processes.forEach((name, api) -> clients.execute(() -> ask(name, api))),
                0,
                EACH.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    void add(String name, Api api) {
        processes.put(name, api);
    }

    void remove(String name) {
        processes.remove(name);
    }

    private void ask(String name, Api api) {
        String seen;
        try {
            Api.Answer answer = api.get("/health/ready");
            moving.addAndGet(answer.text().contains("MOVING") ? 1 : 0);
            seen = answer.status() == 200 ? "" : answer.status() + " " + answer.text();
        } catch (AssertionError e) {
            seen = String.valueOf(e.getMessage());
        }
        asked.incrementAndGet();
        if (!seen.isEmpty() && processes.containsValue(api)) {
            unready.add(name + ": " + seen);
        }
    }

    /** What they said when they were not ready. */
    List<String> unready() {
        return unready;
    }

    /** How often they were asked. */
    int asked() {
        return asked.get();
    }

    /** How often they said that a topology is moving. */
    int moving() {
        return moving.get();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        clients.shutdown();
    }
}
