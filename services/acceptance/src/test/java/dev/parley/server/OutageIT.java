package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Turns during an outage of the broker or the database, and while instances are replaced. */
class OutageIT {

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;

    @BeforeAll
    static void start() {
        servers = new Servers(folder);
        instance = start("one");
    }

    private static Instance start(String name) {
        return servers.start(name, 4);
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
    }

    private static Api api(Instance instance) {
        return Api.of(instance);
    }

    @Test
    @Tag("O1")
    void rejectsTurnsWithoutTheBrokerAndAcceptsTheRetry() {
        // Given
        api(instance).say("web:broker", "!say before");

        // When
        servers.stopKafka();
        Api.Answer refused;
        try {
            refused = api(instance).submit("web:broker", "!say after", "again");
        } finally {
            servers.startKafka();
        }

        // Then
        assertEquals(503, refused.status(), refused.text());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            int status =
                    api(instance).submit("web:broker", "!say after", "again").status();
            return status == 200 || status == 202;
        });
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> api(instance).list("/v1/sessions/web:broker/turns").stream()
                                .filter(turn -> turn.get("state").asText().equals("COMPLETED"))
                                .count()
                        == 2);
    }

    @Test
    void turnsContinueWithoutTheDatabaseAndViewsCatchUp() {
        // Given
        api(instance).say("web:database", "!say before");

        // When
        servers.stopPostgres();
        String reply;
        try {
            reply = api(instance)
                    .say("web:database", "!say without")
                    .get("reply")
                    .asText();
        } finally {
            servers.startPostgres();
        }

        // Then
        assertEquals("without", reply);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() ->
                        api(instance).list("/v1/sessions/web:database/turns").size() == 2);
    }

    @Test
    @Tag("O12")
    void rollingReplacementUnderLoadLosesNoTurn() {
        try (Instance second = start("two")) {
            // Given
            var accepted = new CopyOnWriteArrayList<String>();
            var goesOn = new AtomicBoolean(true);
            var load = CompletableFuture.runAsync(() -> submit(api(second), accepted, goesOn));
            Awaitility.await().until(() -> accepted.size() > 20);

            // When
            instance.close();
            int whileAway = accepted.size();
            instance = start("one");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> accepted.size() > whileAway + 20);
            goesOn.set(false);
            load.join();

            // Then
            assertFalse(accepted.isEmpty());
            Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> completed(api(instance), accepted));
        }
    }

    private static void submit(Api to, List<String> accepted, AtomicBoolean goesOn) {
        for (int i = 0; goesOn.get() && i < 2_000; i++) {
            Api.Answer answer =
                    to.submit("web:rolling" + i % 10, "!call echo {\"text\":\"x\"}\n!then\n!say ok", "r" + i);
            if (answer.status() == 202) {
                accepted.add(answer.json().get("id").asText());
            }
        }
    }

    private static boolean completed(Api api, List<String> turns) {
        return turns.stream()
                .allMatch(id ->
                        api.get("/v1/turns/" + id).json().path("state").asText().equals("COMPLETED"));
    }
}
