package dev.parley.sessions.erasure;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.erasure.ErasureRecord;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.ReadYourWrites;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Subscription;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Recurring;
import dev.parley.sessions.archive.Jobs;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives erasures to completion: sends the erase command to sessions and, once the views are clean, writes tombstones
 * for their events and deletes their files. Each step is idempotent and can run on any instance.
 */
@Singleton
@Order(30)
public final class Eraser extends Recurring {
    /** Recently stored files are kept: a message that names them may be in flight. */
    static final Duration MIN_FILE_AGE = Duration.ofMinutes(15);

    private static final Logger LOG = LoggerFactory.getLogger(Eraser.class);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);
    private static final Duration LONG_RETRY_DELAY = Duration.ofMinutes(1);
    private static final Duration RETENTION = Duration.ofMinutes(10);
    private static final int RETENTION_ATTEMPTS = 3;
    private static final Duration SWEEP = Duration.ofDays(1);

    /** After this many attempts, commands sent before the user or project was erased have been processed. */
    private static final int PROCESSED_AFTER = 3;

    private static final long SEND_SECONDS = 30;

    /** Longest retention of topics that are not compacted. */
    static final Duration LOG_RETENTION = Topics.logKept();

    private final Erasures erasures;
    private final KafkaClients clients;
    private final AccessFollower directory;
    private final BlobStore blobs;
    private final Jobs archives;
    private final ReadYourWrites freshness;
    private final Subscription<ErasureRecord> subscription;
    private final Set<UUID> requested = new HashSet<>();
    private long retentionNext = System.nanoTime();
    private long sweepNext = System.nanoTime();
    private @Nullable Producer<byte[], byte[]> producer;

    Eraser(
            Erasures erasures,
            KafkaClients clients,
            AccessFollower directory,
            BlobStore blobs,
            Jobs archives,
            Database database,
            TopicEnds events) {
        super("eraser", Duration.ZERO, "erasures failed");
        this.erasures = erasures;
        this.clients = clients;
        this.directory = directory;
        this.blobs = blobs;
        this.archives = archives;
        this.freshness = new ReadYourWrites(database, events, "sessions.projection_offset_t");
        this.subscription = new Subscription<>(clients, Topics.ERASURES, "parley-sessions-erasures", this::onRecord);
    }

    @Override
    public void start() {
        producer = clients.producer(name());
        subscription.start();
        super.start();
    }

    private void onRecord(ErasureRecord record) {
        switch (record) {
            case ErasureRecord.Removed removed -> erasures.removed(removed);
            case ErasureRecord.AgentGone agentGone -> erasures.request(agentGone);
            case ErasureRecord.SessionGone _ -> {} // the projection of the session's event records it
        }
    }

    /** A failed erasure is retried later and does not block others. */
    @Override
    protected void pass() throws InterruptedException {
        requestErasures();
        Exception failure = null;
        for (ErasureRequest erasure : erasures.claim()) {
            if (isClosing()) {
                return; // another process claims the rest when the time of this one has passed
            }
            try {
                advance(erasure);
            } catch (RuntimeException | ExecutionException | TimeoutException e) {
                failure = first(failure, e);
            }
        }
        try {
            sweep();
        } catch (RuntimeException e) {
            failure = first(failure, e);
        }
        if (failure != null) {
            throw new IllegalStateException("erasures are blocked: " + failure.getMessage(), failure);
        }
    }

    private static Exception first(@Nullable Exception failure, Exception next) {
        if (failure == null) {
            return next;
        }
        failure.addSuppressed(next);
        return failure;
    }

    @Override
    protected Duration rest(boolean failed) {
        return POLL_INTERVAL;
    }

    /** Requests erasures of erased users and projects, and of sessions past their retention. */
    private void requestErasures() {
        for (AccessRecord erased : directory.erasedRecords()) {
            request(erased);
        }
        if (System.nanoTime() - retentionNext >= 0 && viewsAreComplete()) {
            retentionNext = System.nanoTime() + RETENTION.toNanos();
            directory.withRetention().forEach(project -> {
                int days = Objects.requireNonNull(project.retentionDays());
                erasures.requestForIdle(
                        project.host(), project.project(), Instant.now().minus(Duration.ofDays(days)));
            });
        }
    }

    private void request(AccessRecord erased) {
        switch (erased) {
            case AccessRecord.Account account ->
                request(
                        account.erasure(),
                        account.host(),
                        ErasureRequest.Kind.USER,
                        account.user().toString());
            case AccessRecord.Project project ->
                request(project.erasure(), project.host(), ErasureRequest.Kind.PROJECT, project.projectKey());
            case AccessRecord.Member _, AccessRecord.AccessKey _, AccessRecord.Setting _ ->
                throw new IllegalStateException("unexpected kind of access record");
        }
    }

    private void request(@Nullable UUID erasure, UUID host, ErasureRequest.Kind kind, String subject) {
        if (erasure != null && !requested.contains(erasure)) {
            erasures.request(host, erasure, kind, subject);
            requested.add(erasure);
        }
    }

    private void advance(ErasureRequest erasure) throws ExecutionException, TimeoutException, InterruptedException {
        switch (erasure.kind()) {
            case USER -> eraseSessions(erasure);
            case PROJECT -> {
                archives.forget(erasure.host(), RecordKey.projectId(erasure.subject()));
                eraseSessions(erasure);
            }
            // This service has no data of agents.
            case AGENT -> rescheduleUnless(erasures.end(erasure, LOG_RETENTION), false, erasure);
            case SESSION -> {
                if (erasure.isRemoved()) {
                    removeRemains(erasure);
                } else {
                    eraseSession(erasure);
                }
            }
        }
    }

    private void eraseSessions(ErasureRequest erasure) {
        int remaining = viewsAreComplete() ? erasures.requestForSessions(erasure) : 1;
        boolean ended = remaining == 0 && erasure.attempts() > PROCESSED_AFTER && erasures.end(erasure, LOG_RETENTION);
        rescheduleUnless(ended, remaining > 0, erasure);
    }

    /** Sends the erase command; the lease of the erasure lapses and repeats it where the session does not react. */
    private void eraseSession(ErasureRequest erasure)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (erasure.seq() > 0 && erasure.attempts() > RETENTION_ATTEMPTS) {
            erasures.drop(erasure); // the session has newer events: its retention is not over
        } else {
            sendErase(erasure);
        }
    }

    /** Removes the remains of an erased session: its events, delegate sessions and files. */
    private void removeRemains(ErasureRequest erasure)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (erasure.events() < erasure.seq() - 1) {
            removeFromLog(erasure);
        }
        boolean isReady = viewsAreComplete() && erasures.requestForDelegates(erasure) == 0;
        boolean ended = isReady && removeFiles(erasure) && erasures.end(erasure, LOG_RETENTION);
        rescheduleUnless(ended, !isReady, erasure);
    }

    private void rescheduleUnless(boolean ended, boolean soon, ErasureRequest erasure) {
        if (!ended) {
            erasures.reschedule(erasure, soon || erasure.attempts() < 100 ? RETRY_DELAY : LONG_RETRY_DELAY);
        }
    }

    private boolean viewsAreComplete() {
        return freshness.await(Duration.ZERO);
    }

    private void sendErase(ErasureRequest erasure) throws ExecutionException, TimeoutException, InterruptedException {
        RecordKey key = erasure.session();
        var meta = new CommandMeta(erasure.id(), erasure.host(), Instant.now(), erasure.requestedBy(), null, null);
        var command = new ChangeSession(
                meta, Change.ERASE, null, null, null, "api", null, erasure.seq() == 0 ? null : erasure.seq());
        producer()
                .send(RecordCodec.record(Topics.TURN_COMMANDS, key.toString(), command, erasure.id(), null))
                .get(SEND_SECONDS, TimeUnit.SECONDS);
    }

    /** Writes tombstones for all events before the one that erased the session. */
    private void removeFromLog(ErasureRequest erasure)
            throws ExecutionException, TimeoutException, InterruptedException {
        Producer<byte[], byte[]> producer = producer();
        RecordKey key = erasure.session();
        int partition = Partitioning.of(
                key, producer.partitionsFor(Topics.TURN_EVENTS.name()).size());
        Future<RecordMetadata> last = null;
        for (long seq = 1; seq < erasure.seq(); seq++) {
            last = producer.send(RecordCodec.tombstone(Topics.TURN_EVENTS, partition, key + "#" + seq));
        }
        if (last != null) {
            producer.flush();
            last.get(SEND_SECONDS, TimeUnit.SECONDS);
        }
        erasures.removedFromLog(erasure, erasure.seq() - 1);
    }

    /**
     * Deletes the files of an erased session that no other session names.
     *
     * @return whether all files are handled
     */
    private boolean removeFiles(ErasureRequest erasure) {
        List<String> files = erasures.files(erasure);
        Optional<Set<String>> referenced = files.isEmpty() ? Optional.of(Set.of()) : erasures.named(files);
        if (referenced.isEmpty()) {
            return false;
        }
        boolean areAllHandled = true;
        for (String sha256 : files) {
            boolean isNamed = referenced.get().contains(sha256);
            try {
                if (isNamed || blobs.remove(sha256, MIN_FILE_AGE)) {
                    erasures.fileHandled(erasure, sha256, !isNamed);
                } else {
                    areAllHandled = false;
                }
            } catch (IOException e) {
                throw new UncheckedIOException("a file cannot be removed", e);
            }
        }
        return areAllHandled;
    }

    private void sweep() {
        if (System.nanoTime() - sweepNext >= 0 && viewsAreComplete()) {
            sweepNext = System.nanoTime() + SWEEP.toNanos();
            removeUnnamed();
        }
    }

    /** Deletes files that no message has named for longer than a message can be in flight. */
    private void removeUnnamed() {
        try {
            long removed =
                    blobs.sweep(LOG_RETENTION, files -> viewsAreComplete() ? erasures.named(files) : Optional.empty());
            if (removed > 0) {
                LOG.info("removed {} files that no message names", removed);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("unreferenced files cannot be removed", e);
        }
    }

    private Producer<byte[], byte[]> producer() {
        return Objects.requireNonNull(producer, "it was not started");
    }

    @Override
    public void close() {
        subscription.close();
        super.close();
        if (producer != null) {
            producer.close();
        }
    }
}
