package dev.parley.server.replay;

import dev.parley.domain.protocol.Usage;
import dev.parley.platform.regex.CompiledPatterns;
import dev.parley.server.replay.Suite.Expected;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The expectations that replayed turns meet. */
final class Score {
    private static final double NANOS_OF_A_DOLLAR = 1e9;

    private final CompiledPatterns patterns = new CompiledPatterns();
    private final List<Checked> all = new ArrayList<>();

    /**
     * An expectation, and whether it was met.
     *
     * @param what such as {@code called search}
     */
    record Checked(String session, long turn, String what, boolean met) {}

    /** Checks a turn against its expectations; an unanswered one meets none. */
    void check(String session, long number, Expected expected, @Nullable TurnResult result) {
        ReplayedTurn replayed = result == null || !result.isAnswered() ? null : result.replayed();
        Answer answer = replayed == null ? null : replayed.answer();
        var turn = new Turn(session, number);
        if (expected.state() != null) {
            turn.add("state " + expected.state(), answer != null && answer.state() == expected.state());
        }
        for (String text : or(expected.contains())) {
            turn.add("contains " + text, answer != null && answer.reply().contains(text));
        }
        for (String text : or(expected.notContains())) {
            turn.add("notContains " + text, answer != null && !answer.reply().contains(text));
        }
        if (expected.matches() != null) {
            turn.add("matches " + expected.matches(), answer != null && matches(expected.matches(), answer.reply()));
        }
        for (String tool : or(expected.called())) {
            turn.add("called " + tool, answer != null && isCalled(answer, tool));
        }
        for (String tool : or(expected.notCalled())) {
            turn.add("notCalled " + tool, answer != null && !isCalled(answer, tool));
        }
        bounds(turn, expected, answer);
        if (expected.sameReply() != null) {
            boolean same = answer != null
                    && result != null
                    && answer.reply().equals(result.recorded().reply());
            turn.add("sameReply " + expected.sameReply(), answer != null && same == expected.sameReply());
        }
    }

    private static void bounds(Turn turn, Expected expected, @Nullable Answer answer) {
        Usage usage = answer == null ? null : answer.usage();
        if (expected.maxCost() != null) {
            Long nanos = usage == null ? null : usage.costNanos();
            turn.add("maxCost " + expected.maxCost(), nanos != null && nanos <= expected.maxCost() * NANOS_OF_A_DOLLAR);
        }
        if (expected.maxTokens() != null) {
            turn.add("maxTokens " + expected.maxTokens(), usage != null && usage.tokens() <= expected.maxTokens());
        }
    }

    private final class Turn {
        private final String session;
        private final long number;

        Turn(String session, long number) {
            this.session = session;
            this.number = number;
        }

        void add(String what, boolean met) {
            all.add(new Checked(session, number, what, met));
        }
    }

    /** A pattern that exceeds its time limit does not match. */
    private boolean matches(String pattern, String text) {
        try {
            return patterns.decision("suite").replaced(pattern, text, "").isPresent();
        } catch (IllegalArgumentException | IllegalStateException e) {
            return false;
        }
    }

    private static boolean isCalled(Answer answer, String tool) {
        return answer.calls().stream().anyMatch(call -> call.name().equals(tool));
    }

    private static List<String> or(@Nullable List<String> list) {
        return list == null ? List.of() : list;
    }

    List<Checked> all() {
        return all;
    }

    long met() {
        return all.stream().filter(Checked::met).count();
    }

    /** The share of expectations that were met. */
    double share() {
        return all.isEmpty() ? 1 : (double) met() / all.size();
    }
}
