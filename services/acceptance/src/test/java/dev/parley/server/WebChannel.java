package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.testkit.TcpProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The channel contract for HTTP: messages are posted, and replies read from the events of the session. */
abstract class WebChannel extends ChannelContract {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Page> pages = new ArrayList<>();

    @Override
    Whole begins(Path folder) {
        return FetchedChannelsIT.whole();
    }

    @Override
    void ends() {
        pages.forEach(Page::close);
        http.shutdownNow();
    }

    @Override
    Page conversation() {
        var page = new Page("web:" + UUID.randomUUID());
        pages.add(page);
        page.awaitOpen();
        return page;
    }

    @Override
    String secret() {
        return Servers.KEY;
    }

    @Override
    String goesWrong(Conversation talk) {
        api.post("/v1/sessions/" + talk.session() + "/turns", "{\"text\": " + secret());
        api.get("/v1/sessions/" + secret() + "%00/turns?key=" + secret());
        talk.says("!fail auth");
        return "model call failed";
    }

    /** An event as a client sees it. */
    private record Event(String name, String id, JsonNode data) {
        String text() {
            return data.path("text").asText();
        }
    }

    /** A page that shows a session, and resumes after its last event if its connection breaks. */
    final class Page implements Conversation, AutoCloseable {
        private final String session;
        private final TcpProxy network = new TcpProxy(URI.create(api.url()).getPort());
        private final List<Event> events = new CopyOnWriteArrayList<>();
        private final CountDownLatch open = new CountDownLatch(1);
        private volatile CountDownLatch back = new CountDownLatch(0);
        private volatile boolean closed;
        private String reference = "";
        private String text = "";
        private Api.Answer answer;

        Page(String session) {
            this.session = session;
            Thread.ofVirtual().name("page").start(this::watch);
        }

        private void watch() {
            while (!closed) {
                try {
                    follow();
                } catch (IOException e) {
                    awaitBack();
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        /** Waits until the page may reconnect. */
        private void awaitBack() {
            try {
                back.await();
            } catch (InterruptedException e) {
                closed = true;
            }
        }

        private void follow() throws IOException, InterruptedException {
            String url = "http://127.0.0.1:%d/v1/sessions/%s/events".formatted(network.port(), session);
            var request = HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + api.key());
            if (!events.isEmpty()) {
                request.header("Last-Event-ID", events.getLast().id());
            }
            HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
            try (var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                open.countDown();
                String name = "";
                String id = "";
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("event: ")) {
                        name = line.substring(7);
                    } else if (line.startsWith("id: ")) {
                        id = line.substring(4);
                    } else if (line.startsWith("data: ")) {
                        events.add(new Event(name, id, JSON.readTree(line.substring(6))));
                    }
                }
            }
        }

        void awaitOpen() {
            try {
                assertTrue(open.await(SOON.toSeconds(), TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        @Override
        public String session() {
            return session;
        }

        @Override
        public Runnable says(String message) {
            reference = UUID.randomUUID().toString();
            text = message;
            String name = reference;
            answer = api.submit(session, message, name);
            return () -> assertTrue(
                    Set.of(200, 202).contains(api.submit(session, message, name).status()));
        }

        @Override
        public void awaitNotTaken() {
            assertEquals(503, answer.status(), answer.text());
        }

        @Override
        public void comesAgain() {
            if (answer.status() >= 300) {
                answer = api.submit(session, text, reference);
            }
        }

        @Override
        public List<String> shown() {
            return events.stream()
                    .filter(event -> Set.of("message", "done", "error").contains(event.name()))
                    .map(Event::text)
                    .toList();
        }

        @Override
        public void close() {
            closed = true;
            network.close();
        }
    }

    @Test
    @Tag("P52")
    @Tag("I71")
    void resumedStreamShowsEveryEventOnce() {
        // Given
        Page page = conversation();
        page.network.cutAfter("event: token");

        // When
        page.says("!stream 30 words over 2s");
        Awaitility.await().atMost(SOON).until(() -> page.network.sent().size() == 2);
        page.back = new CountDownLatch(1);
        page.network.cutAfter("event: token");
        Awaitility.await().atMost(SOON).until(page.network::hasCut);
        Awaitility.await().atMost(SOON).until(() -> turns(page).toString().contains("\"state\":\"COMPLETED\""));
        assertEquals(List.of(), page.shown(), "it is away");
        page.back.countDown();
        Awaitility.await().atMost(SOON).until(() -> page.shown().size() == 1);

        // Then
        assertEquals(3, page.network.sent().size());
        var ids = page.events.stream().map(Event::id).toList();
        assertEquals(ids.stream().distinct().toList(), ids);
        String joined = page.events.stream()
                .filter(event -> event.name().equals("token"))
                .map(Event::text)
                .collect(Collectors.joining());
        assertEquals(page.shown(), List.of(joined));
        assertEquals("started", page.events.getFirst().name());
    }

    @Test
    @Tag("P54")
    void rejectsAReusedIdempotencyKey() {
        Page page = conversation();
        page.says("!say first");
        awaitShown(page, List.of("first"));

        Api.Answer other = api.submit(page.session(), "!say other", page.reference);

        assertEquals(409, other.status(), other.text());
        page.says("!say second");
        awaitShown(page, List.of("first", "second"));
    }

    @Test
    @Tag("P4")
    void sessionShowsItsTitleLastModelAndTimes() {
        // Given
        Instant before = Instant.now();
        api.post("/v1/sessions", Map.of("key", "web:named", "title", "Shoes"));
        JsonNode opened = sessionWith("web:named", 0);
        assertEquals("Shoes", opened.path("title").asText());
        assertTrue(opened.path("model").isNull(), opened.toString());
        assertFalse(time(opened, "createdAt").isBefore(before.truncatedTo(ChronoUnit.MILLIS)), opened.toString());

        // When
        api.say("web:named", "!say one");
        JsonNode first = sessionWith("web:named", 2);
        api.patch("/v1/sessions/web:named", Map.of("settings", Map.of("model", "scripted/other")));
        api.say("web:named", "!say two");
        JsonNode second = sessionWith("web:named", 4);

        // Then
        assertEquals("scripted", first.path("model").asText(), first.toString());
        assertEquals("other", second.path("model").asText(), second.toString());
        assertEquals("Shoes", second.path("title").asText());
        assertEquals(opened.path("createdAt"), second.path("createdAt"));
        assertTrue(time(first, "updatedAt").isAfter(time(opened, "updatedAt")), first.toString());
        assertTrue(time(second, "updatedAt").isAfter(time(first, "updatedAt")), second.toString());
        assertFalse(time(second, "updatedAt").isAfter(Instant.now()), second.toString());
    }

    /** The session once it has this many messages and no active turn. */
    private JsonNode sessionWith(String key, int messages) {
        Awaitility.await().atMost(SOON).until(() -> {
            JsonNode found = api.get("/v1/sessions/" + key).json();
            return found.path("messageCount").asInt(-1) == messages
                    && found.path("activeTurn").isNull();
        });
        return api.get("/v1/sessions/" + key).json();
    }

    private static Instant time(JsonNode session, String field) {
        return Instant.parse(session.path(field).asText());
    }
}
