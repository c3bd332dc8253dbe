package dev.parley.domain.proof;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Verification of a session's turns, replies, calls and approvals: whether each reached exactly one end. */
final class TurnJudge {
    private static final String UNDER_WAY = "under way";
    private static final String ERASED = "erased";

    private final SessionProof session;
    private final ProofScope scope;
    private final boolean runs;

    TurnJudge(SessionProof session) {
        this.session = session;
        this.scope = session.scope;
        this.runs = session.turns.values().stream()
                .anyMatch(turn -> turn.isOpen() && turn.started != null && !isLate(turn.until));
    }

    void judge() {
        session.turns.forEach(this::turn);
        session.replies.forEach(this::replies);
        session.calls.forEach(this::call);
        session.questions.forEach(this::question);
    }

    private boolean isLate(@Nullable Instant until) {
        return until != null && !scope.isYoung(until);
    }

    // ---- turns

    private void turn(UUID id, Lifecycle turn) {
        if (turn.begun == null) {
            begunBefore(FindingKind.END_WITHOUT_TURN, id, turn.started == null ? turn.ended : turn.started);
        } else if (scope.has(turn.begun)) {
            session.count("turns of " + turn.word, session.isErased(turn.begun) ? ERASED : turn(id, turn, turn.begun));
        }
    }

    private String turn(UUID id, Lifecycle turn, Place begun) {
        boolean imported = session.imported.contains(id);
        if (turn.begunAgain != null) {
            session.find(FindingKind.TURN_TWICE, id, turn.begunAgain, begun, "");
        }
        if (!imported && !session.commands.containsKey(id)) {
            session.find(FindingKind.TURN_WITHOUT_MESSAGE, id, begun, null, "origin " + turn.word);
        }
        if (turn.endedAgain != null) {
            session.find(FindingKind.TURN_ENDED_TWICE, id, turn.endedAgain, turn.ended, turn.end);
        }
        if (turn.isOpen()) {
            return open(id, turn, begun);
        }
        if (!imported && turn.flag && turn.started != null) {
            reply(id, turn);
        }
        return imported ? "imported, " + turn.end : turn.end;
    }

    private String open(UUID id, Lifecycle turn, Place begun) {
        if (turn.started == null && !runs && !scope.isYoung(begun.at())) {
            session.find(FindingKind.TURN_NOT_STARTED, id, begun, null, "");
            return "not proved";
        }
        if (turn.started != null && isLate(turn.until)) {
            session.find(FindingKind.TURN_WITHOUT_END, id, begun, turn.started, "deadline " + turn.until);
            return "not proved";
        }
        return UNDER_WAY;
    }

    // ---- replies

    private void reply(UUID id, Lifecycle turn) {
        List<Fact> last = last(session.replies.getOrDefault(id, List.of()));
        Place ended = Objects.requireNonNull(turn.ended);
        if (last.isEmpty() && !scope.isYoung(ended.at())) {
            session.find(FindingKind.REPLY_MISSING, id, Objects.requireNonNull(turn.begun), ended, turn.end);
        }
        if (last.size() > 1) {
            session.find(
                    FindingKind.REPLY_TWICE,
                    id,
                    last.get(1).place(),
                    last.getFirst().place(),
                    last.get(1).word());
        }
    }

    private static List<Fact> last(List<Fact> replies) {
        return replies.stream().filter(reply -> !reply.word().equals("MESSAGE")).toList();
    }

    private void replies(UUID turn, List<Fact> replies) {
        Lifecycle of = session.turns.get(turn);
        for (Fact reply : replies) {
            if (!scope.has(reply.place())) {
                continue;
            }
            session.count("replies", reply.word().toLowerCase(java.util.Locale.ROOT));
            boolean own = turn.equals(reply.id()); // what a bot says itself
            if (!own && (of == null || of.begun == null)) {
                begunBefore(FindingKind.REPLY_WITHOUT_TURN, turn, reply.place());
            }
            session.count("deliveries of " + reply.more(), delivery(reply));
        }
    }

