package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.EmbeddedKafka;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
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

/** What becomes of turns while the broker or the database is away, and while instances come and go. */
class OutageIT {
    private static final String KEY = "outage-test-key-0123456789";

    @TempDir
    static Path folder;

    private static DataFolder infra;
    private static EmbeddedKafka kafka;
    private static EmbeddedPostgresServer postgres;
    private static Instance instance;

    @BeforeAll
    static void start() {
        infra = DataFolder.open(folder.resolve("infra"));
        kafka = EmbeddedKafka.start(infra, 0);
        postgres = EmbeddedPostgresServer.start(infra, 0);
        instance = start("one");
    }

    private static Instance start(String name) {
        var environment = new HashMap<String, String>();
        environment.put("PARLEY_DATA", folder.resolve(name).toString());
        environment.put("PARLEY_BLOBS", folder.resolve("blobs").toString());
        environment.put("PARLEY_CONFIG", folder.resolve("none.yml").toString());
        environment.put("PARLEY_PORT", "0");
        environment.put("PARLEY_ADMIN_KEY", KEY);
        environment.put("PARLEY_INSTANCE", name);
        environment.put("PARLEY_PARTITIONS", "4");
        environment.put("PARLEY_KAFKA", kafka.bootstrap());
        environment.put("PARLEY_POSTGRES", postgres.database().owner().url());
        environment.put("PARLEY_POSTGRES_USER", postgres.database().owner().user());
        environment.put("PARLEY_POSTGRES_PASSWORD", postgres.database().owner().password());
        environment.put("PARLEY_POSTGRES_APP_USER", postgres.database().app().user());
        environment.put(
                "PARLEY_POSTGRES_APP_PASSWORD", postgres.database().app().password());
        return Instance.start(ConfigReader.read(environment));
    }

    @AfterAll
    static void stop() {
        instance.close();
        postgres.close();
        kafka.close();
        infra.close();
    }

    private static Api api(Instance of) {
        return new Api(of.url(), KEY);
    }

    @Test
    @Tag("O1")
    void nothingIsAcceptedWhileTheBrokerIsAwayAndTheSameRequestIsAnsweredAfterwards() {
        // Given
        api(instance).say("web:broker", "!say before");

        // When
        kafka.close();
        Api.Answer refused;
        try {
            refused = api(instance).submit("web:broker", "!say after", "again");
        } finally {
            kafka = EmbeddedKafka.start(infra, 0);
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
    void turnsGoOnWhileTheDatabaseIsAwayAndTheViewsFollowAfterwards() {
        // Given
        api(instance).say("web:database", "!say before");

        // When
        postgres.close();
        String reply;
        try {
            reply = api(instance)
                    .say("web:database", "!say without")
                    .get("reply")
                    .asText();
        } finally {
            postgres = EmbeddedPostgresServer.start(infra, 0);
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
    void instancesAreReplacedOneAfterTheOtherUnderLoadAndNothingIsLost() {
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
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> accepted.size() > whileAway + 20);
            goesOn.set(false);
            load.join();

            // Then
            assertFalse(accepted.isEmpty());
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> completed(api(instance), accepted));
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
