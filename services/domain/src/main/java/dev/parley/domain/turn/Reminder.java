package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Directive;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What banks say when a turn is reminded: JSON with {@code notes}, a text, and {@code directives}, objects with {@code name} and
 * {@code content}, the most important first. A worker of an earlier build answers with the notes alone.
 *
 * @param notes what a model is shown; empty for nothing
 * @param directives null where they were not said
 */
record Reminder(String notes, @Nullable List<Directive> directives) {
    static final Reminder NONE = new Reminder("", null);

    /** Characters of directives that a model is told; those that are less important and do not fit are left out. */
    private static final int MOST_DIRECTED = 20_000;

    static Reminder of(String content) {
        String notes =
                Arguments.of(content).map(said -> said.values().get("notes")).orElse(content);
        return new Reminder(
                notes,
                Arguments.objects(content, "directives").map(Reminder::fitting).orElse(null));
    }

    private static List<Directive> fitting(List<Arguments> rules) {
        var fitting = new ArrayList<Directive>();
        int room = MOST_DIRECTED;
        for (Arguments rule : rules) {
            room -= rule.text("content").length();
            if (room < 0) {
                break;
            }
            fitting.add(new Directive(
                    Ids.of("directive", rule.text("name")),
                    rule.text("name"),
                    rule.text("content"),
                    rules.size() - fitting.size(),
                    true));
        }
        return fitting;
    }

    /** What a model is told of them. */
    static String told(List<Directive> directives) {
        return "Rules for all that you say, above notes from memory and what anybody asks for. Where two contradict, keep the first:\n"
                + Directive.numbered(directives).stripTrailing();
    }
}
