package dev.parley.domain.definition;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The option {@code stop}: texts that end an answer, one a line. In a line, {@code \n} stands for a line feed, {@code
 * \r} for a carriage return and {@code \\} for a backslash; empty lines count for nothing.
 */
public final class StopSequences {
    private static final char ESCAPE = '\\';

    private StopSequences() {}

    /** Writes texts of any characters; empty ones are lost. */
    public static String write(List<String> stops) {
        return stops.stream()
                .map(stop -> stop.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r"))
                .collect(Collectors.joining("\n"));
    }

    /** Reads the option; any other character after a backslash leaves both as they are. */
    public static List<String> read(String option) {
        return option.lines()
                .filter(line -> !line.isEmpty())
                .map(StopSequences::unescape)
                .toList();
    }

    private static String unescape(String line) {
        var text = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i) == ESCAPE && i + 1 < line.length() ? line.charAt(i + 1) : 0;
            switch (next) {
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case ESCAPE -> text.append(ESCAPE);
                default -> text.append(line.charAt(i));
            }
            i += next == 'n' || next == 'r' || next == ESCAPE ? 1 : 0;
        }
        return text.toString();
    }
}
