package dev.parley.sessions.archive;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.platform.archive.ProjectPart;
import dev.parley.platform.archive.ProjectPart.Entries;
import dev.parley.platform.archive.ProjectPart.Names;
import dev.parley.platform.archive.ProjectPart.Written;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** The {@link ProjectPart}s of this process. A part of a role that the process does not have is named as left out. */
@Singleton
final class ProjectParts {
    /** The role that a process needs for a part, by folder; other parts are in all processes. */
    private static final SortedMap<String, String> ROLES =
            new TreeMap<>(Map.of("definitions", "control", "workflows", "workflows"));

    private static final int MAX_NAMED = 100;

    private final List<ProjectPart> parts;

    ProjectParts(List<ProjectPart> parts) {
        this.parts = parts;
    }

    /** The parts that an export of this process lacks, each with the reason. */
    List<String> absent() {
        return missing().map(ProjectParts::withoutRole).toList();
    }

    private Stream<String> missing() {
        return ROLES.keySet().stream()
                .filter(folder -> parts.stream().noneMatch(part -> part.folder().equals(folder)));
    }

    private static String withoutRole(String folder) {
        return "%s: the process does not have the role %s".formatted(folder, ROLES.get(folder));
    }

    Written write(Project project, UUID userId, Instant asOf, Entries entries) throws IOException {
        var counts = new TreeMap<String, Long>();
        var people = new HashSet<String>();
        for (ProjectPart part : parts) {
            Written result = part.write(project, userId, asOf, name -> entries.begin(part.folder() + "/" + name));
            counts.putAll(result.counts());
            people.addAll(result.people());
        }
        return new Written(counts, people);
    }

    /** Ids of the turns that the parts of an archive refer to. */
    Set<UUID> turns(Archive archive) throws IOException {
        var found = new HashSet<UUID>();
        for (ProjectPart part : parts) {
            try (Stream<UUID> turns = part.turns(archive.folder(part.folder()))) {
                turns.forEach(found::add);
            }
        }
        return found;
    }

    /**
     * Imports the parts that this process has.
     *
     * @return descriptions of the content that was left out, with the reasons
     */
    List<String> read(Project project, UUID userId, Names names, Archive archive) throws IOException {
        var leftOut = new ArrayList<String>();
        for (ProjectPart part : parts) {
            leftOut.addAll(part.read(project, userId, names, archive.folder(part.folder())));
        }
        missing()
                .filter(folder -> !archive.folder(folder).names().isEmpty())
                .forEach(folder ->
                        leftOut.add(withoutRole(folder) + "; import the archive again on a process that has it"));
        return leftOut;
    }

    /** The first {@value #MAX_NAMED} entries and a count of the others. */
    static List<String> abbreviate(List<String> leftOut) {
        return leftOut.size() <= MAX_NAMED
                ? leftOut
                : Stream.concat(
                                leftOut.stream().limit(MAX_NAMED),
                                Stream.of("and %d others".formatted(leftOut.size() - MAX_NAMED)))
                        .toList();
    }

    /**
     * Maps ids of the archive to ids of the imported project.
     *
     * @param sessions record keys of the sessions of turns, as archived
     */
    record ArchivedNames(ImportTarget target, Map<UUID, RecordKey> sessions) implements Names {
        @Override
        public String person(String id) {
            return target.user().apply(id);
        }

        @Override
        public UUID turn(UUID turn) {
            return target.turn().apply(turn);
        }

        @Override
        public UUID session(UUID turn, UUID session) {
            RecordKey key = sessions.get(turn);
            return key == null ? other(session) : target.session(key, session);
        }

        @Override
        public UUID call(UUID turn, UUID call) {
            RecordKey key = sessions.get(turn);
            return key == null ? other(call) : target.call(key, call);
        }

        @Override
        public UUID other(UUID id) {
            return target.other(id);
        }
    }
}
