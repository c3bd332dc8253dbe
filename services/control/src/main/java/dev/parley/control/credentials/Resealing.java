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
 * Seals credentials anew that another master key than the first has sealed, a few at a time: so a key is changed while everything
 * runs. Several instances may do so at once; what one of them has in hand the others leave out.
 */
public final class Resealing extends Recurring {
    private static final Logger LOG = LoggerFactory.getLogger(Resealing.class);
    private static final int MOST = 50;
    private static final Duration REST = Duration.ofSeconds(15);
    private static final UUID FIRST = new UUID(0, 0);

    private final Database database;
    private final SealedRows rows;
    private final Sealing sealing;
    private final Set<UUID> told = new HashSet<>();

    public Resealing(Database database, SealedRows rows, Sealing sealing) {
        super("resealing", Duration.ZERO, "credentials cannot be sealed anew now");
        this.database = database;
        this.rows = rows;
        this.sealing = sealing;
    }

    /** Looks at all of them once. */
    @Override
    protected void pass() {
        int done = 0;
        UUID after = FIRST;
        while (after != null && !isClosing()) {
            Batch batch = batch(after);
            done += batch.resealed();
            after = batch.last();
        }
        if (done > 0) {
            LOG.atInfo()
                    .addKeyValue("credentials", done)
                    .addKeyValue("masterKey", sealing.first())
                    .log("credentials resealed");
        }
    }

    /** @param last where to go on, or null at the end */
    private record Batch(int resealed, @Nullable UUID last) {}

    private Batch batch(UUID after) {
        return database.in(Tenant.ALL, () -> {
            List<SealedRow> others = rows.others(sealing.first(), after, MOST);
            int done = 0;
            for (SealedRow row : others) {
                done += reseal(row) ? 1 : 0;
            }
            return new Batch(done, others.isEmpty() ? null : others.getLast().credentialId());
        });
    }

    /** By the first master key. */
    private boolean reseal(SealedRow row) {
        UUID id = row.credentialId();
        try {
            String secret = sealing.open(row.sealed(), row.masterKeyId(), row.hostId(), id);
            Sealed sealed = sealing.seal(secret, row.hostId(), id);
            rows.update(row.hostId(), id, sealed.bytes(), sealed.key());
            return true;
        } catch (NotOpenedException e) {
            if (told.add(id)) {
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
        return REST;
    }
}
