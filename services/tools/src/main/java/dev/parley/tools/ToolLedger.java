package dev.parley.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.json.JsonMappers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of tool calls that must not run twice. A row is written before the effect of a tool, so that the next
 * worker of the call knows whether it is done, running, or was abandoned.
 *
 * <p>Rows are claimed with a lock, and leases expire by the database's clock: two workers never run the same call.
 *
 * @param worker a unique name that is never reused
 * @param lease time that a worker holds a call without a heartbeat
 */
record ToolLedger(Database database, LedgerRows rows, String worker, Duration lease) {
    private static final ObjectMapper JSON = JsonMappers.shared();
    private static final int PURGE_BATCH = 10_000;

    /** The action that a worker takes on a call. */
    sealed interface Entry {
        /** Run the call: this worker holds it. */
        record Run() implements Entry {}

        /** Reconcile the call first: this worker holds it, but a crashed one had started it. */
        record TakenOver() implements Entry {}

        /** Return the recorded result. */
        record Recorded(ToolStatus status, String result, List<Block.File> files) implements Entry {}

        /** Wait: another worker holds the call, at least for the remaining lease. */
        record Held(Duration remaining) implements Entry {}
    }

    /** Claims the row of a call in a session, or returns its state. */
    Entry begin(ToolRequest request, RecordKey session, ToolEffect effect) {
        return database.in(
                of(request).project(session.projectId()),
                () -> insert(request, session, effect) ? new Entry.Run() : existing(request));
    }

    private boolean insert(ToolRequest request, RecordKey session, ToolEffect effect) {
        return rows.insert(
                        request.host(),
                        session.projectId(),
                        request.callId(),
                        request.sessionId(),
                        session.session(),
                        request.turnId(),
                        request.agent(),
                        request.name(),
                        effect.name(),
                        request.attempt(),
                        worker)
                == 1;
    }

    private Entry existing(ToolRequest request) {
        Optional<LedgerRows.State> found = rows.locked(request.host(), request.callId(), lease.toMillis());
        if (found.isEmpty()) {
            return new Entry.Held(Duration.ZERO); // it was purged a moment ago: the next attempt inserts it
        }
        LedgerRows.State row = found.get();
        String status = row.status();
        String result = row.result();
        if (status != null && result != null) {
            return new Entry.Recorded(ToolStatus.valueOf(status), result, files(row.files()));
        }
        boolean started = row.state().equals("started");
        if (started && row.heldMillis() > 0) {
            return new Entry.Held(Duration.ofMillis(row.heldMillis()));
        }
        rows.takeOver(request.host(), request.callId(), request.attempt(), worker);
        return started ? new Entry.TakenOver() : new Entry.Run();
    }

    /** Records the result; returns false if another worker has taken over the row. */
    boolean end(ToolRequest request, ToolStatus status, String result, List<Block.File> files) {
        String state = status == ToolStatus.UNKNOWN ? "unknown" : "done";
        UUID call = request.callId();
        return database.in(
                        of(request),
                        () -> rows.end(request.host(), call, worker, state, status.name(), result, json(files)))
                == 1;
    }

    private static @Nullable String json(List<Block.File> files) {
        if (files.isEmpty()) {
            return null;
        }
        ArrayNode array = JSON.createArrayNode();
        for (Block.File file : files) {
            array.addObject()
                    .put("name", file.name())
                    .put("mimeType", file.mimeType())
                    .put("size", file.size())
                    .put("sha256", file.sha256());
        }
        return array.toString();
    }

    private static List<Block.File> files(@Nullable String json) {
        var files = new ArrayList<Block.File>();
        if (json != null) {
            for (JsonNode file : JsonMappers.tree(json)) {
                files.add(new Block.File(
                        file.get("name").asText(),
                        file.get("mimeType").asText(),
                        file.get("size").asLong(),
                        file.get("sha256").asText(),
                        null,
                        null));
            }
        }
        return files;
    }

    /** Renews the lease of a call. */
    void renewLease(ToolRequest request) {
        database.in(of(request), () -> rows.renewLease(request.host(), request.callId(), worker));
    }

    /**
     * Removes calls that ended or were decided before this age, up to {@value #PURGE_BATCH} at a time, and all calls of
     * sessions erased before it; of sessions erased since, the data of late calls. Other calls of unknown outcome are
     * kept until a user decides them.
     */
    int purge(Duration age) {
        long seconds = age.toSeconds();
        database.in(Tenant.ALL, rows::clearLate);
        int purged = database.in(Tenant.ALL, () -> rows.purge(seconds, PURGE_BATCH));
        int erased = database.in(Tenant.ALL, () -> rows.purgeErased(seconds));
        database.in(Tenant.ALL, () -> rows.deleteMarks(seconds));
        return purged + erased;
    }

    private static Tenant of(ToolRequest request) {
        return Tenant.of(request.host());
    }
}
