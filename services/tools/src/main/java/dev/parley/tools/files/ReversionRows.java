package dev.parley.tools.files;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code tools.reversion_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ReversionRows extends GenericRepository<ReversionRows.Change, UUID> {
    /** A change of a file: its versions before and after. */
    @MappedEntity(value = "reversion_t", schema = "tools")
    record Change(@Id UUID file, int from, int to) {}

    /** The result of a call that has run already, as JSON. */
    @Query("""
            SELECT result FROM tools.reversion_t WHERE host_id = :host AND project_id = :project AND reversion_id = :call
            """)
    Optional<String> find(UUID host, UUID project, UUID call);

    /** Whether the changes of a turn, or of the turn at the top of its delegation, are reverted. */
    @Query("""
            SELECT EXISTS (SELECT FROM tools.reversion_t
              WHERE host_id = :host AND project_id = :project AND undone_ts IS NULL
                AND turns && ARRAY[CAST(:top AS uuid), CAST(:turn AS uuid)])
            """)
    boolean isReverted(UUID host, UUID project, UUID top, UUID turn);

    /**
     * Inserts a reversion.
     *
     * @param fromVersions the versions of the files before
     * @param toVersions the versions of the files after
     * @param result JSON
     */
    @Query("""
            INSERT INTO tools.reversion_t
              (host_id, project_id, reversion_id, turns, files, from_versions, to_versions, result, update_user)
            VALUES (:host, :project, :call, CAST(:turns AS uuid[]), CAST(:files AS uuid[]), CAST(:fromVersions AS int[]),
              CAST(:toVersions AS int[]), :result, :author)
            """)
    void insert(
            UUID host,
            UUID project,
            UUID call,
            @TypeDef(type = DataType.STRING_ARRAY) List<UUID> turns,
            @TypeDef(type = DataType.STRING_ARRAY) List<UUID> files,
            @TypeDef(type = DataType.STRING_ARRAY) List<Integer> fromVersions,
            @TypeDef(type = DataType.STRING_ARRAY) List<Integer> toVersions,
            String result,
            String author);

    /** Undoes a reversion; returns its changes, none if it is unknown or already undone. */
    @Query("""
            WITH undone AS (
              UPDATE tools.reversion_t SET undone_ts = clock_timestamp()
              WHERE host_id = :host AND project_id = :project AND reversion_id = :reversion AND undone_ts IS NULL
              RETURNING files, from_versions, to_versions)
            SELECT c.file, c.previous AS "from", c.next AS "to"
            FROM undone, unnest(files, from_versions, to_versions) WITH ORDINALITY AS c (file, previous, next, nth) ORDER BY nth
            """)
    List<Change> undo(UUID host, UUID project, UUID reversion);

    /** Deletes reversions that are older than an age. */
    @Query("DELETE FROM tools.reversion_t WHERE created_ts < clock_timestamp() - :seconds * interval '1 second'")
    void deleteOld(long seconds);
}
