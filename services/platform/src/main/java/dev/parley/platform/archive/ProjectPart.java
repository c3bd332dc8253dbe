package dev.parley.platform.archive;

import dev.parley.domain.access.AccessRecord.Project;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What one module keeps of projects beside their sessions, as archives carry it: definitions, files. A process exports and imports the
 * parts that it has; others are named.
 */
public interface ProjectPart {
    /** The folder of its entries in an archive, such as {@code files}. */
    String folder();

    /**
     * Writes what there was of a project.
     *
     * @param by who exports
     * @param at what came later is left out, as far as that is known
     */
    Written write(Project project, UUID by, Instant at, Entries entries) throws IOException;

    /**
     * What was written.
     *
     * @param counts how many of what, for the manifest
     * @param people ids of those whom it names, who have others where it is brought in
     */
    record Written(SortedMap<String, Long> counts, Set<String> people) {}

    /** Ids of the turns that it names, which have others where it is brought in as another project. */
    Stream<UUID> turns(Archived from) throws IOException;

    /**
     * Brings it in. To bring the same in again changes nothing, or goes on where it ended.
     *
     * @param by who imports
     * @return what was left out, and why, in words
     */
    List<String> read(Project project, UUID by, Names names, Archived from) throws IOException;

    /** Where entries are written. */
    @FunctionalInterface
    interface Entries {
        /** Begins an entry in the folder, which ends when the stream is closed; one at a time. */
        OutputStream begin(String name) throws IOException;
    }

    /** Where entries are read. */
    interface Archived {
        /** Names of the entries in the folder, in order. */
        List<String> names();

        /** The bytes of one of them. */
        InputStream open(String name) throws IOException;
    }

    /** What people, turns and calls of the archive are called where it is brought in. */
    interface Names {
        /** Id of a person. */
        String person(String id);

        /** Id of a turn. */
        UUID turn(UUID turn);

        /** Id of the session that a turn is in. */
        UUID session(UUID turn, UUID session);

        /** Id of a call that was made in a turn. */
        UUID call(UUID turn, UUID call);

        /** Id of something else. */
        UUID other(UUID id);
    }
}
