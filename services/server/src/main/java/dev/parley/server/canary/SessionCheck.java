package dev.parley.server.canary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the messages and turns of a session against what the canary sent. Pure. */
final class SessionCheck {
    private SessionCheck() {}

    /** A message that was sent. @param turn the id of its turn, or null before it is accepted */
    record Sent(String nonce, @Nullable String turn) {}

    /**
     * Checks the messages of one turn.
     *
     * @return findings, or an empty list; a message that is not there yet is {@link Result#LOST}
     */
    static List<Finding> readBack(Sent sent, List<SessionReading.Message> all) {
        List<SessionReading.Message> messages = all.stream()
                .filter(message -> message.turn().equals(sent.turn()))
                .toList();
        long asked = messages.stream()
                .filter(message -> message.isUsers() && message.text().contains(sent.nonce()))
                .count();
        List<SessionReading.Message> replies =
                messages.stream().filter(SessionReading.Message::isFinal).toList();
        String counts =
                "turn %s has %d messages of the user and %d replies".formatted(sent.turn(), asked, replies.size());
        var found = new ArrayList<Finding>();
        if (asked == 0 || replies.isEmpty()) {
            found.add(new Finding(Result.LOST, sent.nonce(), counts));
        }
        if (asked > 1 || replies.size() > 1) {
            found.add(new Finding(Result.DUPLICATE, sent.nonce(), counts));
        }
        replies.stream()
                .filter(reply -> !Nonce.isOnlyOneIn(reply.text(), sent.nonce()))
                .forEach(reply -> found.add(wrong(sent, reply.text())));
        return found;
    }

    static Finding wrong(Sent sent, String reply) {
        String shown = reply.length() <= 200 ? reply : reply.substring(0, 200) + "…";
        return new Finding(Result.WRONG, sent.nonce(), "turn %s answers \"%s\"".formatted(sent.turn(), shown));
    }

    /** Checks a whole session: each message became one turn, and each turn has one reply. */
    static List<Finding> whole(
            List<Sent> sent, List<SessionReading.Turn> turns, List<SessionReading.Message> messages) {
        var found = new ArrayList<Finding>();
        for (Sent one : sent) {
            List<SessionReading.Turn> its = turns.stream()
                    .filter(turn -> turn.text().contains(one.nonce()))
                    .toList();
            if (its.isEmpty() && one.turn() != null) {
                found.add(new Finding(Result.LOST, one.nonce(), "the session does not have turn " + one.turn()));
            }
            if (its.size() > 1) {
                found.add(new Finding(Result.DUPLICATE, one.nonce(), "it became the turns " + ids(its)));
            }
            its.stream()
                    .filter(SessionReading.Turn::isCompleted)
                    .flatMap(turn -> readBack(new Sent(one.nonce(), turn.id()), messages).stream())
                    .forEach(found::add);
        }
        found.addAll(unasked(sent, turns));
        return found;
    }

    private static List<Finding> unasked(List<Sent> sent, List<SessionReading.Turn> turns) {
        return turns.stream()
                .filter(turn -> sent.stream().noneMatch(one -> turn.text().contains(one.nonce())))
                .map(turn -> new Finding(Result.DUPLICATE, "", "nobody asked for turn " + turn.id()))
                .toList();
    }

    private static String ids(List<SessionReading.Turn> turns) {
        return turns.stream().map(SessionReading.Turn::id).collect(Collectors.joining(", "));
    }

    /** The findings of messages without an earlier one: each message counts once. */
    static List<Finding> beside(Map<String, Result> known, List<Finding> found) {
        return found.stream()
                .filter(finding -> finding.nonce().isEmpty()
                        || known.getOrDefault(finding.nonce(), Result.ANSWERED) == Result.ANSWERED)
                .toList();
    }
}
