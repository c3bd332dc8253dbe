package dev.parley.channels.hooks;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.sealing.Sealing.NotOpenedException;
import dev.parley.platform.sealing.Sealing.Sealed;
import io.micronaut.http.HttpStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signing secrets of webhooks, sealed in their rows. */
record HookSecrets(Database database, HookRows rows, Optional<Sealing> sealing) {
    private static final Logger LOG = LoggerFactory.getLogger(HookSecrets.class);
    private static final UUID FIRST = new UUID(0, 0);

    /** @throws ApiException 501 without a master key */
    Sealed seal(String secret, UUID host, UUID hook) {
        return sealing.orElseThrow(() -> new ApiException(
                        HttpStatus.NOT_IMPLEMENTED,
                        "no_master_key",
                        "Secrets cannot be sealed: the operator has to set PARLEY_MASTER_KEY."))
                .seal(secret, host, hook);
    }

    /**
     * The secrets that sign now, newest first.
     *
     * @throws IllegalStateException where the newest cannot be opened
     */
    List<String> of(EventHook hook) {
        var secrets = new ArrayList<String>();
        secrets.add(open(hook, hook.sealed(), hook.masterKeyId()));
        if (hook.oldSealed().length > 0 && hasMasterKey(hook.oldMasterKeyId())) {
            secrets.add(open(hook, hook.oldSealed(), hook.oldMasterKeyId()));
        }
        return secrets;
    }

    /** Whether the master key of the previous secret still exists; without it the newest one signs alone. */
    private boolean hasMasterKey(long key) {
        return sealing.filter(masterKeys -> masterKeys.ids().contains(key)).isPresent();
    }

    private String open(EventHook hook, byte[] sealed, long key) {
        try {
            return sealing.orElseThrow(() -> new IllegalStateException("cannot be opened: there is no master key"))
                    .open(sealed, key, hook.hostId(), hook.hookId());
        } catch (NotOpenedException e) {
            throw new IllegalStateException("cannot be opened: " + e.getMessage(), e);
        }
    }

    /**
     * Reseals secrets that an older master key sealed; previous secrets expire within a day. Secrets that cannot be
     * opened stay unchanged; deliveries of their webhooks report the reason.
     */
    void reseal() {
        sealing.filter(masterKeys -> masterKeys.ids().size() > 1).ifPresent(masterKeys -> {
            UUID after = FIRST;
            while (after != null) {
                after = resealBatch(masterKeys, after);
            }
        });
    }

    /** @return the last webhook of the batch, or null at the end */
    private @Nullable UUID resealBatch(Sealing masterKeys, UUID after) {
        List<Long> older = masterKeys.ids().stream()
                .filter(key -> key != masterKeys.first())
                .toList();
        return database.in(Tenant.ALL, () -> {
            List<EventHook> hooks = rows.sealedBy(older, after);
            hooks.forEach(hook -> reseal(hook, masterKeys));
            return hooks.isEmpty() ? null : hooks.getLast().hookId();
        });
    }

    private void reseal(EventHook hook, Sealing masterKeys) {
        try {
            String secret = masterKeys.open(hook.sealed(), hook.masterKeyId(), hook.hostId(), hook.hookId());
            Sealed sealed = masterKeys.seal(secret, hook.hostId(), hook.hookId());
            rows.reseal(hook.hostId(), hook.hookId(), sealed.bytes(), sealed.key());
        } catch (NotOpenedException e) {
            LOG.atDebug()
                    .addKeyValue("webhook", hook.hookId())
                    .addKeyValue("reason", e.getMessage())
                    .log("webhook secret could not be resealed");
        }
    }
}
