package dev.parley.agents.model.chat;

import java.util.List;

/**
 * Separates reasoning from an answer that begins with it, as {@code <think>…</think>}: servers without a parser for
 * reasoning models leave it in the content. Tags later in the text belong to the answer.
 *
 * <pre>
 *   BEGINNING ──► THINKING ──► ENDED ──► ANSWER
 *       └────────────────────────────────────┘
 * </pre>
 */
final class ThinkTags {
    private static final List<String> NAMES = List.of("think", "thinking", "thought", "reasoning");

    private enum State {
        /** Only blanks and part of a tag have arrived. */
        BEGINNING,
        THINKING,
        /** Blanks after the closing tag are not part of the answer. */
        ENDED,
        ANSWER
    }

    /** The reasoning and the text of a piece, either possibly empty. */
    record Split(String reasoning, String text) {}

    private State state = State.BEGINNING;
    private String closing = "";
    private String held = "";

    /** Adds a piece, and returns what is known of it and of what was held back. */
    Split add(String piece) {
        held += piece;
        var reasoning = new StringBuilder();
        if (state == State.BEGINNING) {
            begin();
        }
        if (state == State.THINKING) {
            reasoning.append(think());
        }
        if (state == State.ENDED) {
            held = held.stripLeading();
            state = held.isEmpty() ? State.ENDED : State.ANSWER;
        }
        return new Split(reasoning.toString(), state == State.ANSWER ? take(held.length()) : "");
    }

    private void begin() {
        String start = held.stripLeading();
        for (String name : NAMES) {
            if (start.regionMatches(true, 0, "<" + name + ">", 0, name.length() + 2)) {
                state = State.THINKING;
                closing = "</" + name + ">";
                held = start.substring(name.length() + 2).stripLeading();
                return;
            }
        }
        boolean canBegin = NAMES.stream().anyMatch(name -> beginsWith("<" + name + ">", start));
        state = canBegin ? State.BEGINNING : State.ANSWER;
    }

    /** The reasoning up to the closing tag, or up to where it may begin. */
    private String think() {
        for (int at = held.indexOf('<'); at >= 0; at = held.indexOf('<', at + 1)) {
            if (held.regionMatches(true, at, closing, 0, closing.length())) {
                String reasoning = take(at);
                held = held.substring(closing.length());
                state = State.ENDED;
                return reasoning.stripTrailing();
            }
            if (beginsWith(closing, held.substring(at))) {
                return takeWords(at);
            }
        }
        return takeWords(held.length());
    }

    /** Blanks are held back: those before the closing tag are not part of the reasoning. */
    private String takeWords(int end) {
        return take(held.substring(0, end).stripTrailing().length());
    }

    /** Whether a tag may go on after this beginning of it. */
    private static boolean beginsWith(String tag, String beginning) {
        return beginning.length() < tag.length() && tag.regionMatches(true, 0, beginning, 0, beginning.length());
    }

    private String take(int length) {
        String taken = held.substring(0, length);
        held = held.substring(length);
        return taken;
    }

    /** Ends the answer, and returns what was held back. */
    Split end() {
        String rest = take(held.length());
        return state == State.THINKING ? new Split(rest, "") : new Split("", state == State.ENDED ? "" : rest);
    }

    /**
     * Splits a complete text in which the reasoning is only closed, because the opening tag was the end of the prompt. A
     * closing tag in code is part of the text.
     */
    static Split closedOnly(String text) {
        for (String name : NAMES) {
            int end = text.indexOf("</" + name + ">");
            if (end >= 0 && !text.substring(0, end).contains("<" + name + ">") && !isInCode(text, end)) {
                return new Split(
                        text.substring(0, end).strip(),
                        text.substring(end + name.length() + 3).stripLeading());
            }
        }
        return new Split("", text);
    }

    private static boolean isInCode(String text, int position) {
        String before = text.substring(0, position);
        boolean fenced = before.split("```", -1).length % 2 == 0;
        String line = before.substring(before.lastIndexOf('\n') + 1);
        return fenced || line.chars().filter(unit -> unit == '`').count() % 2 != 0;
    }
}
