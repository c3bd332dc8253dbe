package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reminders of a chat, in a process that is killed before, at and after their times. */
class KilledReminderIT {
    private static final String SECRET = "contract-token_0123456789";
    private static final String CHAT = "C-killed";
    private static final Duration SOON = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    @Test
    @Tag("B268")
    void eachIsSentOnceAndOnTimeWhereAProcessRuns() throws Exception {
        Path data = folder.resolve("data");
        try (var receiver = new HookReceiver(SECRET);
                var http = HttpClient.newHttpClient()) {
            var environment = Map.of("PARLEY_CONFIG", configure(receiver.url()).toString());
            Instant second;
            Instant last;
            try (ParleyProcess first = ParleyProcess.start(data, environment)) {
                // Given reminders that are due at the kill, while nothing runs, and long after it
                Api api = first.api();
                Instant atTheKill = set(http, api, receiver, "tea", "PT5S");
                second = set(http, api, receiver, "bread", "PT9S");
                last = set(http, api, receiver, "cake", "PT60S");
                awaitTime(atTheKill);

                // When
                first.kill();
            }
            awaitTime(second);

            // Then after a restart each is sent once, the last one on time
            try (ParleyProcess next = ParleyProcess.start(data, environment)) {
                Instant ready = Instant.now(); // on a busy machine after all of them were due
                List.of("tea", "bread", "cake").forEach(text -> awaitText(receiver, text));
                JsonNode sent = turn(next.api(), "cake");
                Instant at = Instant.parse(sent.path("createdAt").asText());
                Instant latest = (ready.isAfter(last) ? ready : last).plusSeconds(1);
                assertTrue(!at.isBefore(last) && at.isBefore(latest), at + ", due at " + last);

                // When it is killed again after they were sent
                next.kill();
            }

            // Then none is sent again
            try (ParleyProcess again = ParleyProcess.start(data, environment)) {
                Api api = again.api();
                assertEquals(202, says(http, api, "!say still here"));
                awaitText(receiver, "still here");
                for (String text : List.of("tea", "bread", "cake")) {
                    turn(api, text);
                    assertEquals(1, texts(receiver, text).size(), texts(receiver, "")::toString);
                }
                assertEquals(List.of(), api.list("/v1/sessions/slackish:" + CHAT + "/reminders"));
            }
            assertEquals(List.of(), receiver.complaints());
        }
    }

    private Path configure(String url) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), SECRET);
        return Files.writeString(
                folder.resolve("parley.yml"),
                "webhooks:\n  - { name: slackish, url: \"%s\", secret: \"file:%s\", allowAll: true }\n"
                        .formatted(url, secret));
    }

    /** Sets a reminder in the chat; returns when it is due. */
    private static Instant set(HttpClient http, Api api, HookReceiver receiver, String text, String after)
            throws Exception {
        assertEquals(
                202,
                says(
                        http,
                        api,
                        "!call remind {\"text\":\"%1$s\",\"after\":\"%2$s\"}\n!then\n!say noted %1$s"
                                .formatted(text, after)));
        awaitText(receiver, "noted " + text);
        return api.list("/v1/sessions/slackish:" + CHAT + "/reminders").stream()
                .filter(reminder -> reminder.path("text").asText().equals(text))
                .map(reminder -> Instant.parse(reminder.path("due").asText()))
                .findFirst()
                .orElseThrow();
    }

    private static int says(HttpClient http, Api api, String text) throws Exception {
        var message = new ObjectMapper()
                .createObjectNode()
                .put("id", UUID.randomUUID().toString());
        message.put("chat", CHAT)
                .put("text", text)
                .putObject("user")
                .put("id", "U1")
                .put("name", "Ann");
        String body = message.toString();
        var request = HttpRequest.newBuilder(URI.create(api.url() + "/hooks/slackish"))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .header(
                        "Parley-Signature",
                        HookReceiver.sign(SECRET, Instant.now().getEpochSecond(), body))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        int status = http.send(request, BodyHandlers.ofString()).statusCode();
        return status == 200 ? 202 : status; // it is answered already
    }

    private static void awaitTime(Instant time) {
        Awaitility.await()
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !Instant.now().isBefore(time));
    }

    private static List<String> texts(HookReceiver receiver, String part) {
        return receiver.messages(CHAT).stream()
                .map(message -> message.path("text").asText())
                .filter(text -> text.contains(part) && !text.startsWith("noted"))
                .toList();
    }

    private static void awaitText(HookReceiver receiver, String text) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> receiver.messages(CHAT).stream()
                        .anyMatch(message -> message.path("text").asText().contains(text)
                                && (text.startsWith("noted")
                                        || !message.path("text").asText().startsWith("noted"))));
    }

    /** The only turn that said this. */
    private static JsonNode turn(Api api, String reply) {
        List<JsonNode> turns = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api.list("/v1/sessions/slackish:" + CHAT + "/turns?fresh=true").stream()
                                .filter(turn -> turn.path("reply").asText().startsWith("⏰"))
                                .filter(turn -> turn.path("reply").asText().contains(reply))
                                .toList(),
                        rows -> !rows.isEmpty());
        assertEquals(1, turns.size(), turns::toString);
        return turns.getFirst();
    }
}
