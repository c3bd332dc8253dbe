package dev.parley.memory.view;

import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.BankRef;
import dev.parley.domain.memory.Directive;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.Link;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.DirectiveSet;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.MentalModelSet;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.MentalModel;
import dev.parley.domain.memory.Mention;
import dev.parley.domain.memory.Saying;
import dev.parley.domain.memory.TimeSpan;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Vector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes what events say into the tables. A bank's row has the number of its last event, so none is taken in twice. */
final class Views {
    /** Numbers of the vectors that the column of them takes; those of other models stand in the events alone. */
    static final int DIMENSIONS = 384;

    /** Versions of an opinion or a mental model that are kept. */
    private static final int MOST_VERSIONS = 50;

    private static final String NEW_ENTITIES = """
            INSERT INTO memory.agent_memory_entity_t (host_id, bank_id, project_id, entity_id, canonical_name, mention_count,
              active, aggregate_version, update_ts)
            SELECT DISTINCT ON (host_id, bank_id, entity_id) host_id, bank_id, project_id, entity_id, name, 0, false,
              aggregate_version, update_ts
            FROM $rows AS t (host_id, bank_id, project_id, unit_id, entity_id, name, aggregate_version, update_ts)
            ON CONFLICT DO NOTHING
            """;

    private static final String BOTH_ENDS = """
            JOIN memory.agent_memory_unit_t f ON f.host_id = t.host_id AND f.bank_id = t.bank_id AND f.unit_id = t.f
            JOIN memory.agent_memory_unit_t o ON o.host_id = t.host_id AND o.bank_id = t.bank_id AND o.unit_id = t.o
            """;

    private static final String NOBODY = "parley";

    private final Connection connection;
    private final boolean counting;

    Views(Connection connection) {
        this(connection, true);
    }

    /** @param counting whether entities and pairs are counted, and the ends of links looked for, with each batch or {@linkplain Deferred later} */
    Views(Connection connection, boolean counting) {
        this.connection = connection;
        this.counting = counting;
    }

    /**
     * Writes events, those of each bank in their order.
     *
     * @return how many of them were new
     */
    int write(List<MemoryEvent> events) throws SQLException {
        var ids = new HashMap<BankRef, UUID>(); // made from names: dear
        events.forEach(event -> ids.computeIfAbsent(event.meta().bank(), BankRef::id));
        Map<UUID, Long> seen = seen(ids);
        var changes = new Changes();
        int news = 0;
        for (MemoryEvent event : events) {
            UUID bank = Objects.requireNonNull(ids.get(event.meta().bank()));
            if (event.meta().seq() <= seen.getOrDefault(bank, 0L)) {
                continue;
            }
            seen.put(bank, event.meta().seq());
            news++;
            changes.add(bank, event);
            if (event instanceof Forgotten || event instanceof GenerationChanged) {
                save(changes);
                changes = new Changes();
            }
            if (event instanceof Forgotten forgotten) {
                forget(bank, forgotten);
            } else if (event instanceof GenerationChanged changed) {
                change(bank, changed);
            }
        }
        save(changes);
        return news;
    }

    /** The number of the last event that each bank has taken in. */
    private Map<UUID, Long> seen(Map<BankRef, UUID> ids) throws SQLException {
        var banks = new Rows("uuid uuid");
        ids.forEach((bank, id) -> banks.add(bank.host(), id));
        var found = new HashMap<UUID, Long>();
        banks.query(connection, """
                SELECT bank_id, aggregate_version FROM $rows AS t (host_id, bank_id)
                JOIN memory.agent_memory_bank_t USING (host_id, bank_id)
                """, row -> found.put(row.getObject(1, UUID.class), row.getLong(2)));
        return found;
    }

    private void save(Changes changes) throws SQLException {
        banks(changes);
        documents(changes);
        read(changes);
        directives(changes);
        units(changes);
        retired(changes);
        links(changes);
        reflections(changes);
        embedded(changes);
        models(changes);
        versions(changes);
    }

    private static String by(MemoryMeta meta) {
        return meta.by() == null ? NOBODY : meta.by();
    }

    private static @Nullable UUID project(BankRef bank) {
        return bank.projectId().orElse(null);
    }

    // ---- banks, documents, directives

