package dev.parley.domain.proof;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Verification of a session's turns, replies, calls and approvals: whether each reached exactly one end. */
final class TurnVerifier {
    private static final String UNDER_WAY = "under way";
    private static final String ERASED = "erased";

    private final SessionObservations session;
    private final ProofScope scope;
    private final boolean runs;

    TurnVerifier(SessionObservations session) {
        this.session = session;
        this.scope = session.scope;
        this.runs = session.turns.values().stream()
                .anyMatch(turn -> turn.isOpen() && turn.started != null && !isLate(turn.until));
    }

    void verify() {
        session.turns.forEach(this::verifyTurn);
        session.replies.forEach(this::verifyReplies);
        session.calls.forEach(this::verifyCall);
        session.approvals.forEach(this::verifyApproval);
    }

    private boolean isLate(@Nullable Instant deadline) {
        return deadline != null && !scope.isYoung(deadline);
    }

    private void verifyTurn(UUID id, Lifecycle turn) {
        if (turn.begun == null) {
            reportMissingStart(FindingKind.END_WITHOUT_TURN, id, turn.started == null ? turn.ended : turn.started);
        } else if (scope.has(turn.begun)) {
            session.count(
                    "turns of " + turn.word, session.isErased(turn.begun) ? ERASED : verifyTurn(id, turn, turn.begun));
        }
    }

    private String verifyTurn(UUID id, Lifecycle turn, Place start) {
        boolean imported = session.imported.contains(id);
        if (turn.begunAgain != null) {
            session.report(FindingKind.TURN_TWICE, id, turn.begunAgain, start, "");
        }
        if (!imported && !session.commands.containsKey(id)) {
            session.report(FindingKind.TURN_WITHOUT_MESSAGE, id, start, null, "origin " + turn.word);
        }
        if (turn.endedAgain != null) {
            session.report(FindingKind.TURN_ENDED_TWICE, id, turn.endedAgain, turn.ended, turn.end);
        }
        if (turn.isOpen()) {
            return openTurnStatus(id, turn, start);
        }
        boolean isAnswered = Facts.ANSWERED.equals(turn.end); // by a message of its own
        if (!imported && turn.flag && turn.started != null && !isAnswered) {
            verifyReply(id, turn);
        }
        return imported ? "imported, " + turn.end : turn.end;
    }

    private String openTurnStatus(UUID id, Lifecycle turn, Place start) {
        if (turn.started == null && !runs && !scope.isYoung(start.at())) {
            session.report(FindingKind.TURN_NOT_STARTED, id, start, null, "");
            return "not proved";
        }
        if (turn.started != null && isLate(turn.until)) {
            session.report(FindingKind.TURN_WITHOUT_END, id, start, turn.started, "deadline " + turn.until);
            return "not proved";
        }
        return UNDER_WAY;
    }

    private void verifyReply(UUID id, Lifecycle turn) {
        List<RecordFact> replies = finalReplies(session.replies.getOrDefault(id, List.of()));
        Place end = Objects.requireNonNull(turn.ended);
        if (replies.isEmpty() && !scope.isYoung(end.at())) {
            session.report(FindingKind.REPLY_MISSING, id, Objects.requireNonNull(turn.begun), end, turn.end);
        }
        if (replies.size() > 1) {
            session.report(
                    FindingKind.REPLY_TWICE,
                    id,
                    replies.get(1).place(),
                    replies.getFirst().place(),
                    replies.get(1).word());
        }
    }

    private static List<RecordFact> finalReplies(List<RecordFact> replies) {
        return replies.stream().filter(reply -> !reply.word().equals("MESSAGE")).toList();
    }

    private void verifyReplies(UUID turn, List<RecordFact> replies) {
        Lifecycle lifecycle = session.turns.get(turn);
        for (RecordFact reply : replies) {
            if (!scope.has(reply.place())) {
                continue;
            }
            session.count("replies", reply.word().toLowerCase(java.util.Locale.ROOT));
            boolean isBotMessage = turn.equals(reply.id()); // it has no turn: its turn id is its own id
            if (!isBotMessage && (lifecycle == null || lifecycle.begun == null)) {
                reportMissingStart(FindingKind.REPLY_WITHOUT_TURN, turn, reply.place());
            }
            session.count("deliveries of " + reply.more(), deliveryStatus(reply));
        }
    }

