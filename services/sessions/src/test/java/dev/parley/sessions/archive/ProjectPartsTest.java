package dev.parley.sessions.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.platform.archive.ProjectPart;
import dev.parley.sessions.archive.Manifest.Counts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts that an export or import reports as absent if the process lacks a role. */
class ProjectPartsTest {
    private static final String NO_CONTROL = "definitions: the process does not have the role control";
    private static final String NO_WORKFLOWS = "workflows: the process does not have the role workflows";

    @TempDir
    Path folder;

    /** A part without content. */
    private record Empty(String folder) implements ProjectPart {
        @Override
        public Written write(Project project, UUID exporter, Instant snapshotTime, Entries entries) {
            return new Written(new TreeMap<>(), Set.of());
        }

        @Override
        public Stream<UUID> turns(Archived from) {
            return Stream.empty();
        }

        @Override
        public List<String> read(Project project, UUID importer, Names names, Archived from) {
            return List.of();
        }
    }

    private static ProjectParts parts(String... folders) {
        return new ProjectParts(Stream.of(folders).<ProjectPart>map(Empty::new).toList());
    }

    @Test
    void exportNamesThePartsOfMissingRoles() {
        assertEquals(List.of(), parts("definitions", "files", "workflows").absent());
        assertEquals(List.of(NO_CONTROL), parts("files", "workflows").absent());
        assertEquals(List.of(NO_WORKFLOWS), parts("definitions", "files").absent());
        assertEquals(List.of(NO_CONTROL, NO_WORKFLOWS), parts("files").absent());
    }

    @Test
    void importNamesThePartsThatItOmits() throws IOException, ArchiveException {
        // Given
        Path path = folder.resolve("archive.zip");
        try (var archive = new ArchiveWriter(path)) {
            archive.json("workflows/one.json", Map.of());
            archive.json(Manifest.NAME, manifest(archive));
        }

        // Then
        try (var archive = Archive.open(path)) {
            assertEquals(List.of(), omitted(parts("definitions", "files", "workflows"), archive));
            assertEquals(List.of(), omitted(parts("files", "workflows"), archive));
            assertEquals(
                    List.of(NO_WORKFLOWS + "; import the archive again on a process that has it"),
                    omitted(parts("definitions", "files"), archive));
        }
    }

    private static List<String> omitted(ProjectParts parts, Archive archive) throws IOException {
        var host = Ids.of("host");
        var target = new ImportTarget("mine", "mine", host, user -> user, turn -> turn);
        var project = new Project(
                host, Ids.of("mine"), 1, "mine", "Mine", false, false, null, null, null, List.of(), false, null);
        return parts.read(project, Ids.of("ann"), new ProjectParts.ArchivedNames(target, Map.of()), archive);
    }

    private static Manifest manifest(ArchiveWriter archive) {
        return new Manifest(
                Manifest.FORMAT,
                Ids.of("archive"),
                "9.9",
                Export.newestSchemas(),
                Map.of(),
                "mine",
                "Mine",
                "2030-01-01T00:00:00Z",
                Map.of(),
                new Counts(0, 0, 0, 0, 0, new TreeMap<>()),
                List.of(),
                Manifest.ABSENT,
                archive.entries());
    }
}
