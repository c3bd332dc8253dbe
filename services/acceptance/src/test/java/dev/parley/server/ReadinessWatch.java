package dev.parley.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Polls the readiness of processes, as a load balancer does, and records failures. */
final class ReadinessWatch implements AutoCloseable {
    private static final Duration EACH = Duration.ofMillis(250);
    private static final Set<String> SERVERS = Set.of("kafka", "postgres");

    private final Map<String, Api> processes = new ConcurrentHashMap<>();
    private final List<String> unready = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger moving = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    ReadinessWatch() {
        var _ = clock.scheduleAtFixedRate(
                () -> processes.forEach((name, api) -> clients.execute(() -> check(name, api))),
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

    private void check(String name, Api api) {
        String problem;
        try {
            Api.Answer answer = api.get("/health/ready");
            moving.addAndGet(answer.text().contains("MOVING") ? 1 : 0);
            problem = answer.status() == 200 || isLate(answer) ? "" : answer.status() + " " + answer.text();
        } catch (AssertionError e) {
            problem = String.valueOf(e.getMessage());
        }
        asked.incrementAndGet();
        if (!problem.isEmpty() && processes.containsValue(api)) {
            unready.add(name + ": " + problem);
        }
    }

    /** Whether only the broker or the database was late, which is accepted as several processes share few cores. */
    private boolean isLate(Api.Answer answer) {
        var down = new ArrayList<String>();
        answer.json().path("parts").properties().forEach(part -> {
            if (part.getValue().path("status").asText().equals("DOWN")) {
                down.add(part.getKey());
            }
        });
        boolean isLate = !down.isEmpty() && SERVERS.containsAll(down);
        late.addAndGet(isLate ? 1 : 0);
        return isLate;
    }

    /** The answers of processes that were not ready. */
    List<String> unready() {
        return unready;
    }

    /** The number of checks. */
    int asked() {
        return asked.get();
    }

    /** The number of answers with a moving topology. */
    int moving() {
        return moving.get();
    }

    /** The number of answers in which only the broker or the database was late. */
    int late() {
        return late.get();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        clients.shutdown();
    }
}
