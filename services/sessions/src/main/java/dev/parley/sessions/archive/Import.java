package dev.parley.sessions.archive;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.ContextSeeded;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.access.ProjectRecords;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.sessions.SessionKeyRows;
import dev.parley.sessions.archive.ProjectParts.ArchivedNames;
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
final class Import {
    private final CommandGateway gateway;
    private final BlobStore blobs;
    private final AccessFollower directory;
    private final Database database;
    private final SessionKeyRows sessions;
    private final Optional<ProjectRecords> records;
    private final ProjectParts parts;
    private final KafkaDefinitions definitions;

    Import(
            CommandGateway gateway,
            BlobStore blobs,
            AccessFollower directory,
            Database database,
            SessionKeyRows sessions,
            Optional<ProjectRecords> records,
            ProjectParts parts,
            KafkaDefinitions definitions) {
        this.gateway = gateway;
        this.blobs = blobs;
        this.directory = directory;
        this.database = database;
        this.sessions = sessions;
        this.records = records;
        this.parts = parts;
        this.definitions = definitions;
    }

    /**
     * The result of an import.
     *
     * @param unknown usernames of members that do not exist here
     * @param left definitions, files and banks that were left out, each with the reason
     * @param refused some of the refused sessions, each with the reason
     */
    record Result(Summary archive, String project, List<String> unknown, List<String> left, List<String> refused) {}

    /**
     * Verifies the archive, then imports it. The import is idempotent: repeated, it continues where it was interrupted.
     *
     * @param to key of the imported project
     * @param progress receives the number of events sent
     * @throws ArchiveException where the archive is rejected; nothing was changed then
     */
    Result run(Account importer, Archive archive, String to, LongConsumer progress)
            throws IOException, ArchiveException {
        archive.verify();
        ProjectFile file = archive.project();
        var people = new Usernames(directory, importer.host());
        Set<UUID> referenced = referencedTurns(importer.host(), archive, to);
        Project project = findOrCreate(importer, file, to);
        copyBlobs(archive);
        ArchivedNames names = names(importer, archive, people.ids(file.people()), to, referenced);
        var commands = ImportCommands.of(gateway, names.target(), archive.manifest(), importer.user());
        List<String> refused = sendSessions(commands, archive, progress);
        List<String> unknown = people.addMembers(file.members(), project, records, importer.user());
        var leftOut = new ArrayList<>(parts.read(project, importer.user(), names, archive));
        leftOut.addAll(sendBanks(commands, archive, project));
        Summary summary = Summary.of(archive.manifest());
        records.ifPresent(control -> control.audit(
                project,
                importer.user(),
                "import",
                "%d events of archive %s".formatted(summary.events(), summary.id())));
        return new Result(summary, to, unknown, ProjectParts.abbreviate(leftOut), refused);
    }

    /**
     * Reads and checks all events before anything is written.
     *
     * @return ids of the turns that other sessions, banks and files refer to; empty where ids stay the same
     */
    private Set<UUID> referencedTurns(UUID host, Archive archive, String to) throws IOException, ArchiveException {
        Set<String> missing = sessionKeys(host, to);
        var referenced = new HashSet<UUID>();
        String from = archive.manifest().project();
        archive.turnEvents(event -> {
            RecordKey key = event.meta().key();
            if (!key.project().equals(from)) {
                throw new ArchiveException(
                        "archive_damaged", "The archive is damaged: it has sessions of two projects.");
            }
            missing.remove(key.session());
            referenced.addAll(referencedTurns(event));
        });
        requireNone(missing, to);
        referenced.addAll(turnsOfDocuments(archive, from));
        referenced.addAll(parts.turns(archive));
        return from.equals(to) ? Set.of() : referenced;
    }

    /** Checks that the project has no sessions except those of the archive, which an interrupted import left. */
    private static void requireNone(Set<String> existing, String project) throws ArchiveException {
        if (!existing.isEmpty()) {
            throw new ArchiveException(
                    "project_in_use",
                    "The project '%s' has sessions already, such as '%s'; import the archive as a new project."
                            .formatted(project, existing.iterator().next()));
        }
    }

