package dev.parley.memory.api;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code memory.agent_memory_doc_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface DocRows extends GenericRepository<DocJson, UUID> {
    String COLUMNS = """
            d.doc_id AS id, d.metadata->>'session' AS session, CAST(d.metadata->>'turn' AS uuid) AS turn,
              d.metadata->>'context' AS context, coalesce(d.metadata->'tags', '[]') AS tags,
              d.metadata->'mentionedAt' AS mentioned_at, d.metadata->'forgetAt' AS forget_at, d.content_hash,
              cardinality(d.waiting) AS waiting, d.aggregate_version AS seq, d.update_ts AS updated_at, NULL AS units
            """;

    String OF_BANK = "FROM memory.agent_memory_doc_t d WHERE d.host_id = :host AND d.bank_id = :bank ";

    /** The user that retained a document, and whether it is a turn of a session. */
    @Introspected
    record Origin(String by, boolean said) {}

    /** A page of documents, the newest first, without texts. */
    @Query("SELECT NULL AS text, NULL AS sayings, NULL AS chunks, " + COLUMNS + OF_BANK + """
            AND (CAST(:tag AS text) IS NULL OR d.metadata->'tags' @> to_jsonb(CAST(:tag AS text)))
            AND (CAST(:before AS bigint) IS NULL OR d.aggregate_version < CAST(:before AS bigint))
            ORDER BY d.aggregate_version DESC LIMIT :limit
            """)
    List<DocJson> page(UUID host, UUID bank, @Nullable String tag, @Nullable Long before, int limit);

    /** The whole document, except the units found in it. */
    @Query("""
            SELECT d.original_text AS text, coalesce(d.metadata->'sayings', '[]') AS sayings,
              (SELECT coalesce(jsonb_agg(c.chunk || jsonb_build_object('waiting', c.chunk->>'hash' = ANY (d.waiting))
                 ORDER BY c.place), '[]')
               FROM jsonb_array_elements(d.metadata->'chunks') WITH ORDINALITY AS c (chunk, place)) AS chunks,
            """ + COLUMNS + OF_BANK + "AND d.doc_id = :doc")
    Optional<DocJson> find(UUID host, UUID bank, UUID doc);

    @Query("SELECT d.update_user AS by, d.metadata->>'session' IS NOT NULL AS said " + OF_BANK + "AND d.doc_id = :doc")
    Optional<Origin> findOrigin(UUID host, UUID bank, UUID doc);
}
