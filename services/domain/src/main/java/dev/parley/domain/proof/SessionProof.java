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

/** The observations of one session; {@link CommandJudge} and {@link TurnJudge} verify them. */
final class SessionProof {
    final String key;
    final ProofScope scope;
    final VerificationReport proved;

    final Map<UUID, Lifecycle> commands = new LinkedHashMap<>();
    final Map<UUID, Lifecycle> turns = new LinkedHashMap<>();
    final Map<UUID, Lifecycle> calls = new LinkedHashMap<>();
    final Map<UUID, Lifecycle> questions = new LinkedHashMap<>();
    final Map<UUID, List<Fact>> replies = new LinkedHashMap<>();
    final Map<UUID, Set<String>> outcomes = new HashMap<>();
    final Set<UUID> imported = new LinkedHashSet<>();

    /** Dead-lettered records, {@code topic:partition:offset}. */
    final Set<String> putAside = new LinkedHashSet<>();

    private final List<Fact> foreign = new ArrayList<>();
    private final List<Finding> numbers = new ArrayList<>();

    /** Everything before is erased. */
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

    SessionProof(String key, ProofScope scope, VerificationReport proved) {
        this.key = key;
        this.scope = scope;
        this.proved = proved;
    }

    void take(Fact fact) {
        if (fact.kind().isEvent()) {
            number(fact);
        }
        switch (fact.kind()) {
            case COMMAND -> {
                imports(fact);
                life(commands, fact.id()).begins(fact);
            }
            case IMPORTED -> imported.add(id(fact));
            case OUTCOME ->
                outcomes.computeIfAbsent(id(fact), _ -> new LinkedHashSet<>()).add(fact.word());
            case OPENED -> {
                ownerKnown = true;
                owner = fact.who();
            }
            case ERASED, TOMBSTONE -> erased = fact.place();
            case ACCEPTED -> life(turns, fact.id()).begins(fact);
            case STARTED -> started(fact);
            case ENDED -> life(turns, fact.id()).ends(fact);
            case CALL -> called(fact);
            case DENIED -> life(calls, fact.id()).denied = true;
            case CALL_ENDED -> life(calls, fact.id()).ends(fact);
            case SETTLED -> life(calls, fact.id()).settled = true;
            case QUESTION -> asked(fact);
            case ANSWER -> answered(fact);
            case REPLY ->
                replies.computeIfAbsent(Objects.requireNonNull(fact.turn()), _ -> new ArrayList<>())
                        .add(fact);
            case DEAD_LETTER -> putAside.add(fact.word() + ":" + fact.more());
            case FOREIGN -> foreign.add(fact);
            case EVENT -> {}
        }
    }

    private void imports(Fact command) {
        if (command.word().equals("ImportSession")) {
            importBegun = importBegun == null ? command.place() : importBegun;
            importEnded = command.place();
        }
    }

    /** Whether the session was being imported at the time of a command. */
    boolean isImporting(Place command) {
        return importBegun != null
                && importEnded != null
                && !command.at().isBefore(importBegun.at())
                && !command.at().isAfter(importEnded.at());
    }

    private static UUID id(Fact fact) {
        return Objects.requireNonNull(fact.id(), () -> "an id of " + fact.kind());
    }

    private static Lifecycle life(Map<UUID, Lifecycle> lives, @Nullable UUID id) {
        return lives.computeIfAbsent(Objects.requireNonNull(id), _ -> new Lifecycle());
    }

    /** Event numbers of a session are gapless and unique. */
    private void number(Fact fact) {
        long seq = fact.seq();
        if (last == 0) {
            first = seq;
        } else if (seq <= last) {
            numbers.add(finding(FindingKind.EVENT_TWICE, key + "#" + seq, fact.place(), lastPlace, "after #" + last));
        } else if (seq > last + 1) {
            numbers.add(finding(
                    FindingKind.EVENTS_MISSING,
                    key + "#" + (last + 1),
                    fact.place(),
                    lastPlace,
                    "%d missing before #%d".formatted(seq - last - 1, seq)));
        }
        last = Math.max(last, seq);
        lastPlace = fact.place();
    }

    private void started(Fact fact) {
        Lifecycle turn = life(turns, fact.id());
        turn.started = fact.place();
        turn.until = fact.until();
    }

    private void called(Fact fact) {
        Lifecycle call = life(calls, fact.id());
        boolean again = fact.word().equals("again");
        if (!again) {
            call.begins(fact);
            waits(fact);
        } else if (call.begun != null) {
            count("calls made again", fact.more());
        }
    }

    private void asked(Fact fact) {
        life(questions, fact.id()).begins(fact);
        waits(fact);
    }

    /** The time of a turn stops while an approval or a caller's call is pending. */
    private void waits(Fact fact) {
        Lifecycle turn = fact.turn() == null ? null : turns.get(fact.turn());
        if (turn != null && turn.until != null && fact.until() != null) {
            Duration left = Duration.between(fact.place().at(), turn.until);
            turn.until = fact.until().plus(left.isNegative() ? Duration.ZERO : left);
        }
    }

    private void answered(Fact fact) {
        life(questions, fact.id()).ends(fact);
        if (!fact.flag() && fact.call() != null) {
            life(calls, fact.call()).denied = true;
        }
    }

    /** All facts were taken. */
    void end() {
        proved.count("sessions", "read");
        numbers.stream()
                .filter(finding -> finding.kind() == FindingKind.EVENT_TWICE || erased == null)
                .forEach(this::find);
        for (Fact fact : foreign) {
            String place = place(fact.place());
            find(finding(
                    FindingKind.FOREIGN_RECORD,
                    place,
                    fact.place(),
                    null,
                    fact.word() + (putAside.contains(place) ? "; it is on dead-letters" : "")));
        }
        if (erased != null) {
            proved.count("sessions", "erased, or in part");
        }
        new CommandJudge(this).judge();
        new TurnJudge(this).judge();
    }

    static String place(Place place) {
        return place.topic() + ":" + place.partition() + ":" + place.offset();
    }

    /** Whether the session's events were read from the first: then a missing start is an error. */
    boolean isWhole() {
        return first == 1 && erased == null;
    }

    boolean isErased(Place begun) {
        return erased != null && !begun.at().isAfter(erased.at());
    }

    Finding finding(FindingKind kind, Object id, Place place, @Nullable Place other, String detail) {
        return new Finding(kind, id.toString(), key, place, other, detail);
    }

    void find(FindingKind kind, Object id, Place place, @Nullable Place other, String detail) {
        find(finding(kind, id, place, other, detail));
    }

    private void find(Finding finding) {
        if (scope.has(finding.place())) {
            proved.find(finding);
        }
    }

    void count(String group, String what) {
        proved.count(group, what);
    }
}