    private static Set<UUID> turnsOfDocuments(Archive archive, String from) throws IOException, ArchiveException {
        var turns = new HashSet<UUID>();
        archive.memoryEvents(event -> {
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

    private Set<String> sessionKeys(UUID host, String project) {
        UUID id = RecordKey.projectId(project);
        return new HashSet<>(database.in(Tenant.of(host).project(id), () -> sessions.ofProject(id)));
    }

    private static List<UUID> referencedTurns(TurnEvent event) {
        return switch (event) {
            case SessionOpened opened when opened.forkedFrom() != null -> List.of(opened.forkedFrom());
            case ContextSeeded seeded ->
                seeded.entries().stream().map(Entry::turnId).distinct().toList();
            default -> List.of();
        };
    }

    private Project findOrCreate(Account importer, ProjectFile file, String key) throws ArchiveException {
        Optional<Project> existing = directory.project(key);
        if (existing.isEmpty()) {
            return create(importer, file, key);
        }
        if (!existing.get().host().equals(importer.host())) {
            throw taken(key);
        }
        return existing.get();
    }

    private Project create(Account importer, ProjectFile file, String key) throws ArchiveException {
        ProjectRecords control = records.orElseThrow(() -> new ArchiveException(
                "unknown_project",
                "There is no project '%s', and this process cannot create it: create it first, or use a process with the role control."
                        .formatted(key)));
        try {
            return control.make(
                    importer.host(),
                    importer.user(),
                    key,
                    file.name(),
                    file.details().toString());
        } catch (IllegalArgumentException e) {
            throw taken(key);
        }
    }

    private static ArchiveException taken(String key) {
        return new ArchiveException(
                "project_exists", "The key '" + key + "' is taken; import the archive under another key.");
    }

    private void copyBlobs(Archive archive) throws IOException, ArchiveException {
        for (String name : archive.names(Archive.BLOBS)) {
            try (InputStream in = archive.open(name)) {
                blobs.put(in); // its address follows from its bytes, which were checked
            }
        }
    }

    /**
     * The mapping of ids of the archive to ids of the imported project.
     *
     * @param users ids here by ids in the archive
     * @param referenced turns whose new ids and sessions are looked up
     */
    private static ArchivedNames names(
            Account importer, Archive archive, Map<String, String> users, String to, Set<UUID> referenced)
            throws IOException, ArchiveException {
        String from = archive.manifest().project();
        var turns = new HashMap<UUID, UUID>();
        var sessions = new HashMap<UUID, RecordKey>();
        var target = new ImportTarget(
                from,
                to,
                importer.host(),
                user -> users.getOrDefault(user, user),
                turn -> from.equals(to) ? turn : turns.getOrDefault(turn, Ids.of("imported", to, turn)));
        if (!referenced.isEmpty()) {
            archive.turnEvents(event -> {
                UUID archivedId = event.meta().turnId();
                if (event instanceof TurnAccepted turn && referenced.contains(archivedId)) {
                    turns.put(Objects.requireNonNull(archivedId), target.turn(turn));
                    sessions.put(archivedId, event.meta().key());
                }
            });
        }
        return new ArchivedNames(target, sessions);
    }

    private static List<String> sendSessions(ImportCommands commands, Archive archive, LongConsumer progress)
            throws IOException, ArchiveException {
        var sender = new SessionSender(commands);
        long[] sent = {0};
        archive.turnEvents(event -> {
            sender.add(event);
            progress.accept(++sent[0]);
        });
        sender.end();
        return sender.refusedSessions();
    }

    private List<String> sendBanks(ImportCommands commands, Archive archive, Project project)
            throws IOException, ArchiveException {
        Definitions projectDefinitions = definitions.in(project.host(), project.project());
        var sender = new BankSender(commands, projectDefinitions::agent);
        archive.memoryEvents(sender::add);
        return sender.end();
    }
}
