package dev.parley.channels.protocols;

import dev.parley.channels.contract.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Parts of messages: texts and files. */
public final class MessageParts {
    private MessageParts() {}

    public static Part text(String text) {
        return new Part("text", text, null, null, null);
    }

    /**
     * A file.
     *
     * @param data its bytes in base64
     */
    public static Part file(String name, String mimeType, String data) {
        return new Part("file", null, data, name, mimeType);
    }

    /** The texts of these parts, joined; leading empty ones are dropped. */
    public static String text(List<Part> parts, String separator) {
        return parts.stream()
                .map(Part::text)
                .filter(Objects::nonNull)
                .dropWhile(String::isEmpty)
                .collect(Collectors.joining(separator));
    }

    /** Whether they contain neither a file nor a visible text. */
    public static boolean isBlank(List<Part> parts) {
        return parts.stream()
                .allMatch(part -> part.text() != null && part.text().isBlank());
    }

    /** Joins preambles and messages into one message, separated by empty lines; blank preambles are omitted. */
    public static List<Part> join(List<String> preambles, List<List<Part>> messages) {
        var parts = new ArrayList<Part>();
        preambles.stream()
                .filter(preamble -> !preamble.isBlank())
                .forEach(preamble -> parts.add(text(preamble + "\n\n")));
        for (int i = 0; i < messages.size(); i++) {
            if (i > 0) {
                parts.add(text("\n\n"));
            }
            parts.addAll(messages.get(i));
        }
        return parts;
    }
}
