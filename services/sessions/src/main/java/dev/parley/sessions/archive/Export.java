package dev.parley.sessions.archive;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.MessageAppended;
import dev.parley.domain.protocol.TurnEvent.ModelCalled;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.domain.protocol.TurnEvent.TurnStarted;
import dev.parley.platform.archive.ProjectPart.Entries;
import dev.parley.platform.archive.ProjectPart.Written;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import dev.parley.sessions.archive.Manifest.Counts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Exports a project to an archive while it is in use. */
public final class Export {
    private static final long IN_MEMORY = 32L << 20;

    private final KafkaClients clients;
    private final BlobStore blobs;

    public Export(KafkaClients clients, BlobStore blobs) {
        this.clients = clients;
        this.blobs = blobs;
    }

    /**
     * The content of an archive.
     *
     * @param key of the project
     * @param describe makes {@code project.json} from the ids of all users that the archive names
     * @param banks which memory banks are exported
     * @param parts writes the parts that are not on event topics, as of an instant
     * @param absent descriptions of the parts that are left out
     */
    public record Content(
            String key,
            String name,
            Function<Set<String>, Object> describe,
            Predicate<BankRef> banks,
            PartsWriter parts,
            List<String> absent) {
        /** Sessions only. */
        public static Content sessions(String key, String name) {
            return new Content(
                    key, name, _ -> Map.of(), _ -> false, (_, _) -> new Written(new TreeMap<>(), Set.of()), List.of());
        }
    }

    /** Writes the {@link dev.parley.platform.archive.ProjectPart}s of other modules. */
    @FunctionalInterface
    public interface PartsWriter {
        Written write(Entries entries, Instant asOf) throws IOException;
    }

    /**
     * Writes the archive.
     *
     * @param file created or overwritten; its folder also holds temporary files meanwhile
     * @return the summary of the archive
     */
    public Summary run(Content content, Path file) throws IOException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        try (var rows = new EventSorter(folder, IN_MEMORY);
                var archive = new ArchiveWriter(file)) {
            var snapshot = new ProjectSnapshot(clients, content.key(), rows);
            snapshot.read();
            SessionWriter sessions = writeSessions(rows, snapshot, archive);
            List<String> missing = copyBlobs(archive, sessions.blobs());
            BankArchiveWriter banks = writeBanks(content, snapshot.instant(), folder, archive);
            Written parts = content.parts().write(archive::entry, snapshot.instant());
            Set<String> people = Stream.of(snapshot.people(), banks.people(), parts.people())
                    .flatMap(Set::stream)
                    .collect(Collectors.toSet());
            archive.json(Archive.PROJECT, content.describe().apply(people));
            Counts counts = counts(sessions, sessions.blobs().size() - missing.size(), banks, parts);
            var manifest = manifest(content, snapshot, counts, missing, archive);
            archive.json(Manifest.NAME, manifest);
            return Summary.of(manifest);
        }
    }

    private static SessionWriter writeSessions(EventSorter rows, ProjectSnapshot snapshot, ArchiveWriter archive)
            throws IOException {
        var sessions = new SessionWriter(snapshot, archive);
        try (sessions) {
            rows.mergeTo(sessions::add);
        }
        return sessions;
    }

    private BankArchiveWriter writeBanks(Content content, Instant asOf, Path folder, ArchiveWriter archive)
            throws IOException {
        var banks = new BankArchiveWriter(archive, content.banks());
        try (banks) {
            banks.write(clients, content.key(), asOf, folder, IN_MEMORY);
        }
        return banks;
    }

    private static Counts counts(SessionWriter sessions, int blobs, BankArchiveWriter banks, Written parts) {
        var more = new TreeMap<>(parts.counts());
        more.put("banks", banks.banks());
        more.put("documents", banks.documents());
        return new Counts(
                sessions.count(SessionOpened.class),
                sessions.count(TurnAccepted.class),
                sessions.count(TurnStarted.class)
                        + sessions.count(MessageAppended.class)
                        + sessions.count(ModelCalled.class),
                sessions.count(),
                blobs,
                more);
    }

    private List<String> copyBlobs(ArchiveWriter archive, Set<String> addresses) throws IOException {
        var missing = new ArrayList<String>();
        for (String address : addresses) {
            Optional<Path> blob = blobs.get(address);
            if (blob.isEmpty()) {
                missing.add(address);
                continue;
            }
            try (OutputStream out = archive.entry(Archive.BLOBS + address)) {
                Files.copy(blob.get(), out);
            }
        }
        return missing;
    }

    private static Manifest manifest(
            Content content, ProjectSnapshot snapshot, Counts counts, List<String> missing, ArchiveWriter archive) {
        return new Manifest(
                Manifest.FORMAT,
                UUID.randomUUID(),
                version(),
                newestSchemas(),
                RecordFiles.of(TurnEvent.class).schemas().stream()
                        .collect(Collectors.toMap(schema -> schema.schema().getName(), BundledSchema::fingerprint)),
                content.key(),
                content.name(),
                snapshot.instant().toString(),
                snapshot.offsets(),
                counts,
                missing,
                Stream.concat(Manifest.ABSENT.stream(), content.absent().stream())
                        .sorted()
                        .toList(),
                archive.entries());
    }

    /** Version of the newest released schemas. */
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
