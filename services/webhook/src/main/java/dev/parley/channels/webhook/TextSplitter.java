package dev.parley.channels.webhook;

import dev.parley.language.text.Clip;
import java.util.ArrayList;
import java.util.List;

/** Splits long texts between paragraphs, lines or words; a code block that is split is closed and reopened. */
final class TextSplitter {
    private static final String FENCE = "```";

    private TextSplitter() {}

    /** Texts of at most {@code limit} characters, at least one; none is blank unless the whole text is. */
    static List<String> split(String text, int limit) {
        var texts = new ArrayList<String>();
        String remainder = text;
        while (remainder.length() > limit) {
            int room = limit - FENCE.length() - 1;
            int end = end(remainder, room);
            String head = remainder.substring(0, end);
            String tail = remainder.substring(end).replaceFirst("^\\R+", "");
            String fence = openFence(head);
            texts.add(fence.isEmpty() ? head.stripTrailing() : head.stripTrailing() + "\n" + FENCE);
            remainder = fence.isEmpty() ? tail : fence + "\n" + tail;
        }
        texts.add(remainder);
        texts.removeIf(String::isBlank);
        return texts.isEmpty() ? List.of(text) : List.copyOf(texts);
    }

    private static int end(String text, int room) {
        int minimum = room / 2; // shorter pieces would never get past a reopened fence
        for (int position = text.lastIndexOf("\n\n", room);
                position > minimum;
                position = text.lastIndexOf("\n\n", position - 1)) {
            if (openFence(text.substring(0, position)).isEmpty()) {
                return position;
            }
        }
        int line = text.lastIndexOf('\n', room);
        int space = text.lastIndexOf(' ', room);
        int end = line > minimum ? line : space > minimum ? space : room;
        return Clip.start(text, end).length();
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
