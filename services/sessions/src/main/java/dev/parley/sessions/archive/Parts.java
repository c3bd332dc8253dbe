package dev.parley.sessions.archive;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.platform.archive.ProjectPart;
import dev.parley.platform.archive.ProjectPart.Entries;
import dev.parley.platform.archive.ProjectPart.Names;
import dev.parley.platform.archive.ProjectPart.Written;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** What the other modules of this process add to archives. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class Parts {
    private static final String DEFINITIONS = "definitions";
    private static final String WITHOUT = "definitions: the process does not have the role control";

    private static final int MOST_NAMED = 100;

    private final List<ProjectPart> parts;

    Parts(List<ProjectPart> parts) {
        this.parts = parts;
    }

    /** What this process cannot add, in words. */
    List<String> absent() {
        return hasDefinitions() ? List.of() : List.of(WITHOUT);
    }

    private boolean hasDefinitions() {
        return parts.stream().anyMatch(part -> part.folder().equals(DEFINITIONS));
    }

    Written write(Project project, UUID by, Instant at, Entries entries) throws IOException {
        var counts = new TreeMap<String, Long>();
        var people = new HashSet<String>();
        for (ProjectPart part : parts) {
            Written written = part.write(project, by, at, name -> entries.begin(part.folder() + "/" + name));
            counts.putAll(written.counts());
            people.addAll(written.people());
        }
        return new Written(counts, people);
    }

    /** Ids of the turns that an archive's parts name. */
    Set<UUID> turns(Archive archive) throws IOException {
        var found = new HashSet<UUID>();
        for (ProjectPart part : parts) {
            try (Stream<UUID> turns = part.turns(archive.folder(part.folder()))) {
                turns.forEach(found::add);
            }
        }
        return found;
    }

    /** Brings in what this process can. @return what was left out, and why, in words */
    List<String> read(Project project, UUID by, Names names, Archive archive) throws IOException {
        var left = new ArrayList<String>();
        for (ProjectPart part : parts) {
            left.addAll(part.read(project, by, names, archive.folder(part.folder())));
        }
        if (!hasDefinitions() && !archive.folder(DEFINITIONS).names().isEmpty()) {
            left.add(WITHOUT + "; import the archive again at one that has");
        }
        return left;
    }

    /** No more than anybody reads. */
    static List<String> some(List<String> left) {
        return left.size() <= MOST_NAMED
                ? left
                : Stream.concat(
                                left.stream().limit(MOST_NAMED),
                                Stream.of("and %d others".formatted(left.size() - MOST_NAMED)))
                        .toList();
    }

    /**
     * What is called what.
     *
     * @param sessions keys of the sessions of turns, as they were
     */
    record Moved(ImportTarget place, Map<UUID, RecordKey> sessions) implements Names {
        @Override
        public String person(String id) {
            return place.user().apply(id);
        }

        @Override
        public UUID turn(UUID turn) {
            return place.turn().apply(turn);
        }

        @Override
        public UUID session(UUID turn, UUID session) {
            RecordKey key = sessions.get(turn);
            return key == null ? other(session) : place.session(key, session);
        }

        @Override
        public UUID call(UUID turn, UUID call) {
            RecordKey key = sessions.get(turn);
            return key == null ? other(call) : place.call(key, call);
        }

        @Override
        public UUID other(UUID id) {
            return place.other(id);
        }
    }
}
