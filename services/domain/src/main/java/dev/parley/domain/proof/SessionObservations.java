package dev.parley.domain.proof;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Observations of one session; {@link CommandVerifier} and {@link TurnVerifier} verify it. */
final class SessionObservations {
    final String key;
    final ProofScope scope;
    final VerificationReport report;

    final Map<UUID, Lifecycle> commands = new LinkedHashMap<>();
    final Map<UUID, Lifecycle> turns = new LinkedHashMap<>();
    final Map<UUID, Lifecycle> calls = new LinkedHashMap<>();
    final Map<UUID, Lifecycle> approvals = new LinkedHashMap<>();
    final Map<UUID, List<RecordFact>> replies = new LinkedHashMap<>();
    final Map<UUID, Set<String>> outcomes = new HashMap<>();
    final Set<UUID> imported = new LinkedHashSet<>();

    /** Dead-lettered records, {@code topic:partition:offset}. */
    final Set<String> deadLettered = new LinkedHashSet<>();

    private final List<RecordFact> foreign = new ArrayList<>();
    private final List<Finding> sequenceFindings = new ArrayList<>();

    /** The record that erased all earlier ones. */
    @Nullable
    Place erased;

    /** Whether the session's user is known. */
    boolean ownerKnown;

    @Nullable
    String owner;

    /** The first and the last piece of an import. */
    private @Nullable Place importBegun;

    private @Nullable Place importEnded;

    private long first;
    private long last;
    private @Nullable Place lastPlace;

    SessionObservations(String key, ProofScope scope, VerificationReport report) {
        this.key = key;
        this.scope = scope;
        this.report = report;
    }

    void add(RecordFact fact) {
        if (fact.kind().isEvent()) {
            checkSequence(fact);
        }
        switch (fact.kind()) {
            case COMMAND -> command(fact);
            case IMPORTED -> imported.add(id(fact));
            case OUTCOME ->
                outcomes.computeIfAbsent(id(fact), _ -> new LinkedHashSet<>()).add(fact.word());
            case OPENED -> sessionOpened(fact);
            case ERASED, TOMBSTONE -> erased = fact.place();
            case ACCEPTED -> lifecycle(turns, fact.id()).begins(fact);
            case STARTED -> turnStarted(fact);
            case ENDED -> lifecycle(turns, fact.id()).ends(fact);
            case CALL -> callRequested(fact);
            case DENIED -> lifecycle(calls, fact.id()).denied = true;
            case CALL_ENDED -> lifecycle(calls, fact.id()).ends(fact);
            case SETTLED -> lifecycle(calls, fact.id()).settled = true;
            case APPROVAL_REQUESTED -> approvalRequested(fact);
            case APPROVAL_DECIDED -> approvalDecided(fact);
            case REPLY ->
                replies.computeIfAbsent(Objects.requireNonNull(fact.turn()), _ -> new ArrayList<>())
                        .add(fact);
            case DEAD_LETTER -> deadLettered.add(fact.word() + ":" + fact.more());
            case FOREIGN -> foreign.add(fact);
            case EVENT -> {}
        }
    }

    private void command(RecordFact command) {
        lifecycle(commands, command.id()).begins(command);
        if (command.word().equals("ImportSession")) {
            importBegun = importBegun == null ? command.place() : importBegun;
            importEnded = command.place();
        }
    }

    private void sessionOpened(RecordFact opened) {
        ownerKnown = true;
        owner = opened.who();
    }

    /** Whether the session was being imported at the time of a command. */
    boolean isImporting(Place command) {
        return importBegun != null
                && importEnded != null
                && !command.at().isBefore(importBegun.at())
                && !command.at().isAfter(importEnded.at());
    }

    private static UUID id(RecordFact fact) {
        return Objects.requireNonNull(fact.id(), () -> "an id of " + fact.kind());
    }

    private static Lifecycle lifecycle(Map<UUID, Lifecycle> lifecycles, @Nullable UUID id) {
        return lifecycles.computeIfAbsent(Objects.requireNonNull(id), _ -> new Lifecycle());
    }

    /** Event numbers of a session are gapless and unique. */
    private void checkSequence(RecordFact fact) {
        long seq = fact.seq();
        if (last == 0) {
            first = seq;
        } else if (seq <= last) {
            sequenceFindings.add(
                    finding(FindingKind.EVENT_TWICE, key + "#" + seq, fact.place(), lastPlace, "after #" + last));
        } else if (seq > last + 1) {
            sequenceFindings.add(finding(
                    FindingKind.EVENTS_MISSING,
                    key + "#" + (last + 1),
                    fact.place(),
                    lastPlace,
                    "%d missing before #%d".formatted(seq - last - 1, seq)));
        }
        last = Math.max(last, seq);
        lastPlace = fact.place();
    }

    private void turnStarted(RecordFact fact) {
        Lifecycle turn = lifecycle(turns, fact.id());
        turn.started = fact.place();
        turn.until = fact.until();
    }

    private void callRequested(RecordFact fact) {
        Lifecycle call = lifecycle(calls, fact.id());
        boolean isRepeated = fact.word().equals("again");
        if (!isRepeated) {
            call.begins(fact);
            extendDeadline(fact);
        } else if (call.begun != null) {
            count("calls made again", fact.more());
        }
    }

    private void approvalRequested(RecordFact fact) {
        lifecycle(approvals, fact.id()).begins(fact);
        extendDeadline(fact);
    }

    /** The time of a turn stops while an approval or a caller's call is pending. */
    private void extendDeadline(RecordFact fact) {
        Lifecycle turn = fact.turn() == null ? null : turns.get(fact.turn());
        if (turn != null && turn.until != null && fact.until() != null) {
            Duration remaining = Duration.between(fact.place().at(), turn.until);
            turn.until = fact.until().plus(remaining.isNegative() ? Duration.ZERO : remaining);
        }
    }

    private void approvalDecided(RecordFact fact) {
        lifecycle(approvals, fact.id()).ends(fact);
        if (!fact.flag() && fact.call() != null) {
            lifecycle(calls, fact.call()).denied = true;
        }
    }

    /** Verifies the session; all its facts were added. */
    void finish() {
        report.count("sessions", "read");
        sequenceFindings.stream()
                .filter(finding -> finding.kind() == FindingKind.EVENT_TWICE || erased == null)
                .forEach(this::report);
        foreign.forEach(this::reportForeign);
        if (erased != null) {
            report.count("sessions", "erased, or in part");
        }
        new CommandVerifier(this).verify();
        new TurnVerifier(this).verify();
    }

    private void reportForeign(RecordFact fact) {
        String location = placeKey(fact.place());
        String detail = fact.word() + (deadLettered.contains(location) ? "; it is on dead-letters" : "");
        report(FindingKind.FOREIGN_RECORD, location, fact.place(), null, detail);
    }

    static String placeKey(Place place) {
        return place.topic() + ":" + place.partition() + ":" + place.offset();
    }

    /** Whether the session's events were read from the first: then a missing start is an error. */
    boolean isWhole() {
        return first == 1 && erased == null;
    }

    boolean isErased(Place start) {
        return erased != null && !start.at().isAfter(erased.at());
    }

    Finding finding(FindingKind kind, Object id, Place place, @Nullable Place other, String detail) {
        return new Finding(kind, id.toString(), key, place, other, detail);
    }

    void report(FindingKind kind, Object id, Place place, @Nullable Place other, String detail) {
        report(finding(kind, id, place, other, detail));
    }

    private void report(Finding finding) {
        if (scope.has(finding.place())) {
            report.add(finding);
        }
    }

    void count(String group, String name) {
        report.count(group, name);
    }
}
