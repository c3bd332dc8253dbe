package dev.parley.server.canary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the messages and turns of a session against what the canary sent. Pure. */
final class SessionCheck {
    private SessionCheck() {}

    /**
     * A message that was sent.
     *
     * @param turn the id of its turn, or null before it is accepted
     */
    record Sent(String nonce, @Nullable String turn) {}

    /**
     * Checks the messages of one turn.
     *
     * @return findings, or an empty list; a message that is not there yet is {@link Result#LOST}
     */
    static List<CanaryFinding> readBack(Sent sent, List<ObservedSession.Message> messages) {
        List<ObservedSession.Message> turnMessages = messagesOfTurn(sent, messages);
        long questions = turnMessages.stream()
                .filter(message -> message.isUsers() && message.text().contains(sent.nonce()))
                .count();
        List<ObservedSession.Message> replies =
                turnMessages.stream().filter(ObservedSession.Message::isFinal).toList();
        String counts =
                "turn %s has %d messages of the user and %d replies".formatted(sent.turn(), questions, replies.size());
        var found = new ArrayList<CanaryFinding>();
        if (questions == 0 || replies.isEmpty()) {
            found.add(new CanaryFinding(Result.LOST, sent.nonce(), counts));
        }
        if (questions > 1 || replies.size() > 1) {
            found.add(new CanaryFinding(Result.DUPLICATE, sent.nonce(), counts));
        }
        replies.stream()
                .filter(reply -> !Nonce.isOnlyOneIn(reply.text(), sent.nonce()))
                .forEach(reply -> found.add(wrongAnswer(sent, reply.text())));
        return found;
    }

    private static List<ObservedSession.Message> messagesOfTurn(Sent sent, List<ObservedSession.Message> messages) {
        return messages.stream()
                .filter(message -> message.turn().equals(sent.turn()))
                .toList();
    }

    static CanaryFinding wrongAnswer(Sent sent, String reply) {
        String excerpt = reply.length() <= 200 ? reply : reply.substring(0, 200) + "…";
        return new CanaryFinding(Result.WRONG, sent.nonce(), "turn %s answers \"%s\"".formatted(sent.turn(), excerpt));
    }

    /** Checks a whole session: each message became one turn, and each turn has one reply. */
    static List<CanaryFinding> checkSession(
            List<Sent> sent, List<ObservedSession.Turn> turns, List<ObservedSession.Message> messages) {
        var found = new ArrayList<CanaryFinding>();
        for (Sent message : sent) {
            List<ObservedSession.Turn> matching = turns.stream()
                    .filter(turn -> turn.text().contains(message.nonce()))
                    .toList();
            if (matching.isEmpty() && message.turn() != null) {
                found.add(new CanaryFinding(
                        Result.LOST, message.nonce(), "the session does not have turn " + message.turn()));
            }
            if (matching.size() > 1) {
                found.add(new CanaryFinding(Result.DUPLICATE, message.nonce(), "it became the turns " + ids(matching)));
            }
            matching.stream()
                    .filter(ObservedSession.Turn::isCompleted)
                    .flatMap(turn -> readBack(new Sent(message.nonce(), turn.id()), messages).stream())
                    .forEach(found::add);
        }
        found.addAll(findUnrequested(sent, turns));
        return found;
    }

    private static List<CanaryFinding> findUnrequested(List<Sent> sent, List<ObservedSession.Turn> turns) {
        return turns.stream()
                .filter(turn -> sent.stream().noneMatch(message -> turn.text().contains(message.nonce())))
                .map(turn -> new CanaryFinding(Result.DUPLICATE, "", "turn " + turn.id() + " was not requested"))
                .toList();
    }

    private static String ids(List<ObservedSession.Turn> turns) {
        return turns.stream().map(ObservedSession.Turn::id).collect(Collectors.joining(", "));
    }

    /** The findings about messages without a finding so far: each message counts once. */
    static List<CanaryFinding> filterUnreported(Map<String, Result> results, List<CanaryFinding> found) {
        return found.stream()
                .filter(finding -> finding.nonce().isEmpty()
                        || results.getOrDefault(finding.nonce(), Result.ANSWERED) == Result.ANSWERED)
                .toList();
    }
}
