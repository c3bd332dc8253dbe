package dev.parley.control.keys;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Columns;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.Published;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Keys of the API. A key is shown once, when it is made; what is kept is its visible part and a digest. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class ApiKeys {
    private static final int MOST = 100;
    private static final String OPEN = """
            SELECT FROM control.api_key_t
            WHERE host_id = ? AND user_id = ? AND active AND revoked_ts IS NULL AND (expires_ts IS NULL OR expires_ts > now())
            """;
    private static final int TRIES = 3;
    private static final String SELECT = """
            SELECT k.api_key_id, k.name, k.key_prefix, p.project_key,
                   ARRAY(SELECT jsonb_array_elements_text(k.permissions)) AS permissions, k.usage_count, k.last_used_ts,
                   k.created_ts, k.expires_ts, k.revoked_ts, k.aggregate_version
            FROM control.api_key_t k LEFT JOIN control.project_t p ON p.host_id = k.host_id AND p.project_id = k.project_id
            """;

    private final Database database;
    private final Published published;

    ApiKeys(Database database, Published published) {
        this.database = database;
        this.published = published;
    }

    /** A key, without what is secret. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "ApiKey", description = "A key of the API, without what is secret.")
    record KeyJson(
            UUID id,
            String name,

            @Schema(description = "How it begins; no two keys begin alike.")
            String prefix,

            @Schema(description = "The only project that it opens; null for all.") @Nullable
            String project,

            @Schema(description = "The capabilities that it opens, as far as its user has them; \"*\" for all.")
            List<String> permissions,

            @Schema(description = "How many requests were made with it; up to ten seconds behind.")
            long usageCount,

            @Nullable Instant lastUsedAt,
            Instant createdAt,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt) {
        static KeyJson of(ResultSet row) throws SQLException {
            return new KeyJson(
                    Columns.uuid(row, "api_key_id"),
                    row.getString("name"),
                    row.getString("key_prefix"),
                    row.getString("project_key"),
                    Arrays.asList((String[]) row.getArray("permissions").getArray()),
                    row.getLong("usage_count"),
                    Columns.timeOrNull(row, "last_used_ts"),
                    Columns.time(row, "created_ts"),
                    Columns.timeOrNull(row, "expires_ts"),
                    Columns.timeOrNull(row, "revoked_ts"));
        }
    }

    /** A key that was made, this once with its secret. */
    record Made(KeyJson key, String secret) {}

    /** Makes a key for the caller. */
    Made make(Caller caller, String name, @Nullable UUID project, String permissions, @Nullable Instant expiresAt) {
        for (int tries = 1; ; tries++) {
            Token token = Token.make(KeyKind.API_KEY);
            try {
                KeyJson key = database.in(caller.tenant(), transaction -> {
                    UUID id = NewIds.next();
                    Quota.check(
                            transaction,
                            MOST,
                            "keys",
                            OPEN,
                            caller.host(),
                            caller.person().user());
                    transaction.update(
                            """
                            INSERT INTO control.api_key_t (host_id, api_key_id, user_id, name, key_prefix, key_hash, project_id,
                              permissions, expires_ts, update_user)
                            VALUES (?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?)
                            """,
                            caller.host(),
                            id,
                            caller.person().user(),
                            name,
                            token.prefix(),
                            Token.hash(token.text()),
                            project,
                            permissions,
                            expiresAt,
                            caller.user());
                    Audit.add(transaction, Entry.done(caller.host(), project, "api-key", "create", id, caller.user()));
                    return find(transaction, caller, id).orElseThrow();
                });
                published.await(AccessKey.key(token.prefix()), 0L);
                return new Made(key, token.text());
            } catch (FailedException e) {
                if (tries == TRIES
                        || e.duplicate().filter("idx_api_keys_prefix"::equals).isEmpty()) {
                    throw e;
                }
            }
        }
    }

    private static Optional<KeyJson> find(Transaction transaction, Caller caller, UUID id) {
        return transaction.query(
                SELECT + "WHERE k.host_id = ? AND k.user_id = ? AND k.api_key_id = ?",
                row -> Columns.first(row, KeyJson::of),
                caller.host(),
                caller.person().user(),
                id);
    }

    /** One of the caller's keys. */
    KeyJson find(Caller caller, UUID id) {
        return database.in(caller.tenant(), transaction -> find(transaction, caller, id))
                .orElseThrow(() -> unknown(id));
    }

    private static ApiException unknown(UUID id) {
        return ApiException.notFound("unknown_api_key", "There is no key " + id);
    }

    /**
     * A page of the caller's keys, the newest first.
     *
     * @param prefix how they begin, or null; administrators then find those of everybody in the host, to trace a leaked one
     */
    List<KeyJson> list(Caller caller, @Nullable String prefix, int most, @Nullable Cursor after) {
        var sql = new StringBuilder(SELECT).append("WHERE k.host_id = ?");
        List<@Nullable Object> values = new ArrayList<>(List.of(caller.host()));
        if (prefix == null || !caller.person().admin()) {
            sql.append(" AND k.user_id = ?");
            values.add(caller.person().user());
        }
        if (prefix != null) {
            sql.append(" AND k.key_prefix = ?");
            values.add(Token.prefixOf(prefix).orElse(prefix));
        }
        if (after != null) {
            sql.append(" AND (k.created_ts, k.api_key_id) < (?, ?)");
            values.add(after.time());
            values.add(after.id());
        }
        sql.append(" ORDER BY k.created_ts DESC, k.api_key_id DESC LIMIT ?");
        values.add(most + 1);
        return database.in(
                caller.tenant(),
                transaction ->
                        transaction.query(sql.toString(), row -> Columns.all(row, KeyJson::of), values.toArray()));
    }

    /** Ends a key at once; administrators may end everybody's. To end it twice changes nothing. */
    void revoke(Caller caller, UUID id, @Nullable String ifMatch) {
        String prefix = database.in(caller.tenant(), transaction -> {
            record Row(String prefix, long version) {}
            Row row = transaction
                    .query(
                            """
                            SELECT key_prefix, aggregate_version FROM control.api_key_t
                            WHERE host_id = ? AND api_key_id = ? AND (user_id = ? OR ?) FOR UPDATE
                            """,
                            found -> Columns.first(found, one -> new Row(one.getString(1), one.getLong(2))),
                            caller.host(),
                            id,
                            caller.person().user(),
                            caller.person().admin())
                    .orElseThrow(() -> unknown(id));
            IfMatch.check(ifMatch, row.version());
            int revoked = transaction.update("""
                    UPDATE control.api_key_t SET revoked_ts = now(), aggregate_version = aggregate_version + 1, update_ts = now(),
                      update_user = ? WHERE host_id = ? AND api_key_id = ? AND revoked_ts IS NULL
                    """, caller.user(), caller.host(), id);
            if (revoked > 0) {
                Audit.add(transaction, Entry.done(caller.host(), null, "api-key", "revoke", id, caller.user()));
            }
            return row.prefix();
        });
        published.await(AccessKey.key(prefix), null);
    }
}
