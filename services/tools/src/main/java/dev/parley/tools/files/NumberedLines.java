package dev.parley.tools.files;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.language.text.Clip;

/**
 * A range of the lines of a text, shown with their numbers by the tools {@code file_read} and {@code repo_read}.
 *
 * @param offset number of the first line, from 1
 * @param limit maximum number of lines
 */
public record NumberedLines(int offset, int limit) {
    private static final int MAX_LINES = 2_000;
    private static final int MAX_LINE = 2_000;
    /** Maximum characters; a longer result would be cut in the middle. */
    private static final int MAX_CHARACTERS = 20_000;

    /** Its arguments in the JSON Schema of a tool. */
    public static final String PROPERTIES = """
            "offset":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Number of the first line to return. Defaults to 1."},\
            "limit":{"type":"integer","minimum":1,"maximum":%d,"description":"Maximum number of lines. Defaults to %1$d."}""".formatted(MAX_LINES);

    /** The range in the arguments of a call. */
    public static NumberedLines of(JsonNode arguments) {
        return new NumberedLines(
                arguments.path("offset").asInt(1), arguments.path("limit").asInt(MAX_LINES));
    }

    /**
     * The lines of a text, for the model.
     *
     * @throws WorkspaceException when the offset is beyond the end
     */
    public String show(String path, String text) {
        if (text.isEmpty()) {
            return path + " is empty.";
        }
        String[] lines = (text.endsWith("\n") ? text.substring(0, text.length() - 1) : text).split("\n", -1);
        if (offset > lines.length) {
            throw new WorkspaceException(
                    WorkspaceException.Kind.INVALID, "%s has %d lines".formatted(path, lines.length));
        }
        return withNumbers(lines);
    }

    private String withNumbers(String[] lines) {
        var output = new StringBuilder();
        int line = offset;
        int end = (int) Math.min(lines.length, offset - 1L + limit);
        while (line <= end && output.length() < MAX_CHARACTERS) {
            output.append(line)
                    .append('\t')
                    .append(abbreviate(lines[line - 1], MAX_LINE))
                    .append('\n');
            line++;
        }
        if (line <= lines.length) {
            output.append("[%d of %d lines; go on with offset %d]".formatted(line - offset, lines.length, line));
        }
        return output.toString();
    }

    /** A line cut to a length, never within a surrogate pair. */
    static String abbreviate(String line, int max) {
        if (line.length() <= max) {
            return line;
        }
        String start = Clip.start(line, max);
        return start + " … (" + (line.length() - start.length()) + " more characters)";
    }
}
