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
 * Callers of which each keeps calling one process, over connections that stay open. Only where that process refuses the connection they
 * call another one; whatever else goes wrong is a call that failed.
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

    /** @param names of the processes; each has a caller */
    StickyCallers(List<String> names) {
        this.names = List.copyOf(names);
        names.forEach(name -> calls.put(name, new AtomicInteger()));
        callers = Executors.newScheduledThreadPool(names.size());
    }

    /** Where a process is from now on. */
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

    /** Calls the process at home, or the next one where that refuses the connection; null where the call failed. */
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

    /** Waits until so many more calls were answered by a process. */
    void awaitCalls(String name, int more) {
        int until = calls.get(name).get() + more;
        Awaitility.await().atMost(ANSWERED).until(() -> calls.get(name).get() >= until);
    }

    /** No more calls; waits until those that were made have been answered. */
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

    /** How many calls each process has answered. */
    Map<String, AtomicInteger> calls() {
        return calls;
    }

    @Override
    public void close() {
        callers.shutdown();
    }
}
