package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A process is told to stop while the database that it shares with others does not answer. */
@DisabledIfSystemProperty(
        named = "parley.containers",
        matches = "true",
        disabledReason = "suspends the processes of the embedded database")
class StopIT {
    @TempDir
    Path folder;

    @Test
    @Tag("B120")
    void stopsWithinItsTimeWhileTheDatabaseIsPaused() throws Exception {
        // Given
        Files.writeString(folder.resolve("parley.yml"), "");
        try (var servers = new Servers(folder);
                var process = ParleyProcess.start(folder.resolve("one"), servers.environment("one", 2))) {
            Api api = process.api();
            assertEquals("COMPLETED", api.say("work", "hello").get("state").asText());
            List<ProcessHandle> database = database();
            signal("STOP", database);
            try {
                // When
                process.terminate();

                // Then
                process.ended(Duration.ofSeconds(30)); // 10 s, and then this JVM writes its archive of classes
                assertTrue(process.log().contains("stopped"), process.log());
            } finally {
                signal("CONT", database);
            }
        }
    }

    private List<ProcessHandle> database() throws IOException {
        String pid = Files.readAllLines(folder.resolve("infra/postgres/postmaster.pid"))
                .getFirst();
        var postmaster = ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
        return Stream.concat(Stream.of(postmaster), postmaster.children()).toList();
    }

    private static void signal(String name, List<ProcessHandle> processes) throws Exception {
        for (var process : processes) {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }
    }
}
