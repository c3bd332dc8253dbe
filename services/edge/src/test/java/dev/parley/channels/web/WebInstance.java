package dev.parley.channels.web;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.http.HttpDefaults;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.service.Service;
import dev.parley.platform.trace.Tracing;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One instance of the web channel, and a client of it. */
final class WebInstance implements AutoCloseable {
    static final String KEY = "secret";

    private final ApplicationContext context;
    private final CommandGateway gateway;
    private final List<Service> services;
    private final EmbeddedServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    WebInstance(KafkaClients clients, Path blobs) {
        gateway = new CommandGateway(clients);
        gateway.start();
        context = ApplicationContext.builder()
                .properties(
                        Map.of("parley.role.channels", "true", "parley.admin-key", KEY, "micronaut.server.port", -1))
                .singletons(
                        clients,
                        gateway,
                        Tracing.none(),
                        new BlobStore(blobs, HttpDefaults.MAX_REQUEST),
                        new dev.parley.platform.testkit.EveryProject())
                .start();
        services = context.getBeansOfType(Service.class).stream()
                .filter(service -> service != gateway)
                .toList();
        services.forEach(Service::start);
        server = context.getBean(EmbeddedServer.class).start();
    }

    BlobStore blobs() {
        return context.getBean(BlobStore.class);
    }

    String uri(String path) {
        return server.getURI() + path;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(uri(path)))
                .header("Authorization", "Bearer " + KEY)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(60));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String json, String... headers) throws IOException, InterruptedException {
        var request = request(path).POST(BodyPublishers.ofString(json));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    /** An event as a client sees it. */
    record Event(String name, String id, String data) {}

    /** An open stream of events. */
    record Events(HttpResponse<Stream<String>> response, Iterator<String> lines) implements AutoCloseable {
        /** The next event; null at the end of the stream. */
        Event next() {
            String name = "";
            String id = "";
            String data = null;
            while (lines.hasNext()) {
                String line = lines.next();
                if (line.startsWith("event: ")) {
                    name = line.substring(7);
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty() && data != null) {
                    return new Event(name, id, data);
                }
            }
            return null;
        }

        /** Events up to and with the first that is meant, or to the end. */
        List<Event> until(Predicate<Event> last) {
            var events = new ArrayList<Event>();
            for (Event event = next(); event != null; event = next()) {
                events.add(event);
                if (last.test(event)) {
                    break;
                }
            }
            return events;
        }

        @Override
        public void close() {
            response.body().close();
        }
    }

    Events events(HttpRequest.Builder request) throws IOException, InterruptedException {
        var response = client.send(request.header("Accept", "text/event-stream").build(), BodyHandlers.ofLines());
        return new Events(response, response.body().iterator());
    }

    DeltaHub hub() {
        return context.getBean(DeltaHub.class);
    }

    HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.close();
        services.forEach(Service::close);
        context.close();
        gateway.close();
    }
}
