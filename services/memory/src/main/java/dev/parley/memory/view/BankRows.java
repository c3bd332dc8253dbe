package dev.parley.memory.view;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.MemoryEvent.DirectiveSet;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.Utterance;
import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes banks, documents and directives, with SQL as {@link BankTables} explains. */
final class BankRows extends BankTables {
    private static final String BANKS = """
            INSERT INTO memory.agent_memory_bank_t (host_id, bank_id, project_id, project_key, agent, agent_id, user_id, branch,
              origin_id, bank_name, disposition, background, model, aggregate_version, active, update_ts, update_user)
            SELECT * FROM $rows
            ON CONFLICT (host_id, bank_id) DO UPDATE SET aggregate_version = excluded.aggregate_version,
              active = excluded.active, update_ts = excluded.update_ts, update_user = excluded.update_user
            """;

    private static final String PROFILES = """
            UPDATE memory.agent_memory_bank_t b
            SET bank_name = t.name, disposition = t.disposition, background = t.background, model = t.model
            FROM $rows AS t (host_id, bank_id, name, disposition, background, model)
            WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id
            """;

    private static final String DOCUMENTS = """
            INSERT INTO memory.agent_memory_doc_t AS d (host_id, bank_id, project_id, doc_id, original_text, content_hash,
              metadata, waiting, aggregate_version, update_ts, update_user)
            SELECT host_id, bank_id, project_id, doc_id, original_text, content_hash, metadata, waiting::text[],
              aggregate_version, update_ts, update_user
            FROM $rows AS t (host_id, bank_id, project_id, doc_id, original_text, content_hash, metadata, waiting,
              aggregate_version, update_ts, update_user)
            ON CONFLICT (host_id, bank_id, doc_id) DO UPDATE SET original_text = excluded.original_text,
              content_hash = excluded.content_hash, metadata = excluded.metadata,
              waiting = ARRAY(
                SELECT c.hash FROM unnest(excluded.waiting) WITH ORDINALITY AS c (hash, place)
                WHERE c.hash = ANY (d.waiting)
                  OR NOT d.metadata->'chunks' @> jsonb_build_array(jsonb_build_object('hash', c.hash))
                ORDER BY c.place),
              aggregate_version = excluded.aggregate_version, update_ts = excluded.update_ts,
              update_user = excluded.update_user
            """;

    private static final String READ_CHUNKS = """
            UPDATE memory.agent_memory_doc_t d
            SET waiting = ARRAY(SELECT w.hash FROM unnest(d.waiting) WITH ORDINALITY AS w (hash, place)
              WHERE w.hash <> ALL (t.chunks) ORDER BY w.place)
            FROM (SELECT host_id, bank_id, doc_id, array_agg(chunk) AS chunks FROM $rows AS r (host_id, bank_id, doc_id, chunk)
                  GROUP BY host_id, bank_id, doc_id) t
            WHERE d.host_id = t.host_id AND d.bank_id = t.bank_id AND d.doc_id = t.doc_id
            """;

    private static final String DIRECTIVES = upsert(
            "directive", "directive_id", "name, content, priority, active, aggregate_version, update_ts, update_user");

    BankRows(Connection connection) {
        super(connection);
    }

    void banks(Changes changes) throws SQLException {
        var rows = new RowBatch(
                "uuid uuid uuid text text uuid text text uuid text jsonb text text int8 bool timestamptz text");
        changes.banks().forEach((id, event) -> {
            MemoryMeta meta = event.meta();
            BankRef bank = meta.bank();
            var profile = BankProfile.of(bank);
            boolean erased = event instanceof Forgotten forgotten && forgotten.whole();
            rows.add(
                    bank.host(),
                    id,
                    project(bank),
                    bank.project(),
                    bank.agent(),
                    bank.agentId(),
                    bank.user(),
                    bank.branch(),
                    bank.origin().map(BankRef::id).orElse(null),
                    profile.name(),
                    MetadataColumns.disposition(profile),
                    profile.background(),
                    profile.model(),
                    meta.seq(),
                    !erased,
                    meta.at(),
                    by(meta));
        });
        rows.run(connection, BANKS);
    }

    void profiles(Changes changes) throws SQLException {
        var profiles = new RowBatch("uuid uuid text jsonb text text");
        changes.profiles().forEach((id, event) -> {
            BankProfile profile = event.profile();
            profiles.add(
                    event.meta().bank().host(),
                    id,
                    profile.name(),
                    MetadataColumns.disposition(profile),
                    profile.background(),
                    profile.model());
        });
        profiles.run(connection, PROFILES);
    }

    void documents(Changes changes) throws SQLException {
        Map<Changes.Key, Set<String>> processed = chunksByDocument(changes);
        var rows = new RowBatch("uuid uuid uuid uuid text text jsonb text int8 timestamptz text");
        changes.documents().forEach((key, event) -> {
            Document document = event.document();
            MemoryMeta meta = event.meta();
            rows.add(
                    meta.bank().host(),
                    key.bank(),
                    project(meta.bank()),
                    key.id(),
                    text(document),
                    document.contentHash(),
                    MetadataColumns.of(event),
                    literal(waiting(document, processed.getOrDefault(key, Set.of()))),
                    meta.seq(),
                    meta.at(),
                    by(meta));
        });
        rows.run(connection, DOCUMENTS);
    }

    private static Map<Changes.Key, Set<String>> chunksByDocument(Changes changes) {
        return changes.processedChunks().keySet().stream()
                .collect(Collectors.groupingBy(
                        Changes.Chunk::document, Collectors.mapping(Changes.Chunk::chunk, Collectors.toSet())));
    }

    private static String text(Document document) {
        return document.sayings().stream().map(Utterance::text).collect(Collectors.joining(MetadataColumns.BETWEEN));
    }

    private static List<String> waiting(Document document, Set<String> processed) {
        return document.chunks().stream()
                .map(Document.Piece::hash)
                .filter(hash -> !processed.contains(hash))
                .distinct()
                .toList();
    }

    void processedChunks(Changes changes) throws SQLException {
        var rows = new RowBatch("uuid uuid uuid text");
        changes.processedChunks().forEach((chunk, event) -> {
            Changes.Key document = chunk.document();
            if (!changes.documents().containsKey(document)) { // otherwise written with it
                rows.add(host(event), document.bank(), document.id(), chunk.chunk());
            }
        });
        rows.run(connection, READ_CHUNKS);
    }

    void directives(Changes changes) throws SQLException {
        var set = new RowBatch("uuid uuid uuid uuid text text int4 bool int8 timestamptz text");
        var removed = new RowBatch("uuid uuid uuid");
        changes.directives().forEach((key, event) -> {
            if (event instanceof DirectiveSet e) {
                add(key, e, set);
            } else {
                removed.add(host(event), key.bank(), key.id());
            }
        });
        set.run(connection, DIRECTIVES);
        delete(removed, "directive", "directive_id");
    }

    private static void add(Changes.Key key, DirectiveSet event, RowBatch rows) {
        Directive directive = event.directive();
        MemoryMeta meta = event.meta();
        rows.add(
                host(event),
                key.bank(),
                project(meta.bank()),
                key.id(),
                directive.name(),
                directive.content(),
                directive.priority(),
                directive.active(),
                meta.seq(),
                meta.at(),
                by(meta));
    }
}
