package dev.parley.bench;

import dev.parley.server.Instance;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Closed-loop HTTP clients: each sends its next request when the last one is answered. */
final class HttpLoad {
    private static final Duration MAX_TIME = Duration.ofMinutes(1);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();

    private final String url;
    private final String key;

    HttpLoad(Instance instance) {
        url = instance.url();
        key = instance.adminKey();
    }

    /** Sends one request. */
    @FunctionalInterface
    interface Client {
        void send() throws IOException, InterruptedException;
    }

    /** Creates a client. */
    @FunctionalInterface
    interface Clients {
        Client client(int number);
    }

    /** Runs clients; returns latencies in microseconds. */
    Histogram run(int clients, Duration length, Clients factory) throws InterruptedException {
        var micros = new ConcurrentHistogram(MAX_TIME.toNanos() / 1_000, 3);
        long deadline = System.nanoTime() + length.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<?>>();
            for (int number = 0; number < clients; number++) {
                Client client = factory.client(number);
                futures.add(threads.submit(() -> repeat(client, deadline, micros)));
            }
            for (Future<?> client : futures) {
                client.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client stopped", e);
        }
        return micros;
    }

    private static Void repeat(Client client, long deadline, Histogram micros)
            throws IOException, InterruptedException {
        while (System.nanoTime() < deadline) {
            long start = System.nanoTime();
            client.send();
            micros.recordValue(Math.min((System.nanoTime() - start) / 1_000, micros.getHighestTrackableValue()));
        }
        return null;
    }

    /**
     * Returns the response body.
     *
     * @throws IOException for an unsuccessful response
     */
    String post(String path, String type, String body) throws IOException, InterruptedException {
        return send(path, request(path, key).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    /**
     * Returns the response body.
     *
     * @throws IOException for an unsuccessful response
     */
    String get(String path) throws IOException, InterruptedException {
        return get(path, key);
    }

    /** @param otherKey the API key, or null for none */
    String get(String path, @Nullable String otherKey) throws IOException, InterruptedException {
        return send(path, request(path, otherKey).GET());
    }

    private HttpRequest.Builder request(String path, @Nullable String otherKey) {
        var request = HttpRequest.newBuilder(URI.create(url + path));
        return otherKey == null ? request : request.header("Authorization", "Bearer " + otherKey);
    }

    private String send(String path, HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() < 200 || answer.statusCode() > 202) {
            throw new IOException(path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }
}