    private String delivery(Fact reply) {
        Place place = reply.place();
        if (session.isErased(place)) {
            return ERASED;
        }
        if (session.putAside.contains(SessionProof.place(place))) {
            session.find(FindingKind.REPLY_PUT_ASIDE, Objects.requireNonNull(reply.id()), place, null, reply.more());
            return "put aside";
        }
        if (place.offset() < scope.delivered().getOrDefault(place.partition(), 0L)) {
            return "dealt with";
        }
        if (scope.isYoung(place.at())) {
            return UNDER_WAY;
        }
        session.find(
                FindingKind.REPLY_NOT_DELIVERED,
                Objects.requireNonNull(reply.id()),
                place,
                null,
                "bot " + reply.more());
        return "not proved";
    }

    // ---- calls

    private void call(UUID id, Lifecycle call) {
        if (call.begun == null) {
            begunBefore(FindingKind.RESULT_WITHOUT_CALL, id, call.ended);
        } else if (scope.has(call.begun)) {
            session.count("tool calls", session.isErased(call.begun) ? ERASED : call(id, call, call.begun));
        }
    }

    private String call(UUID id, Lifecycle call, Place begun) {
        if (call.begunAgain != null) {
            session.find(FindingKind.CALL_TWICE, id, call.begunAgain, begun, call.more);
        }
        if (call.endedAgain != null) {
            session.find(FindingKind.CALL_ENDED_TWICE, id, call.endedAgain, call.ended, call.more);
        }
        if (!call.isOpen()) {
            return switch (call.end) {
                case "COMPLETED" -> "result";
                case "UNKNOWN" -> call.settled ? "in doubt, settled" : "in doubt";
                default -> call.denied ? "denied" : "error";
            };
        }
        if (isOver(call.turn)) {
            session.find(FindingKind.CALL_WITHOUT_RESULT, id, begun, ended(call.turn), call.more);
            return "not proved";
        }
        return UNDER_WAY;
    }

    private @Nullable Place ended(@Nullable UUID turn) {
        Lifecycle of = turn == null ? null : session.turns.get(turn);
        return of == null ? null : of.ended;
    }

    private boolean isOver(@Nullable UUID turn) {
        return ended(turn) != null;
    }

    // ---- questions

    private void question(UUID id, Lifecycle question) {
        if (question.begun == null) {
            begunBefore(FindingKind.ANSWER_WITHOUT_QUESTION, id, question.ended);
        } else if (scope.has(question.begun)) {
            session.count(
                    "approvals", session.isErased(question.begun) ? ERASED : question(id, question, question.begun));
        }
    }

    /** An approval ends with its decision, or with its call: an ending turn gives each of its calls a result. */
    private String question(UUID id, Lifecycle question, Place begun) {
        if (question.endedAgain != null) {
            session.find(FindingKind.APPROVAL_ENDED_TWICE, id, question.endedAgain, question.ended, question.end);
        }
        if (!question.isOpen()) {
            return question.end;
        }
        Lifecycle call = question.call == null ? null : session.calls.get(question.call);
        if (call != null && call.end.equals("COMPLETED")) {
            session.find(FindingKind.CALL_WITHOUT_ANSWER, id, begun, call.ended, call.more);
            return "not proved";
        }
        if (call != null && !call.isOpen()) {
            return "ended with its call";
        }
        if (isOver(question.turn) || isLate(question.until)) {
            session.find(FindingKind.APPROVAL_WITHOUT_END, id, begun, ended(question.turn), "until " + question.until);
            return "not proved";
        }
        return UNDER_WAY;
    }

    /** A missing start is an error, unless it may precede what was read. */
    private void begunBefore(FindingKind kind, UUID id, @Nullable Place place) {
        if (place == null || !scope.has(place) || session.isErased(place)) {
            return;
        }
        if (session.isWhole()) {
            session.find(kind, id, place, null, "");
        } else {
            session.count("not judged", "began before what was read");
        }
    }
}
