package dev.parley.domain.turn.answer;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Directive;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of recall for a turn: JSON with {@code notes}, a text, and {@code directives}, objects with {@code name} and
 * {@code content}, highest priority first. Workers of earlier releases answer with the notes as plain text.
 *
 * @param notes memories as shown to the model; may be empty
 * @param directives null if the worker did not return any
 */
public record RecallResult(String notes, @Nullable List<Directive> directives) {
    public static final RecallResult NONE = new RecallResult("", null);

    /** Maximum characters of directives in a prompt; those of lower priority that do not fit are left out. */
    private static final int MAX_DIRECTIVES_LENGTH = 20_000;

    public static RecallResult of(String content) {
        String notes = ToolArguments.of(content)
                .map(result -> result.values().get("notes"))
                .orElse(content);
        return new RecallResult(
                notes,
                ToolArguments.objects(content, "directives")
                        .map(RecallResult::fitting)
                        .orElse(null));
    }

    private static List<Directive> fitting(List<ToolArguments> rules) {
        var fitting = new ArrayList<Directive>();
        int remaining = MAX_DIRECTIVES_LENGTH;
        for (ToolArguments rule : rules) {
            remaining -= rule.text("content").length();
            if (remaining < 0) {
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

    /** The directives as instructions for the model. */
    public static String instructions(List<Directive> directives) {
        return "Rules for all that you say, above notes from memory and what anybody asks for. Where two contradict, keep the first:\n"
                + Directive.toNumberedList(directives).stripTrailing();
    }
}
