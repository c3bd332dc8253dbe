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
import java.util.SortedMap;
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
     * What is exported.
     *
     * @param key of the project
     * @param describe makes {@code project.json} from the ids of all users that the archive names
     * @param banks which memory banks are exported
     * @param beside writes the parts that are not on event topics, as of an instant
     * @param absent what is left out, in words
     */
    public record Wanted(
            String key,
            String name,
            Function<Set<String>, Object> describe,
            Predicate<BankRef> banks,
            Beside beside,
            List<String> absent) {
        /** Sessions only. */
        public static Wanted sessions(String key, String name) {
            return new Wanted(
                    key, name, _ -> Map.of(), _ -> false, (_, _) -> new Written(new TreeMap<>(), Set.of()), List.of());
        }
    }

    /** Writes the {@link dev.parley.platform.archive.ProjectPart}s of other modules. */
    @FunctionalInterface
    public interface Beside {
        Written write(Entries entries, Instant at) throws IOException;
    }

    /**
     * Writes the archive.
     *
     * @param file created or overwritten; its folder also holds temporary files meanwhile
     * @return the summary of the archive
     */
    public Summary run(Wanted wanted, Path file) throws IOException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        try (var rows = new EventSorter(folder, IN_MEMORY);
                var archive = new ArchiveWriter(file)) {
            var snapshot = new Snapshot(clients, wanted.key(), rows);
            snapshot.read();
            var sessions = new SessionWriter(snapshot, archive);
            try (sessions) {
                rows.sorted(sessions::take);
            }
            List<String> missing = copyBlobs(archive, sessions.blobs());
            var banks = new BankWriter(archive, wanted.banks());
            try (banks) {
                banks.write(clients, wanted.key(), snapshot.instant(), folder, IN_MEMORY);
            }
            Written beside = wanted.beside().write(archive::entry, snapshot.instant());
            SortedMap<String, Long> more = new TreeMap<>(beside.counts());
            more.put("banks", banks.banks());
            more.put("documents", banks.documents());
            Set<String> people = Stream.of(snapshot.people(), banks.people(), beside.people())
                    .flatMap(Set::stream)
                    .collect(Collectors.toSet());
            archive.json("project.json", wanted.describe().apply(people));
            Counts counts = counts(sessions, sessions.blobs().size() - missing.size(), more);
            var manifest = manifest(wanted, snapshot, counts, missing, archive);
            archive.json(Manifest.NAME, manifest);
            return Summary.of(manifest);
        }
    }

    private static Counts counts(SessionWriter sessions, int blobs, SortedMap<String, Long> more) {
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
            try (OutputStream out = archive.entry("blobs/" + address)) {
                Files.copy(blob.get(), out);
            }
        }
        return missing;
    }

    private static Manifest manifest(
            Wanted wanted, Snapshot snapshot, Counts counts, List<String> missing, ArchiveWriter archive) {
        return new Manifest(
                Manifest.FORMAT,
                UUID.randomUUID(),
                version(),
                newestSchemas(),
                RecordFiles.of(TurnEvent.class).schemas().stream()
                        .collect(Collectors.toMap(schema -> schema.schema().getName(), BundledSchema::fingerprint)),
                wanted.key(),
                wanted.name(),
                snapshot.instant().toString(),
                snapshot.offsets(),
                counts,
                missing,
                Stream.concat(Manifest.ABSENT.stream(), wanted.absent().stream())
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
