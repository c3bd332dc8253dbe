package dev.parley.sessions.archive;

import dev.parley.platform.json.JsonMappers;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Archives and job states as files in a shared folder: each process that mounts it can answer for all jobs. Files are
 * deleted after a day.
 */
final class JobFolder {
    private static final JsonMapper JSON = JsonMappers.bodies();
    private static final Duration RETENTION = Duration.ofDays(1);

    private final Path folder;

    /** @param folder created where it is missing */
    JobFolder(Path folder) {
        this.folder = folder;
    }

    /** The file of the archive of a job. */
    Path archive(UUID id) {
        return folder.resolve(id + ".zip");
    }

    /** Creates the folder. */
    Path create() throws IOException {
        return Files.createDirectories(folder);
    }

    Optional<Job> find(UUID id) {
        try {
            return Optional.ofNullable(JSON.readValue(Files.readAllBytes(state(id)), Job.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void save(Job job) {
        try {
            Path part = Files.createTempFile(Files.createDirectories(folder), "job", ".part");
            Files.write(part, JSON.writeValueAsBytes(job));
            Files.move(part, state(job.id()), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path state(UUID id) {
        return folder.resolve(id + ".json");
    }

    void delete(UUID id) throws IOException {
        Files.deleteIfExists(archive(id));
        Files.deleteIfExists(state(id));
    }

    /** Deletes files older than a day. */
    void sweep() throws IOException {
        deleteBefore(Instant.now().minus(RETENTION));
    }

    /** Deletes all files. */
    void clear() throws IOException {
        deleteBefore(Instant.MAX);
    }

    private void deleteBefore(Instant limit) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        for (Path file : files()) {
            if (Files.isRegularFile(file)
                    && Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList();
        }
    }
}
