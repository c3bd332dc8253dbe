package dev.parley.platform.gateway;

import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.platform.dispatch.OutcomeWaiters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The callers that wait for commands and turns; bounded and thread-safe. Futures complete in the executor. */
final class WaitingTable implements OutcomeWaiters {
    private final int limit;
    private final Executor executor;
    private final Map<UUID, List<Waiting>> byId = new HashMap<>();
    private final Set<Waiting> all = new HashSet<>();

    /** @param limit maximum number of waiting tickets */
    WaitingTable(int limit, Executor executor) {
        this.limit = limit;
        this.executor = executor;
    }

    /** An open ticket; compared by identity. */
    static final class Waiting {
        final UUID commandId;
        final @Nullable Integer partition;
        final long sinceNanos;
        final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        final CompletableFuture<Outcome.Finished> finished = new CompletableFuture<>();
        private @Nullable UUID joined;

        Waiting(UUID commandId, @Nullable Integer partition, long sinceNanos) {
            this.commandId = commandId;
            this.partition = partition;
            this.sinceNanos = sinceNanos;
        }
    }

    /** Adds a ticket; returns false if the limit is reached. */
    synchronized boolean add(Waiting waiting) {
        if (all.size() >= limit) {
            return false;
        }
        all.add(waiting);
        byId.computeIfAbsent(waiting.commandId, id -> new ArrayList<>(1)).add(waiting);
        return true;
    }

    /** Removes a ticket. */
    synchronized void remove(Waiting waiting) {
        if (all.remove(waiting)) {
            removeId(waiting.commandId, waiting);
            if (waiting.joined != null) {
                removeId(waiting.joined, waiting);
            }
        }
    }

    private void removeId(UUID id, Waiting waiting) {
        List<Waiting> waiters = byId.get(id);
        if (waiters != null && waiters.remove(waiting) && waiters.isEmpty()) {
            byId.remove(id);
        }
    }

    @Override
    public synchronized boolean isAwaited(int partition, Outcome outcome) {
        return byId.getOrDefault(idOf(outcome), List.of()).stream()
                .anyMatch(waiting -> waiting.partition != null && waiting.partition == partition);
    }

    private static UUID idOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Accepted accepted -> accepted.commandId();
            case Outcome.Refused refused -> refused.commandId();
            case Outcome.TodosListed listed -> listed.commandId();
            case Outcome.RemindersListed listed -> listed.commandId();
            case Outcome.CallsListed listed -> listed.commandId();
            case Outcome.Retained retained -> retained.commandId();
            case Outcome.Recalled recalled -> recalled.commandId();
            case Outcome.Concluded concluded -> concluded.commandId();
            case Outcome.Reverted reverted -> reverted.commandId();
            case Outcome.ProcessShown shown -> shown.commandId();
            case Outcome.Finished finished -> finished.turnId();
        };
    }

    @Override
    public void deliver(Outcome outcome) {
        switch (outcome) {
            case Outcome.Accepted accepted -> onAccepted(accepted);
            case Outcome.Refused _,
                    Outcome.TodosListed _,
                    Outcome.RemindersListed _,
                    Outcome.CallsListed _,
                    Outcome.Retained _,
                    Outcome.Recalled _,
                    Outcome.Concluded _,
                    Outcome.ProcessShown _,
                    Outcome.Reverted _ -> waiting(idOf(outcome)).forEach(waiting -> complete(waiting.outcome, outcome));
            case Outcome.Finished finished ->
                waiting(finished.turnId()).forEach(waiting -> {
                    complete(waiting.outcome, finished);
                    complete(waiting.finished, finished);
                });
        }
    }

    private void onAccepted(Outcome.Accepted accepted) {
        for (Waiting waiting : waiting(accepted.commandId())) {
            if (accepted.disposition() != Disposition.DONE && accepted.turnId() != null) {
                join(waiting, accepted.turnId());
            }
            complete(waiting.outcome, accepted);
        }
    }

    /** A message that joined another turn finishes with it. */
    private synchronized void join(Waiting waiting, UUID turnId) {
        if (all.contains(waiting) && waiting.joined == null && !turnId.equals(waiting.commandId)) {
            waiting.joined = turnId;
            byId.computeIfAbsent(turnId, id -> new ArrayList<>(1)).add(waiting);
        }
    }

    private synchronized List<Waiting> waiting(UUID id) {
        return List.copyOf(byId.getOrDefault(id, List.of()));
    }

    private <T> void complete(CompletableFuture<T> future, T value) {
        executor.execute(() -> future.complete(value));
    }

    /** The partitions of waiting tickets. */
    synchronized Set<Integer> partitions() {
        return all.stream()
                .filter(waiting -> waiting.partition != null)
                .map(waiting -> waiting.partition)
                .collect(Collectors.toSet());
    }

    /** Removes tickets that were opened before this time. */
    synchronized void expire(long beforeNanos) {
        all.stream()
                .filter(waiting -> waiting.sinceNanos - beforeNanos < 0)
                .toList()
                .forEach(this::remove);
    }

    /** Number of waiting tickets. */
    synchronized int size() {
        return all.size();
    }
}
