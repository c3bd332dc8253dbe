package dev.parley.sessions.erasure;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.erasure.ErasureRecord.AgentGone;
import dev.parley.domain.erasure.ErasureRecord.Removed;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Cursor;
import dev.parley.sessions.SessionKeyRows;
import dev.parley.sessions.erasure.ErasureRequest.Kind;
import dev.parley.sessions.projection.SessionViewsReplay;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Transactions of erasures: their state, and the remaining rows of the views. */
@Singleton
final class Erasures {
    /** Services that must confirm the removal of their data, by kind of erasure. */
    static final Map<Kind, List<String>> SERVICES = Map.of(
            Kind.SESSION,
            List.of("channels", "tools", "memory"),
            Kind.USER,
            List.of("channels", "memory"),
            Kind.PROJECT,
            List.of("channels", "tools", "memory", "workflows"),
            Kind.AGENT,
            List.of("memory"));

    private final Database database;
    private final ErasureRows rows;
    private final SessionKeyRows sessions;

    Erasures(Database database, ErasureRows rows, SessionKeyRows sessions) {
        this.database = database;
        this.rows = rows;
        this.sessions = sessions;
    }

    /** Claims erasures that are due; each is leased for at least 30 seconds. */
    List<ErasureRequest> claim() {
        return database.in(Tenant.ALL, rows::claim);
    }

    /** Requests the erasure of a user or project; idempotent. */
    void request(UUID host, UUID erasure, Kind kind, String subject) {
        database.in(Tenant.of(host), () -> insert(host, erasure, kind, subject, null));
    }

    /** Requests the erasure of the memories of a deleted agent; idempotent. */
    void request(AgentGone agentGone) {
        UUID host = agentGone.host();
        database.in(
                Tenant.of(host), () -> insert(host, agentGone.erasure(), Kind.AGENT, agentGone.name(), agentGone.by()));
    }

    private void insert(UUID host, UUID erasure, Kind kind, String subject, @Nullable String requestedBy) {
        rows.insert(host, erasure, null, null, kind.name(), subject, null, requestedBy, Instant.now());
    }

    /**
     * Requests the erasure of delegate sessions.
     *
     * @return number of sessions
     */
    int requestForDelegates(ErasureRequest parent) {
        RecordKey key = parent.session();
        return requestEach(
                parent,
                () -> sessions.delegates(
                        parent.host(), key.projectId(), List.copyOf(parent.sessionIds()), key.session()));
    }

    /**
     * Requests the erasure of the remaining sessions of a user or project.
     *
     * @return number of sessions
     */
    int requestForSessions(ErasureRequest parent) {
        return requestEach(
                parent,
                () -> parent.kind() == Kind.USER
                        ? sessions.notRequestedOfUser(parent.host(), parent.subject(), parent.id())
                        : sessions.notRequestedOfProject(
                                parent.host(), RecordKey.projectId(parent.subject()), parent.id()));
    }

    private int requestEach(ErasureRequest parent, Supplier<List<String>> find) {
        return database.in(Tenant.of(parent.host()), () -> {
            List<String> keys = find.get();
            keys.forEach(key -> rows.insert(
                    parent.host(),
                    Ids.of("erasure", parent.id(), key),
                    parent.id(),
                    RecordKey.parse(key).projectId(),
                    Kind.SESSION.name(),
                    key,
                    null,
                    parent.requestedBy(),
                    Instant.now()));
            return keys.size();
        });
    }

    /** Requests the erasure of sessions of a project without activity since a time. */
    void requestForIdle(UUID host, UUID project, Instant since) {
        database.in(
                Tenant.of(host),
                () -> sessions.idle(host, project, since)
                        .forEach(idle -> rows.insert(
                                host,
                                Ids.of("retention", idle.recordKey(), idle.seq()),
                                null,
                                project,
                                Kind.SESSION.name(),
                                idle.recordKey(),
                                idle.seq(),
                                "retention",
                                Instant.now())));
    }

    /** Withdraws a request. */
    void drop(ErasureRequest erasure) {
        database.in(Tenant.of(erasure.host()), () -> rows.withdraw(erasure.host(), erasure.id()));
    }

    /** Records the number of tombstoned events. */
    void removedFromLog(ErasureRequest erasure, long events) {
        database.in(Tenant.of(erasure.host()), () -> rows.setEvents(erasure.host(), erasure.id(), events));
    }

    /** Reschedules it; a confirmation of a service makes it due at once. */
    void reschedule(ErasureRequest erasure, Duration after) {
        Instant next = Instant.now().plus(after);
        database.in(Tenant.of(erasure.host()), () -> rows.reschedule(erasure.host(), erasure.id(), next));
    }

    /** SHA-256 of the files that it has not handled yet. */
    List<String> files(ErasureRequest erasure) {
        return database.in(Tenant.of(erasure.host()), () -> rows.files(erasure.host(), erasure.id()));
    }

    /**
     * The files that any remaining session of any host names; equal files are stored once. Empty during a replay,
     * when the views are incomplete.
     */
    Optional<Set<String>> named(List<String> files) {
        return database.in(
                Tenant.ALL,
                () -> rows.tryLock(SessionViewsReplay.LOCK.number())
                        ? Optional.of(Set.copyOf(rows.named(files)))
                        : Optional.empty());
    }

    /** Records that a file was handled. */
    void fileHandled(ErasureRequest erasure, String sha256, boolean removed) {
        database.in(Tenant.of(erasure.host()), () -> {
            rows.deleteFile(erasure.host(), erasure.id(), sha256);
            rows.addFiles(erasure.host(), erasure.id(), removed ? 1 : 0);
        });
    }

    /** Records that a service has removed its data. */
    void removed(Removed record) {
        database.in(Tenant.of(record.host()), () -> {
            rows.insertService(record.host(), record.erasure(), record.service(), record.removed(), record.at());
            rows.resume(record.host(), record.erasure());
        });
    }

    /**
     * Completes it, unless something is left.
     *
     * @param logKept longest retention of topics that are not compacted
     */
    boolean end(ErasureRequest erasure, Duration logKept) {
        List<String> services = SERVICES.getOrDefault(erasure.kind(), List.of());
        Instant now = Instant.now();
        return database.in(
                Tenant.of(erasure.host()),
                () -> rows.complete(erasure.host(), erasure.id(), now, now.plus(logKept), services, services.size())
                        == 1);
    }

    /** The receipt of an erasure. */
    Optional<Receipt> receipt(UUID host, UUID erasure) {
        return database.in(Tenant.of(host), () -> rows.receipt(host, erasure)).map(Receipt::of);
    }

    /** A page of receipts, the newest first; only those requested by {@code requestedBy}, if given. */
    List<Receipt> receipts(UUID host, @Nullable String requestedBy, int max, @Nullable Cursor after) {
        Instant afterTime = Cursor.timeOf(after);
        UUID afterId = Cursor.idOf(after);
        return database
                .listingIn(Tenant.of(host), () -> rows.receipts(host, requestedBy, afterTime, afterId, max + 1))
                .stream()
                .map(Receipt::of)
                .toList();
    }
}
