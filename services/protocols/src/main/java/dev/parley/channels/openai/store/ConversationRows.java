package dev.parley.channels.openai.store;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code channels.openai_conversation_t} and the items in {@code channels.openai_item_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ConversationRows extends GenericRepository<StoredConversation, UUID> {
    String COLUMNS = """
        host_id, conversation_id, project_id, user_id, session, metadata::text AS metadata, created_ts
        """;

    @Query("SELECT " + COLUMNS + """
        FROM channels.openai_conversation_t
        WHERE host_id = :host AND project_id = :project AND conversation_id = :id
        """)
    Optional<StoredConversation> find(UUID host, UUID project, UUID id);

    /** Like {@link #find}; other transactions wait. */
    @Query("SELECT " + COLUMNS + """
        FROM channels.openai_conversation_t
        WHERE host_id = :host AND project_id = :project AND conversation_id = :id FOR UPDATE
        """)
    Optional<StoredConversation> locked(UUID host, UUID project, UUID id);

    /** The number of conversations of a person in a project, counted up to {@code max}. */
    @Query("""
        SELECT count(*) FROM (SELECT FROM channels.openai_conversation_t
          WHERE host_id = :host AND project_id = :project AND user_id = :user LIMIT :max) owned
        """)
    int countOwned(UUID host, UUID project, UUID user, int max);

    @Query("""
        INSERT INTO channels.openai_conversation_t (host_id, conversation_id, project_id, user_id, metadata)
        VALUES (:host, :id, :project, :user, CAST(:metadata AS json))
        """)
    void insert(UUID host, UUID id, UUID project, UUID user, String metadata);

    @Query("""
        UPDATE channels.openai_conversation_t SET metadata = CAST(:metadata AS json), update_ts = now(),
          aggregate_version = aggregate_version + 1
        WHERE host_id = :host AND conversation_id = :id
        """)
    void setMetadata(UUID host, UUID id, String metadata);

    @Query("""
        UPDATE channels.openai_conversation_t SET session = :session, update_ts = now(),
          aggregate_version = aggregate_version + 1
        WHERE host_id = :host AND conversation_id = :id
        """)
    void setSession(UUID host, UUID id, @Nullable String session);

    @Query("DELETE FROM channels.openai_conversation_t WHERE host_id = :host AND conversation_id = :id")
    int delete(UUID host, UUID id);

    @Query("DELETE FROM channels.openai_conversation_t WHERE host_id = :host AND project_id = :project AND session ="
            + " :session")
    int deleteOfSession(UUID host, UUID project, String session);

    @Query("DELETE FROM channels.openai_conversation_t WHERE host_id = :host AND project_id = :project")
    int deleteOfProject(UUID host, UUID project);

    @Query("DELETE FROM channels.openai_conversation_t WHERE host_id = :host AND user_id = :user")
    int deleteOfUser(UUID host, UUID user);

    @Query("""
        SELECT item::text FROM channels.openai_item_t WHERE host_id = :host AND conversation_id = :id ORDER BY position
        """)
    List<String> items(UUID host, UUID id);

    @Query("SELECT count(*) FROM channels.openai_item_t WHERE host_id = :host AND conversation_id = :id")
    int countItems(UUID host, UUID id);

    @Query("SELECT coalesce(sum(length(item::text)), 0) FROM channels.openai_item_t WHERE host_id = :host"
            + " AND conversation_id = :id")
    long countCharacters(UUID host, UUID id);

    /** An item that is added again stays where it is. */
    @Query("""
        INSERT INTO channels.openai_item_t (host_id, conversation_id, item_id, project_id, item)
        VALUES (:host, :id, :item, :project, CAST(:json AS json)) ON CONFLICT (host_id, conversation_id, item_id) DO NOTHING
        """)
    void addItem(UUID host, UUID id, String item, UUID project, String json);

    @Query("DELETE FROM channels.openai_item_t WHERE host_id = :host AND conversation_id = :id AND item_id = :item")
    int deleteItem(UUID host, UUID id, String item);
}
