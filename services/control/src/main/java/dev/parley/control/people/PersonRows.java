package dev.parley.control.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.user_t} and {@code control.user_host_t}: people and their hosts. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface PersonRows extends GenericRepository<Person, UUID> {
    String SELECT = """
            SELECT u.user_id, u.username, u.email, u.avatar_url, h.role, u.preferences, u.time_zone, u.language,
              u.active AND h.active AS active, u.created_ts, u.update_ts, u.last_login_ts,
              u.aggregate_version + h.aggregate_version - 1 AS version
            FROM control.user_t u JOIN control.user_host_t h ON h.user_id = u.user_id AND h.erasure_id IS NULL
            """;
    String CHANGED = """
            aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :actor
            """;

    @Query(SELECT + "WHERE h.host_id = :host AND u.user_id = :user")
    Optional<Person> find(UUID host, UUID user);

    /**
     * A page of people by username, in the order of bytes, in which a prefix is a range.
     *
     * @param inactive whether to include removed people
     * @param from the first username
     * @param to the end of the range of usernames, exclusive
     */
    @Query(SELECT + """
            WHERE h.host_id = :host AND (:inactive OR u.active AND h.active)
              AND (CAST(:from AS text) IS NULL
                   OR u.username_key COLLATE "C" >= lower(:from) AND u.username_key COLLATE "C" < lower(:to))
              AND (CAST(:after AS text) IS NULL OR u.username_key COLLATE "C" > :after)
            ORDER BY u.username_key COLLATE "C" LIMIT :limit
            """)
    List<Person> page(
            UUID host, boolean inactive, @Nullable String from, @Nullable String to, @Nullable String after, int limit);

    /** Locks a person until the transaction ends. */
    @Query("SELECT count(*) FROM (SELECT FROM control.user_t WHERE user_id = :user FOR UPDATE) u")
    long lock(UUID user);

    /** Takes an advisory lock until the transaction ends. */
    @Query("SELECT 1 FROM pg_advisory_xact_lock(:lock)")
    int lockAll(long lock);

    /** Whether the host has no other person. */
    @Query("SELECT NOT EXISTS (SELECT FROM control.user_host_t WHERE host_id = :host AND user_id <> :user)")
    boolean hasNobodyBut(UUID host, UUID user);

    @Query("SELECT EXISTS (SELECT FROM control.user_host_t WHERE host_id = :host AND role = 'admin' AND active)")
    boolean hasAdministrator(UUID host);

    @Query("SELECT EXISTS (SELECT FROM control.user_host_t WHERE user_id = :user AND host_id <> :host)")
    boolean isInOtherHost(UUID user, UUID host);

    @Query("SELECT EXISTS (SELECT FROM control.user_host_t WHERE user_id = :user AND erasure_id IS NULL)")
    boolean isInAnyHost(UUID user);

    @Query("""
            INSERT INTO control.user_t (user_id, username, email, password_hash, time_zone, language, update_user)
            VALUES (:user, :username, :email, :passwordHash, :timeZone, :language, :actor)
            """)
    void insert(
            UUID user,
            String username,
            @Nullable String email,
            @Nullable String passwordHash,
            @Nullable String timeZone,
            @Nullable String language,
            String actor);

    @Query("INSERT INTO control.user_host_t (host_id, user_id, role, update_user) VALUES (:host, :user, :role, :actor)")
    void insertInHost(UUID host, UUID user, String role, String actor);

    @Query("""
            INSERT INTO control.project_member_t (host_id, project_id, user_id, role, update_user)
            VALUES (:host, :project, :user, 'member', :actor)
            """)
    void insertInProject(UUID host, UUID project, UUID user, String actor);

    /** @return 1 where there is an address, which was not proved before */
    @Query("""
            UPDATE control.user_t SET email_proved_ts = now()
            WHERE user_id = :user AND email IS NOT NULL AND email_proved_ts IS NULL
            """)
    int proveEmail(UUID user);

    /** Whether another person has proved that this address is theirs. */
    @Query("""
            SELECT EXISTS (SELECT FROM control.user_t
              WHERE email_key = lower(CAST(:email AS text)) AND email_proved_ts IS NOT NULL AND user_id <> :user)
            """)
    boolean isProvedByAnother(String email, UUID user);

    /** Clears the address of a person in all other accounts, which have not proved it; returns their users. */
    @Query("""
            WITH released AS (
              UPDATE control.user_t o SET email = NULL, aggregate_version = o.aggregate_version + 1, update_ts = now(),
                update_user = :actor
              FROM control.user_t u
              WHERE u.user_id = :user AND o.email_key = u.email_key AND o.user_id <> u.user_id
                AND o.email_proved_ts IS NULL
              RETURNING o.user_id)
            SELECT user_id FROM released
            """)
    List<UUID> releaseEmail(UUID user, String actor);

    /** Changes the fields that are not null; an empty text clears a field, preferences are merged. */
    @Query("""
            UPDATE control.user_t SET
              email = CASE WHEN CAST(:email AS text) IS NULL THEN email ELSE nullif(:email, '') END,
              avatar_url = CASE WHEN CAST(:avatarUrl AS text) IS NULL THEN avatar_url ELSE nullif(:avatarUrl, '') END,
              time_zone = CASE WHEN CAST(:timeZone AS text) IS NULL THEN time_zone ELSE nullif(:timeZone, '') END,
              language = CASE WHEN CAST(:language AS text) IS NULL THEN language ELSE nullif(:language, '') END,
              preferences = preferences || coalesce(CAST(:preferences AS jsonb), '{}'),
            """ + CHANGED + """
            WHERE user_id = :user
            """)
    void change(
            UUID user,
            @Nullable String email,
            @Nullable String avatarUrl,
            @Nullable String timeZone,
            @Nullable String language,
            @Nullable String preferences,
            String actor);

    /** Changes the fields that are not null. */
    @Query("""
            UPDATE control.user_host_t SET role = coalesce(CAST(:role AS text), role),
              active = coalesce(CAST(:active AS boolean), active),
            """ + CHANGED + """
            WHERE host_id = :host AND user_id = :user
            """)
    void changeInHost(UUID host, UUID user, @Nullable String role, @Nullable Boolean active, String actor);

    @Query("UPDATE control.user_host_t SET active = false, role = 'user', erasure_id = :erasure, " + CHANGED
            + "WHERE host_id = :host AND user_id = :user")
    void erase(UUID host, UUID user, UUID erasure, String actor);

    @Query("""
            UPDATE control.user_t SET username = 'erased-' || user_id, email = NULL, password_hash = NULL, avatar_url = NULL,
              preferences = '{}', time_zone = NULL, language = NULL, last_login_ts = NULL, active = false,
            """ + CHANGED + """
            WHERE user_id = :user
            """)
    void anonymise(UUID user, String actor);

    /** Deletes the sign-ins, API keys, credentials and memberships of an erased person. */
    @Query("""
            WITH s AS (DELETE FROM control.auth_session_t WHERE host_id = :host AND user_id = :user),
              k AS (DELETE FROM control.api_key_t WHERE host_id = :host AND user_id = :user),
              c AS (DELETE FROM control.provider_credential_t WHERE host_id = :host AND user_id = :user)
            DELETE FROM control.project_member_t WHERE host_id = :host AND user_id = :user
            """)
    void deleteOwned(UUID host, UUID user);

    @Query("DELETE FROM control.auth_identity_t WHERE user_id = :user")
    void deleteIdentities(UUID user);

    @Query("DELETE FROM control.one_time_code_t WHERE user_id = :user")
    void deleteCodes(UUID user);

    @Query("UPDATE control.user_t SET password_hash = :hash, " + CHANGED + "WHERE user_id = :user")
    void setPassword(UUID user, String hash, String actor);

    @Query("UPDATE control.user_t SET password_hash = NULL, " + CHANGED
            + "WHERE user_id = :user AND password_hash IS NOT NULL")
    void clearPassword(UUID user, String actor);

    /** Ends the sign-ins of a person in all hosts. */
    @Query("DELETE FROM control.auth_session_t WHERE user_id = :user")
    void endAllSignIns(UUID user);

    /** Revokes the keys of a person in all hosts. */
    @Query("UPDATE control.api_key_t SET revoked_ts = now(), " + CHANGED
            + "WHERE user_id = :user AND revoked_ts IS NULL")
    void revokeAllKeys(UUID user, String actor);

    /** @param retained a sign-in that is not ended, or null */
    @Query("""
            DELETE FROM control.auth_session_t WHERE host_id = :host AND user_id = :user
              AND (CAST(:retained AS uuid) IS NULL OR auth_session_id <> :retained)
            """)
    void endSignIns(UUID host, UUID user, @Nullable UUID retained);

    @Query("UPDATE control.api_key_t SET revoked_ts = now(), " + CHANGED
            + "WHERE host_id = :host AND user_id = :user AND revoked_ts IS NULL")
    void revokeKeys(UUID host, UUID user, String actor);

    @Query("SELECT count(*) FROM control.project_t WHERE host_id = :host AND owner_id = :user")
    int countOwned(UUID host, UUID user);

    @Query("UPDATE control.project_member_t SET role = 'admin', " + CHANGED
            + "WHERE host_id = :host AND user_id = :user AND role = 'owner'")
    void demoteOwner(UUID host, UUID user, String actor);

    @Query("""
            INSERT INTO control.project_member_t AS m (host_id, project_id, user_id, role, update_user)
            SELECT host_id, project_id, :newOwner, 'owner', :actor FROM control.project_t WHERE host_id = :host AND owner_id = :user
            ON CONFLICT (host_id, project_id, user_id) DO UPDATE SET role = 'owner', active = true,
              aggregate_version = m.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
            """)
    void insertOwner(UUID host, UUID user, UUID newOwner, String actor);

    @Query("UPDATE control.project_t SET owner_id = :newOwner, " + CHANGED
            + "WHERE host_id = :host AND owner_id = :user")
    void setOwner(UUID host, UUID user, UUID newOwner, String actor);
}
