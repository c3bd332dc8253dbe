package dev.parley.domain.proof;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Verification of a session's commands: whether each has its outcome. */
final class CommandJudge {
    private static final String MESSAGE = "SubmitTurn";

    private final SessionProof session;

    CommandJudge(SessionProof session) {
        this.session = session;
    }

    void judge() {
        session.commands.forEach((id, command) -> {
            Place place = Objects.requireNonNull(command.begun);
            if (session.scope.has(place)) {
                judge(id, command, place);
            }
        });
    }

    private void judge(UUID id, Lifecycle command, Place place) {
        boolean message = command.word.equals(MESSAGE);
        String fate = session.isErased(place) ? "erased" : fate(id, command, place);
        session.count(message ? "messages of " + command.more : "commands " + command.word, fate);
        if (command.begunAgain != null) {
            session.count("repeats", "commands that came again");
        }
    }

    private String fate(UUID id, Lifecycle command, Place place) {
        Set<String> outcomes = session.outcomes.getOrDefault(id, Set.of());
        Set<String> decisions =
                outcomes.stream().filter(CommandJudge::isDecision).collect(Collectors.toSet());
        if (decisions.size() > 1) {
            session.find(
                    FindingKind.TWO_OUTCOMES,
                    id,
                    place,
                    null,
                    decisions.stream().sorted().toList().toString());
        }
        Lifecycle turn = session.turns.get(id);
        boolean isTurn = command.word.equals(MESSAGE) && turn != null && turn.begun != null;
        if (isTurn
                && (!outcomes.isEmpty() || !session.scope.knowsOutcome(place) || session.scope.isYoung(place.at()))) {
            return "turn";
        }
        return outcomes.isEmpty() ? withoutOutcome(id, command, place, isTurn) : decided(id, command, place, outcomes);
    }

    /** Outcomes of ended turns, reverted files and erasures can follow the decision of a command. */
    private static boolean isDecision(String outcome) {
        return outcome.startsWith("accepted:") || (outcome.startsWith("refused:") && !outcome.equals("refused:erased"));
    }

    private String decided(UUID id, Lifecycle command, Place place, Set<String> outcomes) {
        Optional<String> refused =
                outcomes.stream().filter(word -> word.startsWith("refused:")).findFirst();
        if (refused.isPresent()) {
            return refused.get();
        }
        if (!command.word.equals(MESSAGE)) {
            return "done";
        }
        if (outcomes.contains("accepted:STEERED") || outcomes.contains("accepted:COLLECTED")) {
            return "joined a turn";
        }
        session.find(FindingKind.TURN_NOT_ON_EVENTS, id, place, null, outcomes.toString());
        return "not proved";
    }

    private String withoutOutcome(UUID id, Lifecycle command, Place place, boolean isTurn) {
        Optional<String> byDesign = byDesign(command, place);
        if (session.putAside.contains(SessionProof.place(place))) {
            session.find(FindingKind.COMMAND_PUT_ASIDE, id, place, null, command.word);
            return "put aside";
        }
        if (byDesign.isPresent()) {
            return byDesign.get();
        }
        if (session.scope.isYoung(place.at())) {
            return "under way";
        }
        if (!session.scope.knowsOutcome(place)) {
            return "not judged: what was remembered of it is gone";
        }
        boolean lost = command.word.equals(MESSAGE) && !isTurn;
        session.find(
                lost ? FindingKind.MESSAGE_WITHOUT_TURN : FindingKind.COMMAND_WITHOUT_OUTCOME,
                id,
                place,
                null,
                lost ? "channel " + command.more : command.word);
        return "not proved";
    }

    /** Outcomes that are sent but not stored. */
    private Optional<String> byDesign(Lifecycle command, Place place) {
        if (command.word.equals(Facts.QUESTION)) {
            return Optional.of("answered, not remembered");
        }
        if (command.flag && session.ownerKnown && !Objects.equals(session.owner, command.who)) {
            return Optional.of("refused: somebody else's session");
        }
        if (command.flag && !session.ownerKnown) {
            return Optional.of("not judged: whose session it is was not read");
        }
        return session.isImporting(place) ? Optional.of("refused while the session was imported") : Optional.empty();
    }
}
