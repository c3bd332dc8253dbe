package dev.parley.server.canary;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The metrics of a canary, optionally served at {@code /metrics} on a loopback port. */
final class CanaryMeters implements AutoCloseable {
    private static final Duration[] BOUNDS = LongStream.of(
                    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Timer reply = timer("parley.canary.reply");
    private final Timer readable = timer("parley.canary.readable");
    private volatile double lastAnswer = System.currentTimeMillis() / 1000.0;
    private @Nullable HttpServer server;

    CanaryMeters() {
        // Registered before the first turn: Prometheus sees no increase from an absent counter.
        for (Result result : Result.values()) {
            turns(result);
        }
        Gauge.builder("parley.canary.last.answer.timestamp.seconds", this, meters -> meters.lastAnswer)
                .description("when a turn was last answered, or the canary began")
                .strongReference(true)
                .register(registry);
    }

    private Timer timer(String name) {
        return Timer.builder(name).serviceLevelObjectives(BOUNDS).register(registry);
    }

    private Counter turns(Result result) {
        return Counter.builder("parley.canary.turns")
                .tag("result", result.code())
                .register(registry);
    }

    void countTurn(Result result) {
        turns(result).increment();
    }

    void recordAnswer(Duration replied, Duration read) {
        reply.record(replied);
        readable.record(read);
        lastAnswer = System.currentTimeMillis() / 1000.0;
    }

    void countRetry(String reason) {
        Counter.builder("parley.canary.retries")
                .tag("why", reason)
                .register(registry)
                .increment();
    }

    String text() {
        return registry.scrape();
    }

    /**
     * Serves the metrics.
     *
     * @param port 0 for any
     * @return the port
     */
    int serve(int port) throws IOException {
        HttpServer created = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 16);
        created.createContext("/metrics", this::answer);
        created.start();
        server = created;
        return created.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] text = text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
        registry.close();
    }
}
