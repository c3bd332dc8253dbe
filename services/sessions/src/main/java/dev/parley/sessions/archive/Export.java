package dev.parley.sessions.archive;

import dev.parley.domain.turn.TurnEvent;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Takes a copy of everything in a project, while it is in use. */
public final class Export {
    private static final long IN_MEMORY = 32L << 20;

    private final KafkaClients clients;
    private final BlobStore blobs;

    public Export(KafkaClients clients, BlobStore blobs) {
        this.clients = clients;
        this.blobs = blobs;
    }

    /**
     * Writes the archive.
     *
     * @param describe what stands in {@code project.json}, given the ids of those who said something
     * @param file is made, or made anew; what stands in its folder meanwhile goes again
     * @return what it says about itself
     */
    public Summary run(String project, String name, Function<Set<String>, Object> describe, Path file)
            throws IOException {
        try (var rows = new EventSorter(
                        Objects.requireNonNull(file.toAbsolutePath().getParent()), IN_MEMORY);
                var archive = new ArchiveWriter(file)) {
            var snapshot = new Snapshot(project, rows);
            snapshot.read(clients);
            var sessions = new SessionWriter(snapshot, archive);
            try (sessions) {
                rows.sorted(sessions::take);
            }
            List<String> missing = copyBlobs(archive, sessions.blobs());
            archive.json("project.json", describe.apply(snapshot.people()));
            var manifest = manifest(
                    project,
                    name,
                    snapshot,
                    sessions.counts(sessions.blobs().size() - missing.size()),
                    missing,
                    archive);
            archive.json(Manifest.NAME, manifest);
            return Summary.of(manifest);
        }
    }

    private List<String> copyBlobs(ArchiveWriter archive, Set<String> addresses) throws IOException {
        var missing = new ArrayList<String>();
        for (String address : addresses) {
            Optional<Path> blob = blobs.get(address);
            if (blob.isEmpty()) {
                missing.add(address);
                continue;
            }
            try (OutputStream out = archive.entry("blobs/" + address)) {
                Files.copy(blob.get(), out);
            }
        }
        return missing;
    }

    private static Manifest manifest(
            String project,
            String name,
            Snapshot snapshot,
            Manifest.Counts counts,
            List<String> missing,
            ArchiveWriter archive) {
        return new Manifest(
                Manifest.FORMAT,
                UUID.randomUUID(),
                version(),
                newestSchemas(),
                RecordFiles.of(TurnEvent.class).schemas().stream()
                        .collect(Collectors.toMap(schema -> schema.schema().getName(), BundledSchema::fingerprint)),
                project,
                name,
                snapshot.instant().toString(),
                snapshot.offsets(),
                counts,
                missing,
                Manifest.ABSENT,
                archive.entries());
    }

    /** Number of the newest released set of schemas. */
    static int newestSchemas() {
        return SchemaCatalog.bundled().all().stream()
                .mapToInt(BundledSchema::version)
                .max()
                .orElse(0);
    }

    private static String version() {
        String version = Export.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