    private void banks(Changes changes) throws SQLException {
        var rows = new Rows(
                "uuid uuid uuid text text uuid text text uuid text jsonb text text int8 bool timestamptz text");
        changes.banks().forEach((id, event) -> {
            MemoryMeta meta = event.meta();
            BankRef bank = meta.bank();
            var profile = BankProfile.of(bank);
            boolean gone = event instanceof Forgotten forgotten && forgotten.whole();
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
                    Metadata.disposition(profile),
                    profile.background(),
                    profile.model(),
                    meta.seq(),
                    !gone,
                    meta.at(),
                    by(meta));
        });
        rows.run(connection, """
                INSERT INTO memory.agent_memory_bank_t (host_id, bank_id, project_id, project_key, agent, agent_id, user_id, branch,
                  origin_id, bank_name, disposition, background, model, aggregate_version, active, update_ts, update_user)
                SELECT * FROM $rows
                ON CONFLICT (host_id, bank_id) DO UPDATE SET aggregate_version = excluded.aggregate_version,
                  active = excluded.active, update_ts = excluded.update_ts, update_user = excluded.update_user
                """);
        var profiles = new Rows("uuid uuid text jsonb text text");
        changes.profiles().forEach((id, event) -> {
            BankProfile profile = event.profile();
            profiles.add(
                    event.meta().bank().host(),
                    id,
                    profile.name(),
                    Metadata.disposition(profile),
                    profile.background(),
                    profile.model());
        });
        profiles.run(connection, """
                UPDATE memory.agent_memory_bank_t b
                SET bank_name = t.name, disposition = t.disposition, background = t.background, model = t.model
                FROM $rows AS t (host_id, bank_id, name, disposition, background, model)
                WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id
                """);
    }

    private void documents(Changes changes) throws SQLException {
        var read = new HashMap<Changes.Key, Set<String>>();
        changes.read()
                .keySet()
                .forEach(chunk -> read.computeIfAbsent(chunk.document(), _ -> new HashSet<>())
                        .add(chunk.chunk()));
        var rows = new Rows("uuid uuid uuid uuid text text jsonb text int8 timestamptz text");
        changes.documents().forEach((key, event) -> {
            Document document = event.document();
            MemoryMeta meta = event.meta();
            rows.add(
                    meta.bank().host(),
                    key.bank(),
                    project(meta.bank()),
                    key.id(),
                    document.sayings().stream().map(Saying::text).collect(Collectors.joining(Metadata.BETWEEN)),
                    document.contentHash(),
                    Metadata.of(event),
                    literal(document.chunks().stream()
                            .map(Document.Piece::hash)
                            .filter(hash -> !read.getOrDefault(key, Set.of()).contains(hash))
                            .distinct()
                            .toList()),
                    meta.seq(),
                    meta.at(),
                    by(meta));
        });
        rows.run(connection, """
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
                """);
    }

    private void read(Changes changes) throws SQLException {
        var rows = new Rows("uuid uuid uuid text");
        changes.read().forEach((chunk, event) -> {
            Changes.Key document = chunk.document();
            if (!changes.documents().containsKey(document)) { // else that was written with it
                rows.add(host(event), document.bank(), document.id(), chunk.chunk());
            }
        });
        rows.run(connection, """
                UPDATE memory.agent_memory_doc_t d
                SET waiting = ARRAY(SELECT w.hash FROM unnest(d.waiting) WITH ORDINALITY AS w (hash, place)
                  WHERE w.hash <> ALL (t.chunks) ORDER BY w.place)
                FROM (SELECT host_id, bank_id, doc_id, array_agg(chunk) AS chunks FROM $rows AS r (host_id, bank_id, doc_id, chunk)
                      GROUP BY host_id, bank_id, doc_id) t
                WHERE d.host_id = t.host_id AND d.bank_id = t.bank_id AND d.doc_id = t.doc_id
                """);
    }

    private void directives(Changes changes) throws SQLException {
        var set = new Rows("uuid uuid uuid uuid text text int4 bool int8 timestamptz text");
        var removed = new Rows("uuid uuid uuid");
        changes.directives().forEach((key, event) -> {
            MemoryMeta meta = event.meta();
            if (event instanceof DirectiveSet e) {
                Directive directive = e.directive();
                set.add(
                        meta.bank().host(),
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
            } else {
                removed.add(meta.bank().host(), key.bank(), key.id());
            }
        });
        set.run(connection, """
                INSERT INTO memory.agent_memory_directive_t (host_id, bank_id, project_id, directive_id, name, content, priority,
                  active, aggregate_version, update_ts, update_user)
                SELECT * FROM $rows
                ON CONFLICT (host_id, bank_id, directive_id) DO UPDATE SET name = excluded.name, content = excluded.content,
                  priority = excluded.priority, active = excluded.active, aggregate_version = excluded.aggregate_version,
                  update_ts = excluded.update_ts, update_user = excluded.update_user
                """);
        removed.run(connection, """
                DELETE FROM memory.agent_memory_directive_t d USING $rows AS t (host_id, bank_id, directive_id)
                WHERE d.host_id = t.host_id AND d.bank_id = t.bank_id AND d.directive_id = t.directive_id
                """);
    }

    // ---- units, and whom they are about

    private void units(Changes changes) throws SQLException {
        var ids = new Rows("uuid uuid uuid");
        changes.learned().forEach((key, event) -> ids.add(host(event), key.bank(), key.id()));
        var counted = new Mentions(connection, counting);
        counted.leave(ids);
        learned(changes);
        sources(changes);
        var again = new Rows("uuid uuid uuid");
        changes.learned().forEach((key, event) -> {
            if (isAgain(event)) {
                again.add(host(event), key.bank(), key.id());
            }
        });
        again.run(connection, """
                DELETE FROM memory.agent_memory_unit_entity_t m USING $rows AS t (host_id, bank_id, unit_id)
                WHERE m.host_id = t.host_id AND m.bank_id = t.bank_id AND m.unit_id = t.unit_id
                """);
        mentions(changes);
        counted.come(ids);
        counted.count();
    }

    /** Whether there may be rows of an earlier version: each has the next number, until the unit is forgotten. */
    private static boolean isAgain(UnitLearned event) {
        return event.unit().version() > 1;
    }

    private static UUID host(MemoryEvent event) {
        return event.meta().bank().host();
    }

    private void learned(Changes changes) throws SQLException {
        var rows = new Rows(
                "uuid uuid uuid uuid uuid text int4 text timestamptz timestamptz timestamptz timestamptz text jsonb"
                        + " int4 int8 timestamptz text");
        changes.learned().forEach((key, event) -> rows.add(row(key, event, vector(event.unit(), rows))));
        rows.run(connection, """
                INSERT INTO memory.agent_memory_unit_t (host_id, bank_id, project_id, unit_id, doc_id, content, embedding, context,
                  event_date, occurred_start, occurred_end, mentioned_at, fact_type, metadata, proof_count, aggregate_version,
                  update_ts, update_user)
                SELECT host_id, bank_id, project_id, unit_id, doc_id, content, vectors[vector * 384 + 1 : vector * 384 + 384], context,
                  event_date, occurred_start, occurred_end, mentioned_at, fact_type, metadata, proof_count, aggregate_version,
                  update_ts, update_user
                FROM $rows AS t (host_id, bank_id, project_id, unit_id, doc_id, content, vector, context,
                  event_date, occurred_start, occurred_end, mentioned_at, fact_type, metadata, proof_count, aggregate_version,
                  update_ts, update_user), (SELECT $vectors AS vectors) v
                ON CONFLICT (host_id, bank_id, unit_id) DO UPDATE SET doc_id = excluded.doc_id, content = excluded.content,
                  embedding = excluded.embedding, other_embedding = NULL, context = excluded.context, event_date = excluded.event_date,
                  occurred_start = excluded.occurred_start, occurred_end = excluded.occurred_end,
                  mentioned_at = excluded.mentioned_at, fact_type = excluded.fact_type, metadata = excluded.metadata,
                  proof_count = excluded.proof_count, aggregate_version = excluded.aggregate_version, active = true,
                  update_ts = excluded.update_ts, update_user = excluded.update_user
                """);
    }

    /** What it is made of, as far as that is there: all of it, unless it was forgotten since. */
    private void sources(Changes changes) throws SQLException {
        var sources = new Rows("uuid uuid uuid text");
        changes.learned().forEach((key, event) -> {
            if (isAgain(event) || !event.unit().sources().isEmpty()) {
                sources.add(
                        host(event), key.bank(), key.id(), literal(event.unit().sources()));
            }
        });
        sources.run(connection, """
                UPDATE memory.agent_memory_unit_t u SET source_memory_ids = ARRAY(
                  SELECT s.id FROM unnest(t.sources::uuid[]) WITH ORDINALITY AS s (id, place)
                  JOIN memory.agent_memory_unit_t o ON o.host_id = t.host_id AND o.bank_id = t.bank_id AND o.unit_id = s.id
                  ORDER BY s.place)
                FROM $rows AS t (host_id, bank_id, unit_id, sources)
                WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
                  AND NOT (t.sources = '{}' AND u.source_memory_ids = '{}')
                """);
        sources.run(connection, """
                DELETE FROM memory.agent_memory_unit_source_t s USING $rows AS t (host_id, bank_id, unit_id, sources)
                WHERE s.host_id = t.host_id AND s.bank_id = t.bank_id AND s.unit_id = t.unit_id
                """);
        sources.run(connection, """
                INSERT INTO memory.agent_memory_unit_source_t (host_id, bank_id, source_id, unit_id, project_id)
                SELECT u.host_id, u.bank_id, s.id, u.unit_id, u.project_id FROM $rows AS t (host_id, bank_id, unit_id, sources)
                JOIN memory.agent_memory_unit_t u USING (host_id, bank_id, unit_id) CROSS JOIN LATERAL unnest(u.source_memory_ids) AS s (id)
                ON CONFLICT DO NOTHING
                """);
    }

    private void mentions(Changes changes) throws SQLException {
        var mentions = new Rows("uuid uuid uuid uuid uuid text int8 timestamptz");
        changes.learned().forEach((key, event) -> {
            MemoryMeta meta = event.meta();
            for (Mention mention : event.mentions()) {
                mentions.add(
                        host(event),
                        key.bank(),
                        project(meta.bank()),
                        key.id(),
                        mention.entity(),
                        mention.name(),
                        meta.seq(),
                        meta.at());
            }
        });
        if (counting) {
            mentions.run(connection, NEW_ENTITIES);
        }
        mentions.run(connection, """
                INSERT INTO memory.agent_memory_unit_entity_t
                  (host_id, bank_id, project_id, unit_id, entity_id, name, aggregate_version, update_ts)
                SELECT * FROM $rows ON CONFLICT DO NOTHING
                """);
    }

    private static @Nullable Object[] row(Changes.Key key, UnitLearned event, @Nullable Integer vector) {
        Unit unit = event.unit();
        MemoryMeta meta = event.meta();
        TimeSpan occurred = unit.occurred();
        return new @Nullable Object[] {
            meta.bank().host(),
            key.bank(),
            project(meta.bank()),
            key.id(),
            unit.docId(),
            unit.text(),
            vector,
            unit.context(),
            unit.date(),
            occurred == null ? null : occurred.from(),
            occurred == null ? null : occurred.to(),
            unit.mentionedAt(),
            unit.type().code(),
            Metadata.of(event),
            unit.proofCount(),
            meta.seq(),
            meta.at(),
            by(meta)
        };
    }

    private static @Nullable Integer vector(Unit unit, Rows rows) {
        return vector(unit.vector(), rows);
    }

    private static @Nullable Integer vector(@Nullable Vector vector, Rows rows) {
        return vector == null || vector.size() != DIMENSIONS ? null : rows.vector(vector.values());
    }

    /** An array of ids, or of hashes. */
    private static String literal(Collection<?> ids) {
        return ids.stream().map(Object::toString).collect(Collectors.joining(",", "{", "}"));
    }

    private void embedded(Changes changes) throws SQLException {
        var rows = new Rows("uuid uuid uuid int4");
        changes.embedded()
                .forEach((key, event) -> rows.add(host(event), key.bank(), key.id(), vector(event.vector(), rows)));
        rows.run(connection, """
                UPDATE memory.agent_memory_unit_t u SET other_embedding = vectors[vector * 384 + 1 : vector * 384 + 384]
                FROM $rows AS t (host_id, bank_id, unit_id, vector), (SELECT $vectors AS vectors) v
                WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
                """);
        rows.run(connection, """
                UPDATE memory.agent_memory_reflection_t r SET other_embedding = vectors[vector * 384 + 1 : vector * 384 + 384]
                FROM $rows AS t (host_id, bank_id, id, vector), (SELECT $vectors AS vectors) v
                WHERE r.host_id = t.host_id AND r.bank_id = t.bank_id AND r.reflection_id = t.id
                """);
        var counts = new Rows("uuid uuid uuid int4");
        changes.vectors().forEach((key, counted) -> counts.add(counted.host(), key.bank(), key.id(), counted.count()));
        counts.run(connection, """
                WITH counted AS (
                  UPDATE memory.agent_memory_unit_t u SET other_vectors = other_vectors + t.vectors
                  FROM $rows AS t (host_id, bank_id, unit_id, vectors)
                  WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
                  RETURNING t.host_id, t.bank_id, t.vectors)
                UPDATE memory.agent_memory_bank_t b SET other_units = other_units + t.vectors
                FROM (SELECT host_id, bank_id, sum(vectors) AS vectors FROM counted GROUP BY host_id, bank_id) t
                WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id
                """);
    }

    /** Where the two generations change places, so do their vectors, all at once; those of one that is no more go. */
    private void change(UUID bank, GenerationChanged event) throws SQLException {
        var row = new Rows("uuid uuid text text").add(host(event), bank, event.current(), event.other());
        row.run(connection, """
                UPDATE memory.agent_memory_unit_t u
                SET embedding = CASE WHEN b.other_generation = t.current THEN u.other_embedding ELSE u.embedding END,
                  other_embedding = CASE WHEN b.other_generation = t.current THEN u.embedding END,
                  other_vectors = CASE WHEN b.other_generation = t.current THEN u.other_vectors ELSE 0 END
                FROM $rows AS t (host_id, bank_id, current, other) JOIN memory.agent_memory_bank_t b USING (host_id, bank_id)
                WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND b.other_generation IS DISTINCT FROM t.other
                  AND b.other_generation IS NOT NULL
                """);
        row.run(connection, """
                UPDATE memory.agent_memory_reflection_t r
                SET embedding = CASE WHEN b.other_generation = t.current THEN r.other_embedding ELSE r.embedding END,
                  other_embedding = CASE WHEN b.other_generation = t.current THEN r.embedding END
                FROM $rows AS t (host_id, bank_id, current, other) JOIN memory.agent_memory_bank_t b USING (host_id, bank_id)
                WHERE r.host_id = t.host_id AND r.bank_id = t.bank_id AND b.other_generation IS DISTINCT FROM t.other
                  AND b.other_generation IS NOT NULL
                """);
        row.run(connection, """
                UPDATE memory.agent_memory_bank_t b SET generation = t.current, other_generation = t.other,
                  other_units = CASE WHEN b.other_generation = t.current OR b.other_generation = t.other THEN other_units ELSE 0 END
                FROM $rows AS t (host_id, bank_id, current, other)
                WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id
                """);
    }

    private void retired(Changes changes) throws SQLException {
        var rows = new Rows("uuid uuid uuid jsonb int8 timestamptz text");
        changes.retired()
                .forEach((key, event) -> rows.add(
                        event.meta().bank().host(),
                        key.bank(),
                        key.id(),
                        Metadata.of(event),
                        event.meta().seq(),
                        event.meta().at(),
                        by(event.meta())));
        rows.run(connection, """
                UPDATE memory.agent_memory_unit_t u SET active = false, metadata = u.metadata || t.metadata,
                  aggregate_version = t.version, update_ts = t.at, update_user = t.by
                FROM $rows AS t (host_id, bank_id, unit_id, metadata, version, at, by)
                WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
                """);
    }

    /** A link whose other end is forgotten leads nowhere. */
    private void links(Changes changes) throws SQLException {
        var rows = new Rows("uuid uuid uuid uuid uuid text float8 int8 timestamptz text");
        for (Changes.Linked linked : changes.links()) {
            Link link = linked.link();
            MemoryMeta meta = linked.meta();
            rows.add(
                    meta.bank().host(),
                    linked.bank(),
                    project(meta.bank()),
                    link.from(),
                    link.to(),
                    link.type().code(),
                    link.weight(),
                    meta.seq(),
                    meta.at(),
                    by(meta));
        }
        rows.run(connection, """
                INSERT INTO memory.agent_memory_link_t (host_id, bank_id, project_id, from_unit_id, to_unit_id, link_type, weight,
                  aggregate_version, update_ts, update_user)
                SELECT t.* FROM $rows AS t (host_id, bank_id, project_id, f, o, link_type, weight, version, at, by)
                %s
                ON CONFLICT (host_id, bank_id, from_unit_id, to_unit_id, link_type) DO UPDATE SET weight = excluded.weight,
                  aggregate_version = excluded.aggregate_version, update_ts = excluded.update_ts,
                  update_user = excluded.update_user
                """.formatted(counting ? BOTH_ENDS : ""));
    }

    // ---- reflections, mental models, and what they said before

    private void models(Changes changes) throws SQLException {
        var set = new Rows("uuid uuid uuid uuid text text jsonb int8 int8 timestamptz text");
        var removed = new Rows("uuid uuid uuid");
        changes.models().forEach((key, event) -> {
            MemoryMeta meta = event.meta();
            if (event instanceof MentalModelSet e) {
                MentalModel model = e.model();
                set.add(
                        host(event),
                        key.bank(),
                        project(meta.bank()),
                        key.id(),
                        model.name(),
                        model.question(),
                        Metadata.list(model.tags()),
                        model.rest().toMillis(),
                        meta.seq(),
                        meta.at(),
                        by(meta));
            } else {
                removed.add(host(event), key.bank(), key.id());
            }
        });
        set.run(connection, """
                INSERT INTO memory.agent_memory_mental_model_t (host_id, bank_id, project_id, mental_model_id, name, question,
                  tags, rest_ms, aggregate_version, update_ts, update_user)
                SELECT * FROM $rows
                ON CONFLICT (host_id, bank_id, mental_model_id) DO UPDATE SET name = excluded.name, question = excluded.question,
                  tags = excluded.tags, rest_ms = excluded.rest_ms, aggregate_version = excluded.aggregate_version,
                  update_ts = excluded.update_ts, update_user = excluded.update_user
                """);
        removed.run(connection, """
                DELETE FROM memory.agent_memory_mental_model_t m USING $rows AS t (host_id, bank_id, model_id)
                WHERE m.host_id = t.host_id AND m.bank_id = t.bank_id AND m.mental_model_id = t.model_id
                """);
    }

    private void versions(Changes changes) throws SQLException {
        var rows = new Rows("uuid uuid uuid uuid int4 text jsonb int8 timestamptz");
        changes.versions()
                .forEach((version, event) -> rows.add(
                        host(event),
                        version.unit().bank(),
                        project(event.meta().bank()),
                        version.unit().id(),
                        version.version(),
                        event.unit().text(),
                        Metadata.of(event),
                        event.meta().seq(),
                        event.meta().at()));
        rows.run(connection, """
                INSERT INTO memory.agent_memory_unit_version_t (host_id, bank_id, project_id, unit_id, version, content, metadata,
                  aggregate_version, update_ts)
                SELECT * FROM $rows
                ON CONFLICT (host_id, bank_id, unit_id, version) DO UPDATE SET content = excluded.content,
                  metadata = excluded.metadata, aggregate_version = excluded.aggregate_version, update_ts = excluded.update_ts
                """);
        rows.run(connection, """
                DELETE FROM memory.agent_memory_unit_version_t v
                USING $rows AS t (host_id, bank_id, project_id, unit_id, version, content, metadata, seq, at)
                WHERE v.host_id = t.host_id AND v.bank_id = t.bank_id AND v.unit_id = t.unit_id AND v.version <= t.version - %d
                """.formatted(MOST_VERSIONS));
    }

    private void reflections(Changes changes) throws SQLException {
        var shaken = new Rows("uuid uuid uuid int8 timestamptz text");
        changes.shaken()
                .forEach((key, event) -> shaken.add(
                        host(event),
                        key.bank(),
                        key.id(),
                        event.meta().seq(),
                        event.meta().at(),
                        by(event.meta())));
        shaken.run(connection, """
                UPDATE memory.agent_memory_reflection_t r SET active = false, aggregate_version = t.version,
                  update_ts = t.at, update_user = t.by
                FROM (SELECT DISTINCT ON (r.host_id, r.bank_id, r.reflection_id) r.host_id, r.bank_id, r.reflection_id,
                        s.version, s.at, s.by
                      FROM $rows AS s (host_id, bank_id, source, version, at, by)
                      JOIN memory.agent_memory_reflection_t r ON r.host_id = s.host_id AND r.bank_id = s.bank_id
                        AND r.active AND r.source_ids @> ARRAY[s.source]
                      ORDER BY r.host_id, r.bank_id, r.reflection_id, s.version DESC) t
                WHERE r.host_id = t.host_id AND r.bank_id = t.bank_id AND r.reflection_id = t.reflection_id
                """);
        var rows = new Rows("uuid uuid uuid uuid text text text int4 jsonb bool int8 timestamptz text");
        changes.reflections().forEach((key, answer) -> {
            Reflected event = answer.event();
            MemoryMeta meta = event.meta();
            rows.add(
                    host(event),
                    key.bank(),
                    project(meta.bank()),
                    key.id(),
                    event.question(),
                    event.answer(),
                    literal(event.sources()),
                    vector(event.vector(), rows),
                    Metadata.of(event),
                    answer.stands(),
                    meta.seq(),
                    meta.at(),
                    by(meta));
        });
        rows.run(connection, """
                INSERT INTO memory.agent_memory_reflection_t (host_id, bank_id, project_id, reflection_id, question, content,
                  source_ids, embedding, metadata, active, aggregate_version, update_ts, update_user)
                SELECT host_id, bank_id, project_id, reflection_id, question, content, sources::uuid[],
                  vectors[vector * 384 + 1 : vector * 384 + 384], metadata, active, version, at, by
                FROM $rows AS t (host_id, bank_id, project_id, reflection_id, question, content, sources, vector, metadata,
                  active, version, at, by), (SELECT $vectors AS vectors) v
                ON CONFLICT (host_id, bank_id, reflection_id) DO UPDATE SET question = excluded.question,
                  content = excluded.content, source_ids = excluded.source_ids, embedding = excluded.embedding,
                  other_embedding = NULL, metadata = excluded.metadata, active = excluded.active, aggregate_version = excluded.aggregate_version,
                  update_ts = excluded.update_ts, update_user = excluded.update_user
                """);
    }

    // ---- what is erased

    private void forget(UUID bank, Forgotten event) throws SQLException {
        UUID host = event.meta().bank().host();
        if (event.whole()) {
            for (String table : List.of("link", "entity_cooccur", "unit_source", "unit_entity", "unit_version")) {
                delete(table, host, bank);
            }
            int units = delete("unit", host, bank);
            int documents = delete("doc", host, bank);
            for (String table : List.of("entity", "directive", "reflection", "mental_model")) {
                delete(table, host, bank);
            }
            new Rows("uuid uuid timestamptz")
                    .add(host, bank, event.meta().at())
                    .run(connection, """
                            DELETE FROM memory.agent_memory_operation_t o USING $rows AS t (host_id, bank_id, at)
                            WHERE o.host_id = t.host_id AND o.bank_id = t.bank_id AND o.update_ts <= t.at
                            """); // no later ones, where the tables are made anew
            var profile = BankProfile.of(event.meta().bank());
            new Rows("uuid uuid text jsonb")
                    .add(host, bank, profile.name(), Metadata.disposition(profile))
                    .run(connection, """
                            UPDATE memory.agent_memory_bank_t b
                            SET bank_name = t.name, disposition = t.disposition, background = NULL, model = NULL, other_units = 0
                            FROM $rows AS t (host_id, bank_id, name, disposition)
                            WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id
                            """);
            receipt(event, documents, units);
            return;
        }
        var named = new Rows("uuid uuid uuid bool timestamptz");
        event.units()
                .forEach(id -> named.add(host, bank, id, false, event.meta().at()));
        event.documents()
                .forEach(id -> named.add(host, bank, id, true, event.meta().at()));
        var units = new Rows("uuid uuid uuid");
        named.query(connection, """
                WITH t AS MATERIALIZED (SELECT * FROM $rows AS r (host_id, bank_id, id, document, at))
                SELECT u.host_id, u.bank_id, u.unit_id FROM t JOIN memory.agent_memory_unit_t u
                  ON u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.id AND NOT t.document
                UNION
                SELECT u.host_id, u.bank_id, u.unit_id FROM t JOIN memory.agent_memory_unit_t u
                  ON u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.doc_id = t.id AND t.document
                """, units);
        var counted = new Mentions(connection, counting);
        counted.leave(units);
        units.run(connection, """
                UPDATE memory.agent_memory_unit_t u SET source_memory_ids = ARRAY(
                  SELECT s.id FROM unnest(u.source_memory_ids) WITH ORDINALITY AS s (id, place)
                  WHERE s.id <> ALL (t.gone) ORDER BY s.place)
                FROM (SELECT s.host_id, s.bank_id, s.unit_id, array_agg(s.source_id) AS gone
                      FROM $rows AS r (host_id, bank_id, source_id)
                      JOIN memory.agent_memory_unit_source_t s USING (host_id, bank_id, source_id)
                      GROUP BY s.host_id, s.bank_id, s.unit_id) t
                WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
                """);
        units.run(connection, """
                DELETE FROM memory.agent_memory_unit_source_t s USING $rows AS t (host_id, bank_id, source_id)
                WHERE s.host_id = t.host_id AND s.bank_id = t.bank_id AND s.source_id = t.source_id
                """);
        for (String below : List.of("unit_source", "unit_entity", "unit_version")) {
            units.run(connection, """
                    DELETE FROM memory.agent_memory_%s_t x USING $rows AS t (host_id, bank_id, unit_id)
                    WHERE x.host_id = t.host_id AND x.bank_id = t.bank_id AND x.unit_id = t.unit_id
                    """.formatted(below));
        }
        var gone = new Rows("uuid uuid uuid"); // a replay may have their links without them
        event.units().forEach(id -> gone.add(host, bank, id));
        for (String end : List.of("from_unit_id", "to_unit_id")) {
            for (Rows ends : List.of(units, gone)) {
                ends.run(connection, """
                        DELETE FROM memory.agent_memory_link_t x USING $rows AS t (host_id, bank_id, unit_id)
                        WHERE x.host_id = t.host_id AND x.bank_id = t.bank_id AND x.%s = t.unit_id
                        """.formatted(end));
            }
        }
        units.run(connection, """
                UPDATE memory.agent_memory_bank_t b SET other_units = other_units - t.vectors
                FROM (SELECT u.host_id, u.bank_id, sum(u.other_vectors) AS vectors
                      FROM $rows AS r (host_id, bank_id, unit_id) JOIN memory.agent_memory_unit_t u USING (host_id, bank_id, unit_id)
                      GROUP BY u.host_id, u.bank_id) t
                WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id AND t.vectors > 0
                """);
        units.run(connection, """
                DELETE FROM memory.agent_memory_unit_t u USING $rows AS t (host_id, bank_id, unit_id)
                WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
                """);
        named.run(connection, """
                DELETE FROM memory.agent_memory_reflection_t r USING $rows AS t (host_id, bank_id, id, document, at)
                WHERE r.host_id = t.host_id AND r.bank_id = t.bank_id AND r.reflection_id = t.id AND NOT t.document
                """);
        named.run(connection, """
                DELETE FROM memory.agent_memory_doc_t d USING $rows AS t (host_id, bank_id, id, document, at)
                WHERE d.host_id = t.host_id AND d.bank_id = t.bank_id AND d.doc_id = t.id AND t.document
                """);
        named.run(connection, """
                DELETE FROM memory.agent_memory_operation_t o USING $rows AS t (host_id, bank_id, id, document, at)
                WHERE o.host_id = t.host_id AND o.bank_id = t.bank_id AND o.doc_id = t.id AND t.document
                  AND o.update_ts <= t.at
                """);
        counted.count();
        receipt(event, event.documents().size(), event.units().size());
    }

    /** In pieces, each of which is done in time however large the bank is. */
    private int delete(String table, UUID host, UUID bank) throws SQLException {
        var rows = new Rows("uuid uuid").add(host, bank);
        String sql = """
                DELETE FROM memory.agent_memory_%1$s_t x WHERE x.ctid = ANY (ARRAY(
                  SELECT y.ctid FROM memory.agent_memory_%1$s_t y, $rows AS t (host_id, bank_id)
                  WHERE y.host_id = t.host_id AND y.bank_id = t.bank_id LIMIT 20000))
                """.formatted(table);
        int all = 0;
        int some = rows.run(connection, sql);
        while (some > 0) {
            all += some;
            some = rows.run(connection, sql);
        }
        return all;
    }

    private void receipt(Forgotten event, int documents, int units) throws SQLException {
        MemoryMeta meta = event.meta();
        new Rows("uuid uuid uuid uuid bool int4 int4 int8 timestamptz text")
                .add(
                        meta.bank().host(),
                        meta.bank().id(),
                        project(meta.bank()),
                        event.erasure(),
                        event.whole(),
                        documents,
                        units,
                        meta.seq(),
                        meta.at(),
                        by(meta))
                .run(connection, """
                        INSERT INTO memory.agent_memory_erasure_t (host_id, bank_id, project_id, erasure_id, whole, documents, units,
                          aggregate_version, update_ts, update_user)
                        SELECT * FROM $rows ON CONFLICT DO NOTHING
                        """);
    }
}
