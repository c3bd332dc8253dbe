package dev.parley.agents.model.credential;

import dev.parley.agents.model.CallOwner;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code control.provider_credential_t}, the only table of another service that is read directly: secrets must
 * not be written to a topic, not even encrypted.
 */
final class CredentialRows {
    private static final String SELECT = """
            SELECT credential_id, user_id, sealed, master_key_id FROM control.provider_credential_t
            WHERE host_id = ? AND provider = ? AND active AND (user_id IS NULL OR user_id = ?::uuid)
            """;
    private static final String DEFAULT = SELECT + "AND is_default ORDER BY user_id NULLS LAST LIMIT 1";
    private static final String NAMED = SELECT + "AND credential_id = ?";

    private static final Set<String> NO_TABLE = Set.of("42P01", "3F000");

    private final Sql sql;

    CredentialRows(Database database) {
        this.sql = new Sql(database);
    }

    /**
     * The search for a key.
     *
     * @param id null for the default
     */
    record Query(CallOwner owner, String provider, @Nullable UUID id) {}

    /**
     * An encrypted key.
     *
     * @param masterKey the id of the master key that encrypted it
     */
    record Row(UUID id, boolean ofHost, byte[] sealed, long masterKey) {
        @Override
        public String toString() {
            return "Row[" + id + "]";
        }
    }

    /** Finds a key; none if the schema does not exist because no instance has had the role {@code control}. */
    Optional<Row> find(Query query) {
        try {
            return read(query);
        } catch (FailedException e) {
            if (NO_TABLE.contains(e.state())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<Row> read(Query query) {
        CallOwner owner = query.owner();
        var rows = sql.as(Tenant.of(owner.host()));
        return query.id() == null
                ? rows.query(DEFAULT, CredentialRows::first, owner.host(), query.provider(), owner.user())
                : rows.query(NAMED, CredentialRows::first, owner.host(), query.provider(), owner.user(), query.id());
    }

    private static Optional<Row> first(ResultSet row) throws SQLException {
        return row.next()
                ? Optional.of(new Row(
                        Objects.requireNonNull(row.getObject(1, UUID.class)),
                        row.getObject(2) == null,
                        row.getBytes(3),
                        row.getLong(4)))
                : Optional.empty();
    }
}
