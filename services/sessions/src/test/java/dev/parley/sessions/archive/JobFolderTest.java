package dev.parley.sessions.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The states of exports and imports as files. */
class JobFolderTest {
    private static final UUID ID = new UUID(1, 2);
    private static final Summary SUMMARY = new Summary(
            ID,
            "mine",
            Instant.parse("2030-01-01T00:00:00.123456Z"),
            1,
            2,
            3,
            4,
            5,
            Map.of("files", 6L),
            List.of("keys"),
            7);

    @TempDir
    Path folder;

    @Test
    void readsBackAStoredJob() throws IOException {
        var jobs = new JobFolder(folder);
        Job started = Job.began(ID, null, Job.UPLOADING, "");
        jobs.save(started);
        assertEquals(Optional.of(started), jobs.find(ID));

        Job finished = started.running("mine", "here/1").completeExport(SUMMARY, 8, "abc");
        jobs.save(finished);

        assertEquals(Optional.of(finished), jobs.find(ID));
        String file = Files.readString(folder.resolve(ID + ".json"));
        assertTrue(file.contains("\"instant\":\"2030-01-01T00:00:00.123456Z\""), file);
        assertEquals(Optional.empty(), jobs.find(new UUID(3, 4)));
    }

    @Test
    void readsAJobOfAnOlderVersion() throws IOException {
        // Given
        Files.writeString(folder.resolve(ID + ".json"), """
                {"id":"%s","state":"running","instance":"here/1","size":9,"events":4,"unknown":[],
                 "archive":{"id":"%s","project":"mine","instant":"2030-01-01T00:00:00Z","sessions":1,"turns":2,"messages":3,
                 "events":4,"blobs":5,"more":{},"absent":[],"missing":0}}
                """.formatted(ID, ID));

        // When
        Job job = new JobFolder(folder).find(ID).orElseThrow();

        // Then
        assertEquals(9, job.size());
        assertEquals(List.of(), job.unknown());
        assertEquals(Map.of(), job.archive().more());
    }
}
