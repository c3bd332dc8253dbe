package dev.parley.server;

import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * Callers that each call one process, over connections that stay open. They call another one only if that process
 * refuses the connection; any other error is a failed call.
 */
final class StickyCallers implements AutoCloseable {
    private static final Duration REST = Duration.ofMillis(200);
    private static final Duration ANSWERED = Duration.ofSeconds(60);

    private final List<String> names;
    private final Map<String, Api> processes = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService callers;

    /** @param names the names of the processes; each has a caller */
    StickyCallers(List<String> names) {
        this.names = List.copyOf(names);
        names.forEach(name -> calls.put(name, new AtomicInteger()));
        callers = Executors.newScheduledThreadPool(names.size());
    }

    /** Sets the address of a process. */
    void at(String name, Api api) {
        processes.put(name, api);
    }

    void begin() {
        for (int i = 0; i < names.size(); i++) {
            int home = i;
            var number = new AtomicInteger();
            var _ = callers.scheduleWithFixedDelay(
                    () -> {
                        talk(home, number.getAndIncrement());
                        call(home, api -> api.get("/v1/sessions?limit=5"));
                    },
                    0,
                    REST.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    @FunctionalInterface
    private interface Request {
        Api.Answer send(Api api);
    }

    private void talk(int home, int number) {
        String text = "answer loyal-" + names.get(home) + "-" + number;
        said.add(text);
        Api.Answer answer = call(
                home,
                api -> api.post(
                        session(home) + "/turns?wait=60s", Map.of("text", text), Map.of("Idempotency-Key", text)));
        if (answer != null && !answer.json().path("reply").asText().equals(text)) {
            failures.add(text + ": " + answer.text());
        }
    }

    private String session(int home) {
        return "/v1/sessions/loyal:" + names.get(home);
    }

    /** Calls the home process, or the next one if that refuses the connection; null if the call failed. */
    private Api.Answer call(int home, Request request) {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get((home + i) % names.size());
            try {
                Api.Answer answer = request.send(processes.get(name));
                calls.get(name).incrementAndGet();
                if (answer.status() != 200) {
                    failures.add(name + ": " + answer.status() + " " + answer.text());
                }
                return answer;
            } catch (AssertionError e) {
                if (!(e.getCause() instanceof ConnectException)) {
                    failures.add(name + ": " + e.getMessage());
                    return null;
                }
            }
        }
        failures.add("nobody listens");
        return null;
    }

    /** Waits until a process has answered this many more calls. */
    void awaitCalls(String name, int count) {
        int target = calls.get(name).get() + count;
        Awaitility.await().atMost(ANSWERED).until(() -> calls.get(name).get() >= target);
    }

    /** Stops new calls; waits until open ones have been answered. */
    void end() {
        close();
        Awaitility.await().atMost(ANSWERED).until(() -> callers.awaitTermination(0, TimeUnit.SECONDS));
    }

    List<String> said() {
        return said;
    }

    List<String> failures() {
        return failures;
    }

    /** The number of calls that each process has answered. */
    Map<String, AtomicInteger> calls() {
        return calls;
    }

    @Override
    public void close() {
        callers.shutdown();
    }
}
