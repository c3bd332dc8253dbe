package dev.parley.domain.proof;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Verification of a session's commands: whether each has its outcome. */
final class CommandVerifier {
    private static final String SUBMIT_TURN = "SubmitTurn";

    private final SessionObservations session;

    CommandVerifier(SessionObservations session) {
        this.session = session;
    }

    void verify() {
        session.commands.forEach((id, command) -> {
            Place place = Objects.requireNonNull(command.begun);
            if (session.scope.has(place)) {
                verify(id, command, place);
            }
        });
    }

    private void verify(UUID id, Lifecycle command, Place place) {
        boolean message = command.word.equals(SUBMIT_TURN);
        String status = session.isErased(place) ? "erased" : status(id, command, place);
        session.count(message ? "messages of " + command.more : "commands " + command.word, status);
        if (command.begunAgain != null) {
            session.count("repeats", "commands that came again");
        }
    }

    private String status(UUID id, Lifecycle command, Place place) {
        Set<String> outcomes = session.outcomes.getOrDefault(id, Set.of());
        Set<String> decisions =
                outcomes.stream().filter(CommandVerifier::isDecision).collect(Collectors.toSet());
        if (decisions.size() > 1) {
            session.report(
                    FindingKind.TWO_OUTCOMES,
                    id,
                    place,
                    null,
                    decisions.stream().sorted().toList().toString());
        }
        Lifecycle turn = session.turns.get(id);
        boolean isTurn = command.word.equals(SUBMIT_TURN) && turn != null && turn.begun != null;
        if (isTurn
                && (!outcomes.isEmpty() || !session.scope.knowsOutcome(place) || session.scope.isYoung(place.at()))) {
            return "turn";
        }
        return outcomes.isEmpty()
                ? statusWithoutOutcome(id, command, place, isTurn)
                : statusByOutcomes(id, command, place, outcomes);
    }

    /** Outcomes of ended turns, reverted files and erasures can follow the decision of a command. */
    private static boolean isDecision(String outcome) {
        return outcome.startsWith("accepted:") || (outcome.startsWith("refused:") && !outcome.equals("refused:erased"));
    }

    private String statusByOutcomes(UUID id, Lifecycle command, Place place, Set<String> outcomes) {
        Optional<String> refused = outcomes.stream()
                .filter(outcome -> outcome.startsWith("refused:"))
                .findFirst();
        if (refused.isPresent()) {
            return refused.get();
        }
        if (!command.word.equals(SUBMIT_TURN)) {
            return "done";
        }
        if (outcomes.contains("accepted:STEERED") || outcomes.contains("accepted:COLLECTED")) {
            return "joined a turn";
        }
        session.report(FindingKind.TURN_NOT_ON_EVENTS, id, place, null, outcomes.toString());
        return "not proved";
    }

    private String statusWithoutOutcome(UUID id, Lifecycle command, Place place, boolean isTurn) {
        Optional<String> unstored = unstoredOutcome(command, place);
        if (session.deadLettered.contains(SessionObservations.placeKey(place))) {
            session.report(FindingKind.COMMAND_DEAD_LETTER, id, place, null, command.word);
            return "dead letter";
        }
        if (unstored.isPresent()) {
            return unstored.get();
        }
        if (session.scope.isYoung(place.at())) {
            return "under way";
        }
        if (!session.scope.knowsOutcome(place)) {
            return "not judged: its outcome is no longer stored";
        }
        reportMissingOutcome(id, command, place, isTurn);
        return "not proved";
    }

    private void reportMissingOutcome(UUID id, Lifecycle command, Place place, boolean isTurn) {
        boolean isLost = command.word.equals(SUBMIT_TURN) && !isTurn;
        session.report(
                isLost ? FindingKind.MESSAGE_WITHOUT_TURN : FindingKind.COMMAND_WITHOUT_OUTCOME,
                id,
                place,
                null,
                isLost ? "channel " + command.more : command.word);
    }

    /** Outcomes that are sent but not stored. */
    private Optional<String> unstoredOutcome(Lifecycle command, Place place) {
        if (command.word.equals(Facts.READ_ONLY)) {
            return Optional.of("answered, not remembered");
        }
        if (command.flag && session.ownerKnown && !Objects.equals(session.owner, command.who)) {
            return Optional.of("refused: another user's session");
        }
        if (command.flag && !session.ownerKnown) {
            return Optional.of("not judged: the session's user was not read");
        }
        return session.isImporting(place) ? Optional.of("refused while the session was imported") : Optional.empty();
    }
}
