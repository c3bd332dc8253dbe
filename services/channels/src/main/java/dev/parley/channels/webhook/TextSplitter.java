package dev.parley.channels.webhook;

import java.util.ArrayList;
import java.util.List;

/** Splits long texts between paragraphs, lines or words; a code block that is split is closed and reopened. */
final class TextSplitter {
    private static final String FENCE = "```";

    private TextSplitter() {}

    /** Texts of at most {@code limit} characters, at least one; none is blank unless the whole text is. */
    static List<String> split(String text, int limit) {
        var texts = new ArrayList<String>();
        String rest = text;
        while (rest.length() > limit) {
            int room = limit - FENCE.length() - 1;
            int end = end(rest, room);
            String head = rest.substring(0, end);
            String tail = rest.substring(end).replaceFirst("^\\R+", "");
            String fence = openFence(head);
            texts.add(fence.isEmpty() ? head.stripTrailing() : head.stripTrailing() + "\n" + FENCE);
            rest = fence.isEmpty() ? tail : fence + "\n" + tail;
        }
        texts.add(rest);
        texts.removeIf(String::isBlank);
        return texts.isEmpty() ? List.of(text) : List.copyOf(texts);
    }

    private static int end(String text, int room) {
        int least = room / 2; // shorter pieces would never get past a reopened fence
        for (int at = text.lastIndexOf("\n\n", room); at > least; at = text.lastIndexOf("\n\n", at - 1)) {
            if (openFence(text.substring(0, at)).isEmpty()) {
                return at;
            }
        }
        int line = text.lastIndexOf('\n', room);
        int word = text.lastIndexOf(' ', room);
        int end = line > least ? line : word > least ? word : room;
        return Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    }

    /** The line that opened the code block in which a text ends, or empty. */
    private static String openFence(String text) {
        String open = "";
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(FENCE)) {
                open = open.isEmpty()
                        ? line.substring(0, Math.min(line.length(), 40)).strip()
                        : "";
            }
        }
        return open;
    }
}
