package dev.parley.server.sessionreplay;

import dev.parley.platform.regex.CompiledPatterns;
import dev.parley.server.sessionreplay.Suite.Expected;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
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
        var turn = new Turn(session, number, replayed == null ? null : replayed.answer());
        turn.add("state", expected.state(), (answer, state) -> answer.state() == state);
        turn.addEach("contains", expected.contains(), Score::contains);
        turn.addEach("notContains", expected.notContains(), (answer, text) -> !contains(answer, text));
        turn.add("matches", expected.matches(), (answer, pattern) -> matches(pattern, answer.reply()));
        turn.addEach("called", expected.called(), Score::isCalled);
        turn.addEach("notCalled", expected.notCalled(), (answer, tool) -> !isCalled(answer, tool));
        turn.add("maxCost", expected.maxCost(), Score::costsAtMost);
        turn.add(
                "maxTokens",
                expected.maxTokens(),
                (answer, limit) -> answer.usage().tokens() <= limit);
        turn.add(
                "sameReply",
                expected.sameReply(),
                (answer, same) -> result != null
                        && answer.reply().equals(result.recorded().reply()) == same);
    }

    private static boolean costsAtMost(TurnAnswer answer, double dollars) {
        Long nanos = answer.usage().costNanos();
        return nanos != null && nanos <= dollars * NANOS_OF_A_DOLLAR;
    }

    /** Checks the expectations of a turn. */
    private final class Turn {
        private final String session;
        private final long number;
        private final @Nullable TurnAnswer answer;

        /** @param answer null for an unanswered turn, which meets no expectation */
        Turn(String session, long number, @Nullable TurnAnswer answer) {
            this.session = session;
            this.number = number;
            this.answer = answer;
        }

        /** @param value null for no expectation */
        <T> void add(String name, @Nullable T value, BiPredicate<TurnAnswer, T> condition) {
            if (value != null) {
                all.add(new Checked(
                        session, number, name + " " + value, answer != null && condition.test(answer, value)));
            }
        }

        <T> void addEach(String name, @Nullable List<T> values, BiPredicate<TurnAnswer, T> condition) {
            if (values != null) {
                values.forEach(value -> add(name, value, condition));
            }
        }
    }

    /** A pattern that exceeds its time limit does not match. */
    private boolean matches(String pattern, String text) {
        try {
            return patterns.decision("suite").replaceAll(pattern, text, "").isPresent();
        } catch (IllegalArgumentException | IllegalStateException e) {
            return false;
        }
    }

    private static boolean contains(TurnAnswer answer, String text) {
        return answer.reply().contains(text);
    }

    private static boolean isCalled(TurnAnswer answer, String tool) {
        return answer.calls().stream().anyMatch(call -> call.name().equals(tool));
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
