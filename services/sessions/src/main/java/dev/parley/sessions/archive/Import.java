package dev.parley.sessions.archive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.ContextSeeded;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.access.ProjectRecords;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.sessions.archive.Parts.Moved;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;

/** Imports an archive from another installation, or from this one under another key. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class Import {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final CommandGateway gateway;
    private final BlobStore blobs;
    private final AccessFollower directory;
    private final Database database;
    private final Optional<ProjectRecords> records;
    private final Parts parts;
    private final KafkaDefinitions definitions;

    Import(
            CommandGateway gateway,
            BlobStore blobs,
            AccessFollower directory,
            Database database,
            Optional<ProjectRecords> records,
            Parts parts,
            KafkaDefinitions definitions) {
        this.gateway = gateway;
        this.blobs = blobs;
        this.directory = directory;
        this.database = database;
        this.records = records;
        this.parts = parts;
        this.definitions = definitions;
    }

    /**
     * The result of an import.
     *
     * @param unknown usernames of members that do not exist here
     * @param left what was left out, and why: definitions, files and banks
     * @param refused some of the refused sessions, and why
     */
    record Result(Summary archive, String project, List<String> unknown, List<String> left, List<String> refused) {}

    /**
     * Verifies the archive, then imports it. The import is idempotent: repeated, it continues where it was interrupted.
     *
     * @param to key of the imported project
     * @param progress receives the number of events sent
     * @throws ArchiveException where the archive is rejected; nothing was changed then
     */
    Result run(Account who, Archive archive, String to, LongConsumer progress) throws IOException, ArchiveException {
        archive.verify();
        ProjectFile file = file(archive);
        var people = new Usernames(directory, who.host());
        Set<UUID> elsewhere = checked(who.host(), archive, to);
        Project project = project(who, file, to);
        takeBlobs(archive);
        Moved moved = moved(who, archive, file, people, to, elsewhere);
        List<String> refused = sendSessions(who, archive, moved.place(), progress);
        List<String> unknown = people.admit(file.members(), project, records, who.user());
        var left = new ArrayList<>(parts.read(project, who.user(), moved, archive));
        left.addAll(sendBanks(who, archive, moved.place(), project));
        Summary summary = Summary.of(archive.manifest());
        records.ifPresent(one -> one.audit(
                project,
                who.user(),
                "import",
                "%d events of archive %s"
                        .formatted(summary.events(), archive.manifest().id())));
        return new Result(summary, to, unknown, Parts.some(left), refused);
    }

    private static ProjectFile file(Archive archive) throws IOException, ArchiveException {
        try {
            return Objects.requireNonNull(JSON.treeToValue(archive.project(), ProjectFile.class));
        } catch (JsonProcessingException e) {
            throw new ArchiveException("archive_damaged", "The archive is damaged: project.json cannot be read.");
        }
    }

    /**
     * Reads all events once before anything is written.
     *
     * @return ids of the turns that other sessions, banks and files refer to
     */
    private Set<UUID> checked(UUID host, Archive archive, String to) throws IOException, ArchiveException {
        Set<String> here = sessions(host, to);
        var named = new HashSet<UUID>();
        String from = archive.manifest().project();
        archive.events(event -> {
            RecordKey key = event.meta().key();
            if (!key.project().equals(from)) {
                throw new ArchiveException(
                        "archive_damaged", "The archive is damaged: it has sessions of two projects.");
            }
            here.remove(key.session());
            named.addAll(elsewhere(event));
        });
        if (!here.isEmpty()) {
            throw new ArchiveException(
                    "project_in_use",
                    "The project '%s' has sessions already, such as '%s'; import the archive as a new project."
                            .formatted(to, here.iterator().next()));
        }
        named.addAll(turnsOfMemories(archive, from));
        named.addAll(parts.turns(archive));
        return from.equals(to) ? Set.of() : named;
    }

    private static Set<UUID> turnsOfMemories(Archive archive, String from) throws IOException, ArchiveException {
        var turns = new HashSet<UUID>();
        archive.memories(event -> {
            if (!Objects.equals(event.meta().bank().project(), from)) {
                throw new ArchiveException("archive_damaged", "The archive is damaged: it has banks of two projects.");
            }
            if (event instanceof DocumentRetained retained
                    && retained.document().turnId() != null) {
                turns.add(retained.document().turnId());
            }
        });
        return turns;
    }

    private Set<String> sessions(UUID host, String project) {
        return database.in(
                Tenant.of(host).project(RecordKey.projectId(project)),
                transaction -> new HashSet<>(transaction.query(
                        "SELECT DISTINCT session_key FROM sessions.agent_session_t WHERE project_id = ?",
                        Columns.list(row -> row.getString(1)),
                        RecordKey.projectId(project))));
    }

    private static List<UUID> elsewhere(TurnEvent event) {
        return switch (event) {
            case SessionOpened opened when opened.forkedFrom() != null -> List.of(opened.forkedFrom());
            case ContextSeeded seeded ->
                seeded.entries().stream()
                        .map(entry -> entry.turnId())
                        .distinct()
                        .toList();
            default -> List.of();
        };
    }

    private Project project(Account who, ProjectFile file, String to) throws ArchiveException {
        Optional<Project> there = directory.project(to);
        if (there.isPresent() && !there.get().host().equals(who.host())) {
            throw new ArchiveException("project_exists", "The key '" + to + "' is taken; import it under another one.");
        }
        if (there.isPresent()) {
            return there.get();
        }
        ProjectRecords owner = records.orElseThrow(() -> new ArchiveException(
                "unknown_project",
                "There is no project '%s', and this process cannot create it: create it first, or use a process with the role control."
                        .formatted(to)));
        try {
            return owner.make(
                    who.host(), who.user(), to, file.name(), file.details().toString());
        } catch (IllegalArgumentException e) {
            throw new ArchiveException("project_exists", "The key '" + to + "' is taken; import it under another one.");
        }
    }

    private void takeBlobs(Archive archive) throws IOException, ArchiveException {
        for (String name : archive.names(Archive.BLOBS)) {
            try (InputStream in = archive.open(name)) {
                blobs.put(in); // its address follows from its bytes, which were checked
            }
        }
    }

    private Moved moved(
            Account who, Archive archive, ProjectFile file, Usernames people, String to, Set<UUID> elsewhere)
            throws IOException, ArchiveException {
        String from = archive.manifest().project();
        Map<String, String> users = people.ids(file.people());
        var turns = new HashMap<UUID, UUID>();
        var sessions = new HashMap<UUID, RecordKey>();
        var place = new ImportTarget(
                from,
                to,
                who.host(),
                user -> users.getOrDefault(user, user),
                turn -> from.equals(to) ? turn : turns.getOrDefault(turn, Ids.of("imported", to, turn)));
        if (!elsewhere.isEmpty()) {
            archive.events(event -> {
                UUID old = event.meta().turnId();
                if (event instanceof TurnAccepted turn && elsewhere.contains(old)) {
                    turns.put(Objects.requireNonNull(old), place.turn(turn));
                    sessions.put(old, event.meta().key());
                }
            });
        }
        return new Moved(place, sessions);
    }

    /** Stable for each archive and target, so that repeated commands are recognised as duplicates. */
    private static UUID importId(Archive archive, ImportTarget place) {
        return Ids.of("import", archive.manifest().id(), place.to());
    }

    private List<String> sendSessions(Account who, Archive archive, ImportTarget place, LongConsumer progress)
            throws IOException, ArchiveException {
        var sender = new SessionSender(
                gateway, place, importId(archive, place), who.user().toString());
        long[] sent = {0};
        archive.events(event -> {
            sender.take(event);
            progress.accept(++sent[0]);
        });
        sender.end();
        return sender.refused();
    }

    private List<String> sendBanks(Account who, Archive archive, ImportTarget place, Project project)
            throws IOException, ArchiveException {
        Definitions here = definitions.in(project.host(), project.project());
        var sender = new BankSender(
                gateway,
                place,
                here::agent,
                importId(archive, place),
                who.user().toString());
        archive.memories(sender::take);
        return sender.end();
    }
}
