package dev.parley.tools;

import dev.parley.domain.protocol.CallOutcome;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of unknown outcome in the ledger, for users to decide. */
record UnknownCalls(Database database, LedgerRows rows) {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownCalls.class);

    /**
     * The undecided calls of a project, newest first.
     *
     * @param before the end of the last call of the previous page, or null for the first page
     * @param id the id of that call
     */
    List<UnknownCall> list(UUID host, UUID project, @Nullable Instant before, @Nullable UUID id, int max) {
        return database.listingIn(of(host, project), () -> rows.page(host, project, before, id, max));
    }

    /** A call of a project, decided or not. */
    Optional<UnknownCall> find(UUID host, UUID project, UUID call) {
        return database.in(of(host, project), () -> rows.find(host, project, call));
    }

    /** Records the outcome of a call, once. Empty if the call does not exist or is already decided. */
    Optional<UnknownCall> decide(
            UUID host, UUID project, UUID call, CallOutcome outcome, String user, @Nullable String note) {
        return database.in(
                of(host, project).user(user),
                () -> rows.decide(host, project, call, outcome.code(), user, note) == 0
                        ? Optional.empty()
                        : rows.find(host, project, call));
    }

    /** The number of undecided calls of all hosts. */
    long count() {
        return database.in(Tenant.ALL, rows::countUnknown);
    }

    /** Registers the gauge {@code parley.tool.calls.unknown}; returns a task that updates it. */
    Runnable gauge(MeterRegistry meters) {
        var waiting = new AtomicLong();
        meters.gauge("parley.tool.calls.unknown", waiting);
        return () -> {
            try {
                waiting.set(count());
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("unknown tool calls could not be counted");
            }
        };
    }

    private static Tenant of(UUID host, UUID project) {
        return Tenant.of(host).project(project);
    }
}
