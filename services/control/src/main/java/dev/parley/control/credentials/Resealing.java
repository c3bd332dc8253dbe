package dev.parley.control.credentials;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.sealing.Sealing.NotOpenedException;
import dev.parley.platform.sealing.Sealing.Sealed;
import dev.parley.platform.service.Recurring;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Re-encrypts credentials sealed by a master key other than the first, in batches, so that master keys rotate without
 * downtime. Several instances may run it: each skips rows that another has locked.
 */
public final class Resealing extends Recurring {
    private static final Logger LOG = LoggerFactory.getLogger(Resealing.class);
    private static final int BATCH_SIZE = 50;
    private static final Duration INTERVAL = Duration.ofSeconds(15);
    private static final UUID FIRST = new UUID(0, 0);

    private final Database database;
    private final SealedRows rows;
    private final Sealing sealing;
    private final Set<UUID> reported = new HashSet<>();

    public Resealing(Database database, SealedRows rows, Sealing sealing) {
        super("resealing", Duration.ZERO, "credentials cannot be resealed");
        this.database = database;
        this.rows = rows;
        this.sealing = sealing;
    }

    /** Reseals all credentials once. */
    @Override
    protected void pass() {
        int resealed = 0;
        UUID after = FIRST;
        while (after != null && !isClosing()) {
            Batch batch = batch(after);
            resealed += batch.resealed();
            after = batch.last();
        }
        if (resealed > 0) {
            LOG.atInfo()
                    .addKeyValue("credentials", resealed)
                    .addKeyValue("masterKey", sealing.first())
                    .log("credentials resealed");
        }
    }

    /** @param last the last id of the batch, or null at the end */
    private record Batch(int resealed, @Nullable UUID last) {}

    private Batch batch(UUID after) {
        return database.in(Tenant.ALL, () -> {
            List<SealedRow> outdated = rows.others(sealing.first(), after, BATCH_SIZE);
            int resealed = 0;
            for (SealedRow row : outdated) {
                resealed += reseal(row) ? 1 : 0;
            }
            return new Batch(
                    resealed, outdated.isEmpty() ? null : outdated.getLast().credentialId());
        });
    }

    /** Reseals a credential by the first master key. */
    private boolean reseal(SealedRow row) {
        UUID id = row.credentialId();
        try {
            String secret = sealing.open(row.sealed(), row.masterKeyId(), row.hostId(), id);
            Sealed sealed = sealing.seal(secret, row.hostId(), id);
            rows.update(row.hostId(), id, sealed.bytes(), sealed.key());
            return true;
        } catch (NotOpenedException e) {
            if (reported.add(id)) {
                LOG.atError()
                        .addKeyValue("credential", id)
                        .addKeyValue("reason", e.getMessage())
                        .log("credential could not be resealed");
            }
            return false;
        }
    }

    @Override
    protected Duration rest(boolean failed) {
        return INTERVAL;
    }
}
