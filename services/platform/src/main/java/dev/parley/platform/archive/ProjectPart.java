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
 * The data of one module in project archives, such as definitions and files. A process exports and imports the parts
 * that it has, and reports the others.
 */
public interface ProjectPart {
    /** The folder of its entries in an archive, such as {@code files}. */
    String folder();

    /**
     * Writes the data of a project.
     *
     * @param user the user who exports
     * @param time time of the snapshot; later data is left out if possible
     */
    Written write(Project project, UUID user, Instant time, Entries entries) throws IOException;

    /**
     * The result of an export.
     *
     * @param counts by kind, for the manifest
     * @param people ids of referenced users, which are mapped on import
     */
    record Written(SortedMap<String, Long> counts, Set<String> people) {}

    /** Ids of referenced turns, which are mapped on import as another project. */
    Stream<UUID> turns(Archived from) throws IOException;

    /**
     * Imports the data. Idempotent; it resumes an interrupted import.
     *
     * @param user the user who imports
     * @return sentences about data that was left out
     */
    List<String> read(Project project, UUID user, Names names, Archived from) throws IOException;

    /** Writes entries. */
    @FunctionalInterface
    interface Entries {
        /** Starts an entry in the folder, which ends when the stream is closed; one at a time. */
        OutputStream begin(String name) throws IOException;
    }

    /** Reads entries. */
    interface Archived {
        /** Names of the entries in the folder, in order. */
        List<String> names();

        /** Opens an entry. */
        InputStream open(String name) throws IOException;
    }

    /** Maps ids of users, turns and calls of the archive to those of the import. */
    interface Names {
        /** Id of a user. */
        String person(String id);

        /** Id of a turn. */
        UUID turn(UUID turn);

        /** Id of the session of a turn. */
        UUID session(UUID turn, UUID session);

        /** Id of a call of a turn. */
        UUID call(UUID turn, UUID call);

        /** Any other id. */
        UUID other(UUID id);
    }
}