    private String deliveryStatus(RecordFact reply) {
        Place place = reply.place();
        if (session.isErased(place)) {
            return ERASED;
        }
        if (session.deadLettered.contains(SessionObservations.placeKey(place))) {
            reportReply(FindingKind.REPLY_DEAD_LETTER, reply, reply.more());
            return "dead letter";
        }
        if (place.offset() < scope.delivered().getOrDefault(place.partition(), 0L)) {
            return "dealt with";
        }
        if (scope.isYoung(place.at())) {
            return UNDER_WAY;
        }
        reportReply(FindingKind.REPLY_NOT_DELIVERED, reply, "bot " + reply.more());
        return "not proved";
    }

    private void reportReply(FindingKind kind, RecordFact reply, String detail) {
        session.report(kind, Objects.requireNonNull(reply.id()), reply.place(), null, detail);
    }

    private void verifyCall(UUID id, Lifecycle call) {
        if (call.begun == null) {
            reportMissingStart(FindingKind.RESULT_WITHOUT_CALL, id, call.ended);
        } else if (scope.has(call.begun)) {
            session.count("tool calls", session.isErased(call.begun) ? ERASED : verifyCall(id, call, call.begun));
        }
    }

    private String verifyCall(UUID id, Lifecycle call, Place start) {
        if (call.begunAgain != null) {
            session.report(FindingKind.CALL_TWICE, id, call.begunAgain, start, call.more);
        }
        if (call.endedAgain != null) {
            session.report(FindingKind.CALL_ENDED_TWICE, id, call.endedAgain, call.ended, call.more);
        }
        if (!call.isOpen()) {
            return switch (call.end) {
                case "COMPLETED" -> "result";
                case "UNKNOWN" -> call.settled ? "in doubt, settled" : "in doubt";
                default -> call.denied ? "denied" : "error";
            };
        }
        if (hasEnded(call.turn)) {
            session.report(FindingKind.CALL_WITHOUT_RESULT, id, start, endPlace(call.turn), call.more);
            return "not proved";
        }
        return UNDER_WAY;
    }

    private @Nullable Place endPlace(@Nullable UUID turn) {
        Lifecycle lifecycle = turn == null ? null : session.turns.get(turn);
        return lifecycle == null ? null : lifecycle.ended;
    }

    private boolean hasEnded(@Nullable UUID turn) {
        return endPlace(turn) != null;
    }

    private void verifyApproval(UUID id, Lifecycle approval) {
        if (approval.begun == null) {
            reportMissingStart(FindingKind.ANSWER_WITHOUT_QUESTION, id, approval.ended);
        } else if (scope.has(approval.begun)) {
            session.count(
                    "approvals",
                    session.isErased(approval.begun) ? ERASED : verifyApproval(id, approval, approval.begun));
        }
    }

    /** An approval ends with its decision, or with its call: an ending turn gives each of its calls a result. */
    private String verifyApproval(UUID id, Lifecycle approval, Place start) {
        if (approval.endedAgain != null) {
            session.report(FindingKind.APPROVAL_ENDED_TWICE, id, approval.endedAgain, approval.ended, approval.end);
        }
        if (!approval.isOpen()) {
            return approval.end;
        }
        Lifecycle call = approval.call == null ? null : session.calls.get(approval.call);
        if (call != null && call.end.equals("COMPLETED")) {
            session.report(FindingKind.CALL_WITHOUT_ANSWER, id, start, call.ended, call.more);
            return "not proved";
        }
        if (call != null && !call.isOpen()) {
            return "ended with its call";
        }
        if (hasEnded(approval.turn) || isLate(approval.until)) {
            session.report(
                    FindingKind.APPROVAL_WITHOUT_END, id, start, endPlace(approval.turn), "until " + approval.until);
            return "not proved";
        }
        return UNDER_WAY;
    }

    /** A missing start is an error, unless it may precede what was read. */
    private void reportMissingStart(FindingKind kind, UUID id, @Nullable Place place) {
        if (place == null || !scope.has(place) || session.isErased(place)) {
            return;
        }
        if (session.isWhole()) {
            session.report(kind, id, place, null, "");
        } else {
            session.count("not judged", "began before what was read");
        }
    }
}
