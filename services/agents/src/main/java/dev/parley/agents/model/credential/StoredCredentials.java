package dev.parley.agents.model.credential;

import dev.parley.agents.model.CallOwner;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.credential.ProviderCredentialRows.Row;
import dev.parley.agents.model.wire.StoredKeys;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.origin.KeyOwner;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.sealing.Sealing.NotOpenedException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of {@code control.provider_credential_t}, cached for one second, so that a revoked key stops being used.
 * While the database is unavailable, and keys cannot be revoked, the cache is valid for one minute.
 */
@Singleton
public final class StoredCredentials implements StoredKeys {
    private static final Logger LOG = LoggerFactory.getLogger(StoredCredentials.class);
    private static final long CACHE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long UNAVAILABLE_CACHE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MAX_CACHED = 10_000;

    /** SQLSTATEs of a missing schema or table, while no instance has had the role {@code control}. */
    private static final Set<String> NO_TABLE = Set.of("42P01", "3F000");

    private final Database database;
    private final ProviderCredentialRows rows;
    private final Sealing sealing;
    private final Map<Query, Seen> seen = new ConcurrentHashMap<>();

    StoredCredentials(Database database, ProviderCredentialRows rows, Sealing sealing) {
        this.database = database;
        this.rows = rows;
        this.sealing = sealing;
    }

    /**
     * The search for a key.
     *
     * @param id null for the default
     */
    private record Query(
            CallOwner owner, String provider, @Nullable UUID id) {}

    /**
     * A cached row, still encrypted.
     *
     * @param readAt time of the read, in {@link System#nanoTime}
     * @param triedAt time of the last attempt to read it
     */
    private record Seen(Optional<Row> row, long readAt, long triedAt) {}

    @Override
    public Optional<Stored> find(CallOwner owner, String provider, @Nullable UUID id) throws ModelFailure {
        Optional<Row> row = row(new Query(owner, provider, id));
        return row.isEmpty() ? Optional.empty() : Optional.of(decrypt(owner.host(), row.get()));
    }

    private Optional<Row> row(Query query) throws ModelFailure {
        long now = System.nanoTime();
        @Nullable Seen before = seen.get(query);
        if (before != null && now - before.triedAt() < CACHE_NANOS) {
            return before.row();
        }
        try {
            Optional<Row> row = read(query);
            forgetOld(now);
            seen.put(query, new Seen(row, now, now));
            return row;
        } catch (FailedException e) {
            if (before == null || now - before.readAt() > UNAVAILABLE_CACHE_NANOS) {
                throw new ModelFailure(ErrorCategory.LOST, "the credentials cannot be read: " + e.getMessage(), e);
            }
            seen.put(query, new Seen(before.row(), before.readAt(), System.nanoTime()));
            return before.row();
        }
    }

    private Optional<Row> read(Query query) {
        CallOwner owner = query.owner();
        UUID id = query.id();
        try {
            return database.in(
                    Tenant.of(owner.host()),
                    () -> id == null
                            ? rows.findDefault(owner.host(), query.provider(), owner.user())
                            : rows.find(owner.host(), query.provider(), owner.user(), id));
        } catch (FailedException e) {
            if (NO_TABLE.contains(e.state())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void forgetOld(long now) {
        if (seen.size() > MAX_CACHED) {
            seen.values().removeIf(entry -> now - entry.triedAt() > CACHE_NANOS);
        }
    }

    private Stored decrypt(UUID host, Row row) throws ModelFailure {
        try {
            String key = sealing.open(row.sealed(), row.masterKeyId(), host, row.credentialId());
            return new Stored(row.credentialId(), row.userId() == null ? KeyOwner.HOST : KeyOwner.USER, key);
        } catch (NotOpenedException e) {
            LOG.atError()
                    .addKeyValue("credential", row.credentialId())
                    .addKeyValue("reason", e.getMessage())
                    .log("credential cannot be decrypted");
            throw new ModelFailure(
                    ErrorCategory.AUTH,
                    "the credential %s cannot be decrypted: %s".formatted(row.credentialId(), e.getMessage()),
                    e);
        }
    }
}
