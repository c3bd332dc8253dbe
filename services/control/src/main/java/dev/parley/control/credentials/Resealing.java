package dev.parley.control.credentials;

import dev.parley.control.credentials.SealedRows.Row;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.sealing.Sealing.NotOpenedException;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals credentials anew that another master key than the first has sealed, a few at a time: so a key is changed while everything
 * runs. Several instances may do so at once; what one of them has in hand the others leave out.
 */
public final class Resealing implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(Resealing.class);
    private static final int MOST = 50;
    private static final Duration REST = Duration.ofSeconds(15);
    private static final UUID FIRST = new UUID(0, 0);

    private final Database database;
    private final Sealing sealing;
    private final Semaphore end = new Semaphore(0);
    private final Set<UUID> told = new HashSet<>();
    private @Nullable Thread thread;

    public Resealing(Database database, Sealing sealing) {
        this.database = database;
        this.sealing = sealing;
    }

    @Override
    public String name() {
        return "resealing";
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("resealing").start(this::run);
    }

    private void run() {
        try {
            do {
                pass();
            } while (!end.tryAcquire(REST.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks at all of them once. */
    private void pass() {
        int done = 0;
        try {
            UUID after = FIRST;
            while (after != null && end.availablePermits() == 0) {
                Batch batch = batch(after);
                done += batch.resealed();
                after = batch.last();
            }
        } catch (FailedException e) {
            LOG.atWarn().setCause(e).log("credentials cannot be sealed anew now; it is tried again");
        }
        if (done > 0) {
            LOG.atInfo()
                    .addKeyValue("credentials", done)
                    .addKeyValue("masterKey", sealing.first())
                    .log("sealed anew");
        }
    }

    /** @param last where to go on, or null at the end */
    private record Batch(int resealed, @Nullable UUID last) {}

    private Batch batch(UUID after) {
        return database.in(Tenant.ALL, transaction -> {
            var rows = new SealedRows(transaction);
            List<Row> others = rows.others(sealing.first(), after, MOST);
            int done = 0;
            for (Row row : others) {
                done += reseal(rows, row) ? 1 : 0;
            }
            return new Batch(done, others.isEmpty() ? null : others.getLast().id());
        });
    }

    private boolean reseal(SealedRows rows, Row row) {
        try {
            rows.reseal(sealing, row);
            return true;
        } catch (NotOpenedException e) {
            if (told.add(row.id())) {
                LOG.atError()
                        .addKeyValue("credential", row.id())
                        .addKeyValue("reason", e.getMessage())
                        .log("a credential cannot be sealed anew");
            }
            return false;
        }
    }

    /** It keeps nobody from working. */
    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        end.release();
        try {
            if (thread != null) {
                thread.join(REST);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
