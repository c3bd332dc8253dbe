package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A backup of a process under load: nothing answered before it is lost, and the restored installation goes on. */
@DisabledOnOs(OS.WINDOWS)
@DisabledIfSystemProperty(
        named = "parley.containers",
        matches = "true",
        disabledReason = "copies the folder of embedded servers")
class LiveBackupIT {
    private static final int SESSIONS = 4;
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    /** Turns that were answered, by session. */
    private record Load(Api api, Queue<String> answered, AtomicBoolean goesOn) {
        void talk(int session) {
            while (goesOn.get()) {
                JsonNode turn = api.say("web:load-" + session, "!call echo {\"text\":\"x\"}\n!then\n!say done");
                assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
                answered.add(turn.path("id").asText());
            }
        }

        List<String> awaitMore(int turns) {
            int before = answered.size();
            Awaitility.await().atMost(SOON).until(() -> answered.size() >= before + turns);
            return List.copyOf(answered);
        }
    }

    @Test
    @Tag("I116")
    @Tag("B142")
    void backupOfARunningProcessHasAllThatWasAnsweredBefore() throws Exception {
        // Given
        Path data = folder.resolve("the data");
        Path restored = folder.resolve("restored");
        Path archive = folder.resolve("live.tar.gz");
        List<String> before;
        try (ParleyProcess process = ParleyProcess.start(data, Map.of("PARLEY_DRAIN", "0"));
                ExecutorService talking = Executors.newVirtualThreadPerTaskExecutor()) {
            Api api = process.api();
            api.say("web:memory", "my name is Ada");
            var load = new Load(api, new ConcurrentLinkedQueue<>(), new AtomicBoolean(true));
            var talks = IntStream.range(0, SESSIONS)
                    .mapToObj(session -> talking.submit(() -> load.talk(session)))
                    .toList();
            before = load.awaitMore(20);

            // When
            String printed = BackupScriptsTest.run(
                    0, Map.of("PARLEY", command().toString()), "backup.sh", data.toString(), archive.toString());

            // Then
            System.out.println(printed);
            load.awaitMore(20);
            load.goesOn().set(false);
            for (var talk : talks) {
                talk.get();
            }
            try (Stream<Path> files = Files.list(data)) {
                assertTrue(files.noneMatch(file -> file.getFileName().toString().startsWith("copy.")));
            }
        }

        // And when
        BackupScriptsTest.run(0, "restore.sh", archive.toString(), restored.toString());

        // And then
        try (ParleyProcess process = ParleyProcess.start(restored, Map.of("PARLEY_DRAIN", "0"))) {
            Api api = process.api();
            for (String turn : before) {
                Awaitility.await(turn)
                        .atMost(SOON)
                        .until(() -> api.get("/v1/turns/" + turn)
                                .json()
                                .path("state")
                                .asText()
                                .equals("COMPLETED"));
            }
            for (int session = 0; session < SESSIONS; session++) {
                assertEquals(
                        "COMPLETED",
                        api.say("web:load-" + session, "!say goes on")
                                .path("state")
                                .asText());
                String turns = "/v1/sessions/web:load-%d/turns?limit=200".formatted(session);
                Awaitility.await()
                        .atMost(SOON)
                        .until(() -> api.list(turns).stream()
                                .allMatch(turn -> turn.path("state").asText().equals("COMPLETED")));
            }
            assertTrue(api.say("web:memory", "what is my name?")
                    .path("reply")
                    .asText()
                    .contains("Ada"));
        }
    }

    /** A program that does what {@code ./parley} does, with the classes of this test. */
    private Path command() throws IOException {
        Path script = folder.resolve("parley");
        Files.writeString(
                script,
                "#!/bin/sh\nexec '%s' -cp '%s' dev.parley.server.Parley \"$@\"\n"
                        .formatted(ProcessHandle.current().info().command().orElse("java"), ParleyProcess.classPath()));
        assertTrue(script.toFile().setExecutable(true));
        return script;
    }
}
